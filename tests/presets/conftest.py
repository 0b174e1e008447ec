"""The command line inside this process, as the tests of the commands have it."""

from __future__ import annotations

from tests.app.conftest import call

__all__ = ["call"]

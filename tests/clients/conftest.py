"""Clients meet real servers."""

from __future__ import annotations

from tests.app.server.conftest import serve

__all__ = ["serve"]

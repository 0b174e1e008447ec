"""Shared by all tests: hypothesis profiles, and where the optional data lies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "soak", max_examples=3000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("RIGHTCALL_HYPOTHESIS", "quick"))

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("RIGHTCALL_SHARED", ROOT.parent / "shared"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real tool-call data for tests only; where it is absent the test is skipped and says so."""
    data = SHARED / "data"
    if not data.is_dir():
        pytest.skip("the real data is not here (set RIGHTCALL_SHARED to its folder)")
    return data

"""Shared by all tests: hypothesis profiles, and where the optional data lies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The tests of every change are the same inputs each time: what they say is about the change. `make soak` looks for
# new ones.
settings.register_profile(
    "quick",
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
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


SLOW_FOLDERS = {"data", "e2e", "fuzz", "libraries"}
SLOW_NAMES = ("test_hostile", "test_laws_of", "test_rows", "test_resume", "test_engines", "test_kill")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Real data, a browser, random inputs and hostile ones are for `make test`; `make check` is to be done while one waits."""
    for item in items:
        if item.path.parent.name in SLOW_FOLDERS or item.path.name.startswith(SLOW_NAMES):
            item.add_marker(pytest.mark.slow)

"""Leaves a server alone that failed several times in a row."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["Breaker"]


class Breaker:
    """Opens after `limit` failures in a row; after `pause` seconds lets one attempt through to see.

    Args:
        limit: failures in a row.
        pause: seconds until the next attempt.
        clock: seconds that only go up.
    """

    def __init__(
        self, limit: int = 5, pause: float = 30.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limit = limit
        self._pause = pause
        self._clock = clock
        self._failures = 0
        self._opened: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether nothing should be sent now."""
        return self._opened is not None and self._clock() - self._opened < self._pause

    def lets(self) -> bool:
        """Whether an attempt may be made; after the pause that is one, until it has ended."""
        if self._opened is None:
            return True
        if self.is_open:
            return False
        self._opened = self._clock()
        return True

    def succeeded(self) -> None:
        """The server answered."""
        self._failures = 0
        self._opened = None

    def failed(self) -> None:
        """It did not, or said that it failed."""
        self._failures += 1
        if self._failures >= self._limit:
            self._opened = self._clock()

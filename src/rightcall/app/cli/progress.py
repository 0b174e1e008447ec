"""How far a run is: one moving line on a terminal, a plain line every few seconds elsewhere."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Final

from ...run.dataset import Dataset
from ...run.runner import Position
from .screen import is_terminal, tell

__all__ = ["CountLine", "ProgressLine"]

_LIVELY_EVERY: Final = 0.1
_PLAIN_EVERY: Final = 5.0
_BAR: Final = 24


class _MovingLine:
    """A line on standard error: redrawn in place on a terminal, a new one each time elsewhere."""

    _drawn = False

    def __init__(self) -> None:
        self._lively = is_terminal(sys.stderr)

    def _show(self, line: str) -> None:
        if self._lively:
            self._drawn = True
            sys.stderr.write(f"\r\x1b[2K{line}")
            sys.stderr.flush()
        else:
            tell(line)

    def close(self) -> None:
        """Take the moving line away."""
        if self._drawn:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()


class ProgressLine(_MovingLine):
    """Tells how far a run is, on standard error.

    Args:
        data: its files' sizes say how much there is; where they can't, neither share nor time left is shown.
        before: how many cases were scored earlier, in a run that is gone on with.
    """

    def __init__(self, data: Dataset, before: int = 0) -> None:
        super().__init__()
        self._start = time.monotonic()
        self._next = self._start + (_LIVELY_EVERY if self._lively else _PLAIN_EVERY)
        self._earlier = before
        self._share_before: float | None = None if before else 0.0
        self._before: dict[str, int] = {}
        self._total = 0
        for source in data.sources:
            place = Path(source.path)
            self._before[source.path] = self._total
            # Offsets count in the unpacked text, and a table's rows have none.
            known = source.path != "-" and place.suffix in (".jsonl", ".ndjson", ".csv", ".json")
            self._total += place.stat().st_size if known and place.exists() else 0

    def __call__(self, position: Position) -> None:
        """Take note, and tell when it is time."""
        if self._share_before is None:
            self._share_before = self._share(position) or 0.0
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (_LIVELY_EVERY if self._lively else _PLAIN_EVERY)
        line = self._line(position, now - self._start)
        self._show(line)

    def _line(self, position: Position, seconds: float) -> str:
        rate = (position.cases - self._earlier) / seconds if seconds > 0 else 0.0
        parts = [f"{position.cases:,} cases", f"{rate:,.0f} a second"]
        if position.errors:
            parts.append(f"{position.errors:,} in error")
        share = self._share(position)
        if share is None:
            return " · ".join(parts)
        done = share - (self._share_before or 0.0)
        if done > 0:
            parts.append(f"{_duration(seconds * (1 - share) / done)} left")
        full = round(share * _BAR)
        bar = f"{'█' * full}{'░' * (_BAR - full)} " if self._lively else ""
        return f"{bar}{share:4.0%} · {' · '.join(parts)}"

    def _share(self, position: Position) -> float | None:
        place = position.place
        if not self._total or place is None or place.offset is None or place.path not in self._before:
            return None
        done = self._before[place.path] + place.offset + (place.length or 0)
        return min(1.0, done / self._total) or None


class CountLine(_MovingLine):
    """Tells how many of a known number of cases are done, on standard error.

    Args:
        what: what is being done with them.
        total: how many there are.
    """

    def __init__(self, what: str, total: int) -> None:
        self._what = what
        self._total = total
        super().__init__()
        self._every = _LIVELY_EVERY if self._lively else _PLAIN_EVERY
        self._next = time.monotonic() + self._every

    def __call__(self, done: int) -> None:
        """Take note, and tell when it is time."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self._every
        line = f"{self._what}: {done:,} of {self._total:,} cases"
        self._show(line)


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"

"""Results that cases share: most cases of a good agent are just as expected, and alike but for their length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from ..core.results import Result

__all__ = ["Known", "SharedResults"]

Known = tuple[Result | None, ...]
"""A result for each evaluator; None for those that do not share."""

_FOLD_AT: Final = 1024


class SharedResults:
    """Results of cases that were made just as expected, by the number of their calls."""

    def __init__(self) -> None:
        self._known: dict[int, Known] = {}
        self._cases: Counter[int] = Counter()
        self._names: Counter[str] = Counter()
        # Counting many cases at once takes a third of the time.
        self._uncounted: list[Sequence[str]] = []

    def get(self, size: int) -> Known | None:
        """The shared results; None for a length that was not seen before."""
        return self._known.get(size)

    def keep(self, size: int, known: Known) -> None:
        """Remember the results of a new length."""
        self._known[size] = known

    def count(self, called: Sequence[str]) -> None:
        """One more case with calls of these names."""
        self._uncounted.append(called)
        if len(self._uncounted) >= _FOLD_AT:
            self._fold()

    def _fold(self) -> None:
        cases, self._uncounted = self._uncounted, []
        self._cases.update(map(len, cases))
        self._names.update(chain.from_iterable(cases))

    def counted(self) -> tuple[Mapping[int, int], Mapping[str, int]]:
        """What was counted since last time, for :meth:`take_back`."""
        self._fold()
        return self._cases.copy(), self._names.copy()

    def take_back(self, counted: tuple[Mapping[int, int], Mapping[str, int]]) -> None:
        """Forget what was counted after `counted` was asked for."""
        self._cases, self._names = Counter(counted[0]), Counter(counted[1])
        self._uncounted.clear()

    def drain(self) -> Iterator[tuple[Known, int, int]]:
        """(results, number of calls, number of cases) of every length counted since last time."""
        self._fold()
        cases, self._cases = self._cases, Counter()
        for size, times in cases.items():
            yield self._known[size], size, times

    def drain_names(self) -> Mapping[str, int]:
        """How many calls of each name there were in the cases counted since last time."""
        self._fold()
        names, self._names = self._names, Counter()
        return names

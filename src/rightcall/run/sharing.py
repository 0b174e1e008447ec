"""Results that cases share: most cases of a good agent are just as expected, and alike but for their length."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..core.results import Result

__all__ = ["Known", "SharedResults"]

Known = tuple[Result | None, ...]
"""A result for each evaluator; None for those that do not share."""


class SharedResults:
    """Results of cases that were made just as expected, by the number of their calls."""

    def __init__(self) -> None:
        self._known: dict[int, Known] = {}
        self._cases: dict[int, int] = {}
        self._names: dict[str, int] = {}

    def get(self, size: int) -> Known | None:
        """The shared results; None for a length that was not seen before."""
        return self._known.get(size)

    def keep(self, size: int, known: Known) -> None:
        """Remember the results of a new length."""
        self._known[size] = known

    def count(self, called: Sequence[str]) -> None:
        """One more case with calls of these names."""
        size, names = len(called), self._names
        self._cases[size] = self._cases.get(size, 0) + 1
        for name in called:
            names[name] = names.get(name, 0) + 1

    def counted(self) -> tuple[dict[int, int], dict[str, int]]:
        """What was counted since last time, for :meth:`take_back`."""
        return dict(self._cases), dict(self._names)

    def take_back(self, counted: tuple[dict[int, int], dict[str, int]]) -> None:
        """Forget what was counted after `counted` was asked for."""
        self._cases, self._names = dict(counted[0]), dict(counted[1])

    def drain(self) -> Iterator[tuple[Known, int, int]]:
        """(results, number of calls, number of cases) of every length counted since last time."""
        cases, self._cases = self._cases, {}
        for size, times in cases.items():
            yield self._known[size], size, times

    def drain_names(self) -> Mapping[str, int]:
        """How many calls of each name there were in the cases counted since last time."""
        names, self._names = self._names, {}
        return names

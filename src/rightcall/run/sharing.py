"""Results that cases share: most cases of a good agent are just as expected, and alike in all that matters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ..core.declare import DependsOn
from ..core.results import Result
from ..core.types import ExpectedCall

__all__ = ["SharedResults"]

Key = int | tuple[str, ...]
Known = tuple[Result | None, ...]

_AT_MOST = 4096
"""Kinds of cases whose results are kept."""


class SharedResults:
    """Results of cases that were made just as expected, by what decides them: the number of calls, or their names.

    Args:
        shares: for each evaluator, what its result depends on in such a case.
    """

    def __init__(self, shares: Sequence[DependsOn]) -> None:
        self._by_names = "names" in shares
        self._shares = shares
        self._known: dict[Key, Known] = {}
        self._by_length: dict[int, Known] = {}
        self._cases: dict[Key, int] = {}
        self._names: dict[str, int] = {}

    def key(self, expected: Sequence[ExpectedCall]) -> Key:
        """What a case has in common with those that share its results."""
        return tuple([call.name for call in expected]) if self._by_names else len(expected)

    def get(self, key: Key) -> Known | None:
        """The shared results, with None for evaluators that do not share; None for a new kind of case."""
        return self._known.get(key)

    @property
    def full(self) -> bool:
        """Whether :meth:`drain` has to make room before another kind is kept."""
        return len(self._known) >= _AT_MOST

    def keep(self, key: Key, make: Callable[[int], Result | None]) -> Known:
        """Remember the results of a new kind of case; `make` gives that of one evaluator, by its place."""
        size = key if isinstance(key, int) else len(key)
        like = self._by_length.get(size)
        known = tuple(
            like[place] if like is not None and share == "length" else make(place)
            for place, share in enumerate(self._shares)
        )
        self._by_length.setdefault(size, known)
        self._known[key] = known
        return known

    def count(self, key: Key, expected: Sequence[ExpectedCall]) -> None:
        """One more case of this kind."""
        self._cases[key] = self._cases.get(key, 0) + 1
        names = self._names
        for call in expected:
            names[call.name] = names.get(call.name, 0) + 1

    def drain(self) -> Iterator[tuple[Known, int, int]]:
        """(results, number of calls, number of cases) of every kind counted; then forget them."""
        for key, times in self._cases.items():
            yield self._known[key], key if isinstance(key, int) else len(key), times
        self._cases, self._known = {}, {}

    def drain_names(self) -> Mapping[str, int]:
        """How many calls of each name there were in the cases counted; then forget them."""
        names, self._names = self._names, {}
        return names

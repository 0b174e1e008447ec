"""Parts of a run that are counted apart because a gate asks for them: cases of one tag, or of one tool."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from ...errors import EvaluatorError
from ..names import NameRule
from ..results import Result
from ..types import Case, ExpectedCall
from .sums import Scores

__all__ = ["Slice", "SliceTally", "tool_names"]


class Slice(Struct, frozen=True):
    """The cases that have the tag `name`, or in which the tool `name` is expected or called."""

    kind: Literal["tag", "tool"]
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    def holds(self, case: Case, names: NameRule) -> bool:
        """Whether a case is part of it; a tool may be told by its written name or by what `names` makes of it."""
        if self.kind == "tag":
            return self.name in case.tags
        return any(name == self.name or _seen(name, names) == self.name for name in tool_names(case))


def _seen(name: str, names: NameRule) -> str:
    try:
        return names(name)
    except EvaluatorError:
        return name  # too long for the prefix's pattern; the results of its case say so


def tool_names(case: Case) -> Iterator[str]:
    """The tools that a case calls or expects, in any of its paths and alternatives, as they are written."""
    for call in case.actual or ():
        yield call.name
    if case.expected is not None:
        for path in (case.expected.calls or (), *case.expected.paths):
            for call in path:
                yield from _expected(call)


def _expected(call: ExpectedCall) -> Iterator[str]:
    yield call.name
    for other in call.alternatives:
        yield other.name


class SliceTally:
    """What one evaluator's results on a part of the cases add up to."""

    __slots__ = ("cases", "errors", "not_evaluated", "passed", "scored", "scores")

    def __init__(self) -> None:
        self.cases = 0
        self.scored = 0
        self.not_evaluated = 0
        self.errors = 0
        self.passed = 0
        self.scores = Scores()

    def add(self, case: Case, result: Result) -> None:
        """Count one result."""
        self.cases += 1
        if result.status == "not_evaluated":
            self.not_evaluated += 1
        elif result.score is None:
            self.errors += 1
        else:
            self.scored += 1
            self.passed += bool(result.passed)
            if case.cluster is None:
                self.scores.add(result.score)
            else:
                self.scores.add_in(case.cluster, result.score)

    def merge(self, other: SliceTally) -> None:
        """Take in another part."""
        for name in ("cases", "scored", "not_evaluated", "errors", "passed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.scores.merge(other.scores)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SliceTally):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]  # mutable

"""Cases of several whole expected paths: each evaluator takes the path that is best by its own score."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from ..core.ask import NO_ANSWERS, Questions
from ..core.declare import Declaration, Evaluator, Options
from ..core.pairing.alignments import Alignments, Comparing
from ..core.results import Result
from ..core.types import Case
from ..core.views import path_views
from ..errors import JudgeError, RightcallError

__all__ = ["Branching", "best_path", "questions_on_paths"]


class Branching(Struct):
    """A case of several paths whose results are being found.

    Attributes:
        row: its results, None where they are still to come.
        views: for each way of seeing calls the case with each path taken; the one that fits best comes first.
    """

    case: Case
    row: list[Result | None]
    views: dict[int, list[Alignments]]

    def seen(self, number: int, comparing: Comparing) -> list[Alignments]:
        """The views under the way of that number; see :func:`path_views`."""
        known = self.views.get(number)
        if known is None:
            known = self.views[number] = path_views(self.case, comparing)
        return known


def best_path(
    views: Sequence[Alignments], one: Callable[[Alignments], Result], declaration: Declaration, *, own: bool
) -> tuple[Result, Alignments]:
    """The result of the path under which an evaluator passes, then scores the most; of equal ones the first view.

    What has no score counts as 0. Where it can't be known how good a path is (an error, or a judge that gave no
    judgement), that is the result, unless another path passes.

    Args:
        views: the case with each path taken.
        one: scores one of them.
        declaration: of the evaluator.
        own: whether it is somebody's own: one that needs no expected calls is asked once, since it may be slow.

    Raises:
        RightcallError: that of a path, where none passes.
    """
    best: tuple[Result, Alignments] | None = None
    unknown: tuple[Result, Alignments] | None = None
    problem: RightcallError | None = None
    for seen in views[:1] if own and "expected" not in declaration.inputs else views:
        try:
            result = one(seen)
        except JudgeError:
            raise
        except RightcallError as error:
            problem = problem or error
            continue
        if result.score is None and declaration.kind == "judge":
            unknown = unknown or (result, seen)
        elif best is None or _worth(result) > _worth(best[0]):
            best = result, seen
        if result.passed and result.score == 1.0:
            break  # none is better
    if best is not None and best[0].passed:
        return best
    if problem is not None:
        raise problem
    found = unknown or best
    if found is None:
        raise RuntimeError("no path")  # the reader refuses a case that has none
    return found


def _worth(result: Result) -> tuple[bool, float]:
    return bool(result.passed), result.score or 0.0


def questions_on_paths(
    views: Sequence[Alignments], evaluator: Evaluator, options: Options
) -> list[tuple[int, Questions]]:
    """What is asked about each path, by identity of the case that takes it; after one that is just as expected, nothing.

    Raises:
        RightcallError: the questions about a path can't be stated; scoring says why.
    """
    wanted: list[tuple[int, Questions]] = []
    for seen in views:
        questions = evaluator.questions(seen.case, options)
        wanted.append((id(seen.case), questions))
        as_expected = not questions and seen.case.actual is not None
        if as_expected and evaluator.score(seen.case, seen, NO_ANSWERS, options).score == 1.0:
            break
    return wanted

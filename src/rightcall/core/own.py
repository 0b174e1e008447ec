"""Evaluators of one's own: a function or a class with the decorator, under the protocol of the built-in ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, get_args, overload

from msgspec import Struct

from ..errors import EvaluatorError, OptionError, UnknownNameError
from .ask import NO_QUESTIONS, Answers, Questions
from .declare import Declaration, Evaluator, Input, Options
from .pairing.alignments import Alignments
from .results import Details, Result
from .scoring import scored
from .types import Case

__all__ = ["evaluator"]

Check = Callable[[Case], Any]
_NAME: Final = re.compile(r"[A-Za-z_][\w.-]*")


class _FunctionEvaluator(Struct, frozen=True):
    """A function from a case to a score, a pass, a (score, reason) pair or a Result."""

    declaration: Declaration
    check: Check

    def questions(self, case: Case, options: Options) -> Questions:
        return NO_QUESTIONS

    def score(self, case: Case, alignments: Alignments, answers: Answers, options: Options) -> Result:
        return _as_result(self.check(case), self.declaration, options)

    def __call__(self, case: Case) -> Any:
        """The function itself, unchanged."""
        return self.check(case)


class _ClassEvaluator(Struct, frozen=True):
    """An object with a `score` of the full protocol, and `questions` where it asks."""

    declaration: Declaration
    instance: Any

    def questions(self, case: Case, options: Options) -> Questions:
        ask = getattr(self.instance, "questions", None)
        return NO_QUESTIONS if ask is None else ask(case, options)

    def score(self, case: Case, alignments: Alignments, answers: Answers, options: Options) -> Result:
        return _as_result(self.instance.score(case, alignments, answers, options), self.declaration, options)


def _as_result(answer: Any, declaration: Declaration, options: Options) -> Result:
    if isinstance(answer, Result):
        return answer
    reason = ""
    if isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[1], str):
        answer, reason = answer
    if isinstance(answer, bool):
        reason = reason or ("It holds." if answer else "It does not hold.")
        return scored(declaration, options, int(answer), reason, details=Details())
    if not isinstance(answer, (int, float)):
        raise EvaluatorError(
            f"{declaration.id} gave {answer!r}, which is neither a score, a pass nor a Result"
        )
    return scored(declaration, options, answer, reason or f"Score {answer:.6g}.", details=Details())


def _check(name: str, threshold: float, inputs: tuple[Input, ...]) -> None:
    if not _NAME.fullmatch(name):
        raise OptionError(
            f"{name!r} is no id for an evaluator", field="id", hint="letters, digits, _ - and . only"
        )
    number = isinstance(threshold, (int, float)) and not isinstance(threshold, bool)
    if not number or not 0 <= threshold <= 1:
        raise OptionError(f"{threshold!r} is not a number from 0 to 1", field="threshold")
    for needed in inputs:
        if needed not in get_args(Input):
            raise UnknownNameError("input", str(needed), get_args(Input), field="inputs")


@overload
def evaluator(check: Check, /) -> Evaluator: ...


@overload
def evaluator(
    id: str | None = None,
    /,
    *,
    meaning: str = "",
    threshold: float = 1.0,
    inputs: tuple[Input, ...] = ("actual",),
) -> Callable[[Any], Evaluator]: ...


def evaluator(
    check: Check | str | None = None,
    /,
    *,
    meaning: str = "",
    threshold: float = 1.0,
    inputs: tuple[Input, ...] = ("actual",),
) -> Evaluator | Callable[[Any], Evaluator]:
    """Make an evaluator of a function or a class.

    A function takes a :class:`~rightcall.core.types.Case` and gives a score from 0 to 1, a bool, a
    ``(score, reason)`` pair or a whole Result. A class has ``score(case, alignments, answers, options)``.

    Args:
        check: the id; left out, the name of the function or class is the id.
        meaning: the score in one line; left out, the first line of the docstring.
        threshold: the score at which it passes.
        inputs: what a case must have (``actual``, ``expected``, ``tools``); without, it is not evaluated.

    Example:
        >>> @evaluator(threshold=0.5)
        ... def few_calls(case):
        ...     return 1.0 if len(case.actual) <= 3 else 0.0
    """
    name = check if isinstance(check, str) else None

    def wrap(target: Any) -> Evaluator:
        own: str = name or getattr(target, "__name__", "") or type(target).__name__
        _check(own, threshold, inputs)
        declaration = Declaration(
            id=own,
            meaning=meaning or (target.__doc__ or "").strip().partition("\n")[0],
            threshold=threshold,
            inputs=inputs,
            suites=(),
            cost="your own",
        )
        if isinstance(target, type):
            return _ClassEvaluator(declaration, target())
        if callable(target) and not hasattr(target, "score"):
            return _FunctionEvaluator(declaration, target)
        return _ClassEvaluator(declaration, target)

    return wrap(check) if callable(check) and not isinstance(check, str) else wrap

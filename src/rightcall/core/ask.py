"""What a judge must answer before a case can be scored. Code evaluators ask nothing.

Evaluators never call a judge: they state questions, which are de-duplicated, cached, batched and answered
outside the pure core.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from .types import Case, ToolCall

__all__ = [
    "NO_ANSWERS",
    "NO_QUESTIONS",
    "Answer",
    "Answers",
    "ArgumentAnswer",
    "Judge",
    "Question",
    "Questions",
    "no_questions",
]


class Question(Struct, frozen=True, kw_only=True):
    """Is the actual call equivalent to the expected one?

    Attributes:
        actual, expected: indexes of the pair in its case.
        actual_call, expected_call: the calls as they are seen under the options in force: one name, arguments in
            normal form, and what an option accepts made equal. They travel as data only.
        tool_schema: the JSON Schema of the tool's arguments, where it is known.
        refused: paths of arguments that a matcher of the expected call refused; nobody can overturn that.
    """

    actual: int
    expected: int
    actual_call: ToolCall
    expected_call: ToolCall
    tool_schema: Any = None
    refused: tuple[str, ...] = ()


class ArgumentAnswer(Struct, frozen=True, kw_only=True):
    """How one argument was judged.

    Attributes:
        path: JSON pointer into the arguments.
        probability: that both sides mean the same, in 0..1.
        by: what decided: ``equal``, the id of a parser or a guard, ``features``, ``missing``, ``extra``.
        words: why, for people: ``same day, other format``.
        decided: whether a parser or a guard is sure, so that nobody else need be asked.
    """

    path: str
    probability: float
    by: str
    words: str
    decided: bool = False


class Answer(Struct, frozen=True, kw_only=True):
    """The probability that the two calls are equivalent.

    Attributes:
        probability: in 0..1; None where nobody could say, never 0 for that.
        by: who said so: ``local``, or ``BACKEND:MODEL`` as the backend resolved it.
        arguments: how each argument that is not equal was judged by the local stage.
        not_judged: why a remote judge that was asked gave no judgement, so that the probability is the local
            one; None where it did, or was not asked.
        cost_usd: what asking cost.
        tokens: that it took.
        local: the probability of the local stage where a remote judge's stands instead; None elsewhere.
    """

    probability: float | None
    by: str = "local"
    arguments: tuple[ArgumentAnswer, ...] = ()
    not_judged: str | None = None
    cost_usd: float = 0.0
    tokens: int = 0
    local: float | None = None


Questions = tuple[Question, ...]
Answers = Mapping[tuple[int, int], Answer]
"""Answers by (actual, expected) index."""

NO_QUESTIONS: Questions = ()
NO_ANSWERS: Answers = {}


class Judge(Protocol):
    """Who answers questions."""

    @property
    def name(self) -> str:
        """``local``, or ``BACKEND:MODEL``; part of the signature of a run."""

    def answer(self, questions: Sequence[Question]) -> Sequence[Answer]:
        """An answer for each question, in order. What goes wrong with one question is said in its answer.

        Raises:
            JudgeError: what goes wrong with all of them: no key, a budget that is spent, no network allowed.
        """


def no_questions(case: Case, options: object) -> Questions:
    """The first phase of an evaluator that needs no judge."""
    return NO_QUESTIONS

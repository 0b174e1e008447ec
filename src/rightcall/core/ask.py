"""What a judge must answer before a case can be scored. Code evaluators ask nothing.

Evaluators never call a judge: they state questions, which are de-duplicated, cached, batched and answered
outside the pure core.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from .types import Case, ToolCall

__all__ = ["NO_ANSWERS", "NO_QUESTIONS", "Answer", "Answers", "Question", "Questions", "no_questions"]


class Question(Struct, frozen=True, kw_only=True):
    """Is the actual call equivalent to the expected one?

    Attributes:
        actual, expected: indexes of the pair in its case.
        actual_call, expected_call: the calls themselves; they travel as data only.
        tool_schema: the JSON Schema of the tool's arguments, where it is known.
    """

    actual: int
    expected: int
    actual_call: ToolCall
    expected_call: ToolCall
    tool_schema: Any = None


class Answer(Struct, frozen=True, kw_only=True):
    """The probability that the two calls are equivalent; None is "not judged", never 0."""

    probability: float | None
    note: str | None = None
    cost_usd: float = 0.0


Questions = tuple[Question, ...]
Answers = Mapping[tuple[int, int], Answer]
"""Answers by (actual, expected) index."""

NO_QUESTIONS: Questions = ()
NO_ANSWERS: Answers = {}


def no_questions(case: Case, options: object) -> Questions:
    """The first phase of an evaluator that needs no judge."""
    return NO_QUESTIONS

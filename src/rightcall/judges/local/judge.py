"""The local judge: the probability that two calls are equivalent is the product over their arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Final

from ...core.ask import Answer, ArgumentAnswer, Question
from ...core.paths import join
from ...core.schema.document import without_references
from ...errors import MissingExtraError
from .fields import fields_of
from .values import judge_values
from .verdict import DIFFERS, Verdict

__all__ = ["LocalJudge"]

NO_ARGUMENTS: Final = Answer(probability=1.0)


class LocalJudge:
    """Answers every question by itself, offline.

    Raises:
        MissingExtraError: the libraries of the extra `semantic` are not installed.
    """

    name = "local"

    def __init__(self) -> None:
        try:
            import rapidfuzz  # noqa: F401 - says early what is missing
        except ImportError:
            raise MissingExtraError("tool_call_semantic", "semantic") from None

    def answer(self, questions: Sequence[Question]) -> list[Answer]:
        """An answer for each question, in order; all are judged."""
        return [_answer(question) for question in questions]


def _answer(question: Question) -> Answer:
    expected, actual = question.expected_call.arguments, question.actual_call.arguments
    given = question.tool_schema
    schema = without_references(given) if isinstance(given, Mapping) else None
    tool = question.expected_call.name
    told: list[ArgumentAnswer] = []
    for name, found in fields_of(expected or {}, actual or {}, schema, judge_values, tool):
        path = join("", name)
        verdict = (
            Verdict(DIFFERS, "refused by the matcher", by="matcher") if path in question.refused else found
        )
        told.append(
            ArgumentAnswer(
                path=path,
                probability=verdict.probability,
                by=verdict.by,
                words=verdict.words,
                decided=verdict.decided,
            )
        )
    if not told:
        return NO_ARGUMENTS
    return Answer(probability=prod(each.probability for each in told), arguments=tuple(told))

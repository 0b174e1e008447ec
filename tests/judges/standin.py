"""A local stage for tests of what lies behind it: it says of each pair what the test says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rightcall.core.arguments import Given
from rightcall.core.ask import Answer, ArgumentAnswer, Question
from rightcall.core.types import ToolCall


class StandIn:
    """Leaves everything undecided, unless an argument says otherwise: ``{"local": 0.01}``."""

    name = "local"

    def answer(self, questions: Sequence[Question]) -> list[Answer]:
        return [self._one(each) for each in questions]

    def _one(self, question: Question) -> Answer:
        arguments = question.expected_call.arguments or {}
        chance = arguments.get("local", 0.5)
        told = ArgumentAnswer(
            path="/x", probability=chance, by="features", words="alike", decided="decided" in arguments
        )
        return Answer(probability=chance, arguments=(told,))


def question(expected: Any, actual: Any, *, number: int = 0, tool: str = "book", **fields: Any) -> Question:
    """A question about two calls with these arguments."""
    return Question(
        actual=number,
        expected=number,
        actual_call=ToolCall(name=tool, raw=Given(actual)),
        expected_call=ToolCall(name=tool, raw=Given(expected)),
        **fields,
    )


def questions(count: int) -> list[Question]:
    """Pairs of different numbers that look alike to nobody."""
    return [
        question({"when": f"day {number}"}, {"when": f"the {number}. day"}, number=number)
        for number in range(count)
    ]

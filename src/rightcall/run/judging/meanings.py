"""Meanings for `$semantic`: judged by the local judge, offline."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from ...core.arguments import Given
from ...core.ask import Judge, Question
from ...core.types import ToolCall
from ...errors import ExpectationError, MissingExtraError, install_line
from .judges import LOCAL, judge_of

__all__ = ["means"]

ENOUGH: Final = 0.5
"""The threshold of `tool_call_semantic`."""


def means(wanted: Any, value: Any) -> bool:
    """Whether a value means the same as the wanted one, at least as likely as not.

    Raises:
        ExpectationError: the extra ``semantic`` is not installed.
    """
    asked = Question(actual=0, expected=0, actual_call=_call(value), expected_call=_call(wanted))
    (answer,) = _judge().answer([asked])
    return answer.probability is not None and answer.probability >= ENOUGH


def _call(value: Any) -> ToolCall:
    return ToolCall(name="", raw=Given({"": value}))


@cache
def _judge() -> Judge:
    try:
        return judge_of(LOCAL)
    except MissingExtraError:
        raise ExpectationError(
            "$semantic needs the extra 'semantic'", hint=install_line("semantic")
        ) from None

"""What leaves: a question as plain JSON data, redacted by the user's hook, long values cut with a hash.

Argument text becomes data of the request here and nowhere else; no instruction is ever made of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Struct

from ..core.ask import Question
from ..core.backend import Asked, as_json
from ..core.jsonvalue import same_value
from ..core.paths import join
from ..errors import JudgeError
from .settings import Redact

__all__ = ["Outgoing", "outgoing"]

LONGEST_TEXT: Final = 2_000
"""Characters of a text that travel; of a longer one the start does, with its length and a hash."""
MOST_SIDE: Final = 20_000
"""Bytes of one call's arguments; beyond, long arguments travel as the start of their JSON text with a hash."""
MOST_SCHEMA: Final = 8_000
"""Bytes of a tool's schema; a longer one does not travel."""

NOTHING_LEFT: Final = "redaction left nothing to compare"
NO_JSON: Final = "arguments that JSON can't hold"
_NO_PAIR: Final = Asked(expected={}, actual={})


class Outgoing(Struct, frozen=True):
    """A pair ready to leave, or why it may not."""

    asked: Asked
    held_back: str | None = None


def outgoing(question: Question, redact: Redact | None) -> Outgoing:
    """The pair of a question.

    Raises:
        JudgeError: the redaction hook failed; nothing may leave then.
    """
    expected, actual = question.expected_call.arguments, question.actual_call.arguments
    if expected is None or actual is None:
        return Outgoing(_NO_PAIR, NO_JSON)
    schema = _schema(question.tool_schema, {*expected, *actual})
    sides = [expected, actual]
    if redact is not None:
        sides = [_redacted(side, redact, "") for side in sides]
        schema = _redacted(schema, redact, "/tool_schema")
    name = question.expected_call.name
    try:
        left, right = (_cut_side(side) for side in sides)
        asked = Asked(
            expected={"name": name, "arguments": left},
            actual={"name": name, "arguments": right},
            tool_schema=schema,
        )
        as_json(asked)
    except (TypeError, ValueError, msgspec.MsgspecError):
        return Outgoing(_NO_PAIR, NO_JSON)
    both = expected.keys() & actual.keys()
    if any(_became_equal(expected[key], actual[key], left.get(key), right.get(key)) for key in both):
        return Outgoing(_NO_PAIR, NOTHING_LEFT)
    return Outgoing(asked)


def _became_equal(expected: Any, actual: Any, left: Any, right: Any) -> bool:
    """Whether an argument that differs looks equal as it would travel: nobody could judge it then."""
    return not same_value(expected, actual) and as_json(left) == as_json(right)


def _redacted(value: Any, redact: Redact, path: str) -> Any:
    """The value with every leaf as the hook gives it."""
    if isinstance(value, dict):
        return {key: _redacted(each, redact, join(path, key)) for key, each in value.items()}
    if isinstance(value, list):
        return [_redacted(each, redact, join(path, str(index))) for index, each in enumerate(value)]
    try:
        found = redact(path, value)
        as_json(found)
    except Exception as error:  # noqa: BLE001 - the hook is the user's; what it says may hold the value
        raise JudgeError(
            f"the redaction hook failed ({type(error).__name__}), so nothing was sent", field="redact"
        ) from None
    return found


def _cut_side(arguments: dict[str, Any]) -> dict[str, Any]:
    cut = {key: _mapped(value, _cut_text) for key, value in arguments.items()}
    if len(as_json(cut)) <= MOST_SIDE:
        return cut
    share = MOST_SIDE // max(len(cut), 1)
    kept: dict[str, Any] = {}
    for key, value in cut.items():
        text = as_json(value).decode()
        kept[key] = value if len(text) <= share else _cut_text(text, min(share, LONGEST_TEXT))
    return kept


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: _mapped(each, change) for key, each in value.items()}
    return [_mapped(each, change) for each in value] if isinstance(value, list) else value


def _cut_text(text: str, longest: int = LONGEST_TEXT) -> str:
    """A text, or the start of a long one with a hash of the whole: texts that differ later stay different."""
    if len(text) <= longest:
        return text
    digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]
    return f"{text[:longest]}… [{len(text)} characters in all, sha256 {digest}]"


def _schema(schema: Any, names: set[str]) -> Any:
    """Of a tool's schema the arguments that stand in the calls; None where that is too much, or nothing."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return None
    kept = {name: properties[name] for name in sorted(names) if name in properties}
    try:
        return {"properties": kept} if kept and len(as_json(kept)) <= MOST_SCHEMA else None
    except TypeError:
        return None

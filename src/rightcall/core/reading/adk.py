"""Contents of Google's ADK: parts with function calls, as events and eval sets hold them, in either spelling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Raw, Struct

from ...errors import nearest
from ..nodes import Node, opened, plain
from .conversation import Conversation
from .given import given, value_at
from .shapes import ABSENT

__all__ = [
    "Content",
    "FunctionCall",
    "FunctionResponse",
    "error_of",
    "read_answers",
    "read_parts",
    "text_of_content",
    "warn_of_unknown",
]

_FRAMEWORK_CALLS: Final = frozenset(
    {"adk_request_credential", "adk_request_confirmation", "adk_request_input"}
)
"""Calls that the ADK makes itself to ask the client something: no model made them."""


class FunctionCall(Struct, kw_only=True, gc=False):
    """A call: its arguments may be missing when there are none."""

    id: str | None = None
    name: str | None = None
    args: Raw = ABSENT


class FunctionResponse(Struct, kw_only=True, gc=False):
    """A tool's answer."""

    id: str | None = None
    name: str | None = None
    response: Raw = ABSENT


class _Part(Struct, kw_only=True, gc=False):
    text: str | None = None
    thought: bool | None = None
    functionCall: FunctionCall | None = None  # noqa: N815 - both spellings are in use
    function_call: FunctionCall | None = None
    functionResponse: FunctionResponse | None = None  # noqa: N815
    function_response: FunctionResponse | None = None


class Content(Struct, kw_only=True, gc=False):
    """What was said in one go."""

    role: str | None = None
    parts: list[_Part] | None = None


def text_of_content(content: Content | None) -> str | None:
    """Its joined texts, without thoughts."""
    parts = content.parts if content is not None else None
    texts = [part.text for part in parts or () if part.text and not part.thought]
    return "".join(texts) if texts else None


def read_parts(content: Content, place: str, into: Conversation) -> None:
    """Take the calls and the answers of a content.

    Raises:
        CallError: a call without a name.
    """
    for index, part in enumerate(content.parts or ()):
        call = part.functionCall or part.function_call
        if call is not None:
            field = "function_call" if part.functionCall is None else "functionCall"
            where = f"{place}.parts[{index}].{field}"
            if call.name in _FRAMEWORK_CALLS:
                into.warn(
                    f"{where}: {call.name} is a question of the framework, not a call, and was left out"
                )
            else:
                arguments = call.args
                if arguments is ABSENT:
                    arguments = given(arguments, into, where, "partialArgs", "partial_args")
                into.call(call.name, arguments, place=where, id=call.id)
        answer = part.functionResponse or part.function_response
        if answer is not None:
            read_answers([answer], f"{place}.parts[{index}]", into)
        elif call is None and not part.text:
            where = f"{place}.parts[{index}]"
            warn_of_unknown(value_at(into.origin, where), where, into)


_PARTS: Final = frozenset(
    {"text", "thought", "functionCall", "functionResponse", "inlineData", "fileData", "videoMetadata"}
    | {"executableCode", "codeExecutionResult", "thoughtSignature", "mediaResolution", "partMetadata"}
)
"""Fields of a part, in google-genai's types; their other spelling has underscores."""


def warn_of_unknown(part: Node, place: str, into: Conversation) -> None:
    """Say of a part without text, call and answer what it holds that nobody knows: it may be a call, misspelled."""
    fields = opened(part)
    odd = [key for key in fields if _camel(key) not in _PARTS] if isinstance(fields, Mapping) else []
    if odd:
        names = ", ".join(map(repr, odd[:3]))
        near = nearest(odd[0], _PARTS)
        hint = f" (nearest: {near!r})" if near else ""
        into.warn(f"{place}: a part of an unknown kind, with {names}, was left out{hint}")


def _camel(key: str) -> str:
    first, *others = key.split("_")
    return first + "".join([word.capitalize() for word in others])


def read_answers(answers: Sequence[FunctionResponse], place: str, into: Conversation) -> None:
    """Take the answers of tools."""
    for answer in answers:
        if answer.name not in _FRAMEWORK_CALLS:
            error = error_of(answer.response)
            into.answer(
                answer.response,
                place=place,
                id=answer.id,
                name=answer.name,
                error=error,
                status=None if error is None else "error",
            )


def error_of(response: Node) -> Any:
    """What stands under `error` in a function's response, where google-genai says that errors go; None: none."""
    if isinstance(response, Raw) and b'"error"' not in bytes(response):
        return None
    value = opened(response)
    error = plain(value["error"]) if isinstance(value, dict) and "error" in value else None
    return None if error is False or error == "" else error

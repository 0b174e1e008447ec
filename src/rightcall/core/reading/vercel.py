"""Parts of the Vercel AI SDK (`ai` on npm), versions 4 to 6: tool calls and tool results, read alike everywhere.

Version 4 says `args` and `result` where later ones say `input` and `output`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from msgspec import Raw, Struct, field

from ...errors import CallError
from ..nodes import Node, opened, plain
from .chat import output_of, under
from .conversation import Conversation
from .given import given
from .glance import Glance
from .recording import RecordingReader, named
from .shapes import ABSENT, Shape

__all__ = ["NO_ARGUMENTS", "Part", "StepReader", "calls_of", "first_call", "is_step", "texts_of"]

NO_ARGUMENTS: Final = (
    *("result", "output", "error", "approval", "providerMetadata", "providerOptions", "toolMetadata"),
    *("callProviderMetadata", "resultProviderMetadata", "experimental_providerMetadata"),
)
"""Fields of a call that may hold objects and are no arguments."""
_ERRORS: Final = frozenset({"error-text", "error-json"})


class Part(Struct, kw_only=True, gc=False, rename="camel"):
    """A part of a message or of a step."""

    type: str | None = None
    text: str | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    input: Raw = ABSENT
    args: Raw = ABSENT
    output: Raw = ABSENT
    result: Raw = ABSENT
    error: Raw = ABSENT
    invalid: bool | None = None
    is_error: bool | None = None
    preliminary: bool | None = None


class _Output(Struct, kw_only=True, gc=False, rename="camel"):
    """What a model message says of an answer."""

    type: str | None = None
    value: Raw = ABSENT
    reason: str | None = None


_output = Shape(_Output)


def texts_of(parts: Sequence[Part]) -> str | None:
    """The joined texts of a message."""
    if len(parts) == 1:
        return parts[0].text or None if parts[0].type == "text" else None
    texts = [part.text for part in parts if part.type == "text" and part.text]
    return "".join(texts) if texts else None


def calls_of(parts: Sequence[Part], place: str, into: Conversation, *, wrapped: bool) -> None:
    """Take the calls and the answers among parts; other parts hold none.

    Args:
        parts: the parts of one message or step.
        place: where they stand.
        into: the conversation.
        wrapped: an answer's `output` says its kind (`{type, value}`), as in model messages.

    Raises:
        CallError: a call without a name.
    """
    for index, part in enumerate(parts):
        if part.type == "tool-call":
            _call(part, f"{place}[{index}]", into)
        elif part.type != "text":
            _take(part, f"{place}[{index}]", into, wrapped=wrapped)


def _take(part: Part, place: str, into: Conversation, *, wrapped: bool) -> None:
    if part.type == "tool-call":
        _call(part, place, into)
    elif part.type in ("tool-result", "tool-error") and not part.preliminary:
        _answer(part, place, into, wrapped=wrapped)
    elif part.type not in _NO_CALLS:
        into.warn(f"{place}: a part of the unknown type {part.type!r} was left out")


_NO_CALLS: Final = frozenset(
    {"text", "reasoning", "redacted-reasoning", "reasoning-file", "file", "image", "source", "custom"}
    | {"tool-result", "tool-approval-request", "tool-approval-response"}
)
"""Types of parts that hold no call; a `tool-result` among them is a preliminary one."""


def _call(part: Part, place: str, into: Conversation) -> None:
    arguments = part.args if part.input is ABSENT else part.input
    if arguments is ABSENT:
        arguments = given(arguments, into, place, *NO_ARGUMENTS)
    into.call(
        part.tool_name,
        arguments,
        place=place,
        id=part.tool_call_id,
        error=plain(part.error) if part.invalid else None,
        status="error" if part.invalid else None,
    )


def _answer(part: Part, place: str, into: Conversation, *, wrapped: bool) -> None:
    output: Node = part.result if part.output is ABSENT else part.output
    error: Any = None
    status = "error" if part.type == "tool-error" or part.is_error else None
    if status and part.type == "tool-error":
        error = plain(part.error)
    elif wrapped and part.output is not ABSENT:
        output, error, status = _unwrapped(part.output, under(place, "output"))
    into.answer(output, place=place, id=part.tool_call_id, name=part.tool_name, error=error, status=status)


def _unwrapped(node: Node, place: str) -> tuple[Node, Any, str | None]:
    """Output, error and status out of `{type, value}`."""
    found = _output(node, place)
    if found.type in _ERRORS:
        return None, plain(found.value), "error"
    if found.type == "execution-denied":
        return None, found.reason or "execution denied", "error"
    if found.type == "content":
        return output_of(found.value), None, None
    if found.type in ("text", "json"):
        return found.value, None, None
    raise CallError(f"an output of the unknown kind {found.type!r}", field=place)


class _Step(Struct, kw_only=True, gc=False, rename="camel"):
    """One step: a call of the model and what its tools answered."""

    text: str | None = None
    content: list[Part] | None = None
    tool_calls: list[Part] | None = None
    tool_results: list[Part] | None = None


class _Item(Part, kw_only=True, gc=False, rename="camel"):
    """A result with its steps, one step, or one call: one shape, so that each item is decoded once."""

    steps: list[_Step] | None = None
    content: list[Part] | None = None
    tool_calls: list[Part] | None = None
    tool_results: list[Part] | None = None
    next_turn: Raw = field(default=ABSENT, name="next_turn")
    id: Raw = ABSENT
    case_id: Raw = field(default=ABSENT, name="case_id")
    custom_id: Raw = field(default=ABSENT, name="custom_id")


_item = Shape(_Item)


class StepReader(RecordingReader):
    """Reads results of `generateText`, each with its steps, and steps and calls that stand alone.

    Attributes:
        format: id of the format that it reads.
        version: of the SDK: 4, or 5 for that and later ones.
    """

    version: ClassVar[int] = 5

    def _read(self, item: Node, place: str) -> None:
        value = _item(item, place)
        if value.steps is not None:
            self._result(value, place, self._all.document([item], id=_id_of(value)).at(item, place))
        elif value.type in ("tool-call", "tool-result", "tool-error"):
            _take(value, place, self._all.loose().at(item, place), wrapped=False)
        elif value.content is not None or value.tool_calls is not None or value.tool_results is not None:
            step = _Step(
                text=value.text,
                content=value.content,
                tool_calls=value.tool_calls,
                tool_results=value.tool_results,
            )
            _step(step, place, self._all.loose().at(item, place))
        else:
            raise CallError("neither steps, nor a step, nor a call", field=place)

    def _read_own(self, item: Node, place: str) -> bool:
        value = _item.attempt(item)
        calls = [call for step in value.steps or () for call in step.tool_calls or ()] if value else []
        if value is None or not calls or any((call.args is ABSENT) is (self.version == 4) for call in calls):
            return False
        self._result(value, place, self._all.document([item], id=_id_of(value)).at(item, place))
        return True

    def _result(self, value: _Item, place: str, into: Conversation) -> None:
        into.user()
        for index, step in enumerate(value.steps or ()):
            _step(step, f"{under(place, 'steps')}[{index}]", into)
        into.say(value.text or None)
        if opened(value.next_turn) is not None:
            where = under(place, "next_turn")
            self._result(_item(value.next_turn, where), where, into.at(value.next_turn, where))


def _id_of(value: _Item) -> str | None:
    return named(value.case_id, value.custom_id, value.id)


def _step(step: _Step, place: str, into: Conversation) -> None:
    into.message()
    content = step.content or []
    into.say(step.text or texts_of(content))
    told = any(part.type == "tool-call" for part in content)
    # `content` tells in order what `toolCalls` and `toolResults` pick out of it.
    if not told:
        for index, part in enumerate(content):
            if part.type not in _NO_CALLS and part.type != "tool-error":
                _take(part, f"{under(place, 'content')}[{index}]", into, wrapped=False)
    lists = {"content": content} if told else {"toolCalls": step.tool_calls, "toolResults": step.tool_results}
    for name, parts in lists.items():
        for part in parts or ():
            part.type = part.type or ("tool-call" if name == "toolCalls" else "tool-result")
        calls_of(parts or (), under(place, name), into, wrapped=False)


def is_step(value: Any) -> bool:
    """Whether an opened object has a step's own fields; the last step of most results only says something."""
    if not isinstance(value, dict) or "role" in value:
        return False
    return all(isinstance(opened(value.get(key)), list | tuple) for key in ("toolCalls", "toolResults"))


def first_call(glance: Glance) -> Glance | None:
    """The first call in a result, in a step, or the item itself where it is one."""
    if glance.at("type") in ("tool-call", "tool-result") and "toolCallId" in glance.keys:
        return glance
    if "role" in glance.keys:
        return None
    steps = [Glance(step) for step in glance.each("steps")] if "steps" in glance.keys else [glance]
    for step in steps:
        for name in ("toolCalls", "content", "toolResults"):
            for part in step.each(name):
                found = Glance(part)
                if "toolCallId" in found.keys and "toolName" in found.keys:
                    return found
    return None

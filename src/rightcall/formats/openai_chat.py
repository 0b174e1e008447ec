"""openai_chat: calls as OpenAI's Chat Completions write them, alone, in a message, or in a conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from ..core.arguments import read_arguments
from ..core.callfields import ARGUMENT_KEYS, read_call
from ..core.jsonvalue import same_value
from ..core.nodes import Node, kind_of, opened, plain
from ..core.reader import Evidence, FormatDeclaration
from ..core.types import ToolCall, Trace
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="openai_chat",
    meaning="OpenAI Chat Completions: a call, an assistant message, or a list of messages",
    detected_by="an object with a `function` object, or a message with a `role`",
    name_at="tool_calls[].function.name",
    arguments_at="tool_calls[].function.arguments: JSON text or an object",
    id_at="tool_calls[].id",
    result_at="the later message of role `tool` with that tool_call_id",
    group_at="the entries of one tool_calls list",
    cannot_carry="times and spans",
    example='{"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", '
    '"function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Oslo\\"}"}}]}',
)

_SILENT_ROLES: Final = frozenset({"user", "system", "developer", "human"})
_TEXT_PARTS: Final = frozenset(
    {"text", "refusal", "input_text", "output_text", "image_url", "input_audio", "file"}
)


def detect(item: Any) -> Evidence | None:
    """By a `function` object inside, or by a message's `role`."""
    if not isinstance(item, dict):
        return None
    if "role" in item and isinstance(opened(item["role"]), str):
        return Evidence(8, "a message with a role")
    if "tool_calls" in item:
        return Evidence(8, "a message with tool_calls")
    if "function" in item and not isinstance(opened(item["function"]), str):
        return Evidence(9, "a `function` object inside")
    return None


def read(items: Sequence[Node], places: Sequence[str]) -> Trace:
    """The calls of some items, each a call or a message; outputs are joined to their calls by id."""
    reading = _Reading()
    for item, place in zip(items, places, strict=True):
        value = opened(item)
        if not isinstance(value, dict):
            raise CallError(f"{kind_of(value)} where a call or message should be", field=place)
        if "role" in value or "tool_calls" in value:
            reading.message(value, place)
        else:
            reading.calls.append(_read_call(value, place))
    return reading.trace()


class _Reading:
    """What has been read of a conversation so far."""

    def __init__(self) -> None:
        self.calls: list[ToolCall] = []
        self.text: str | None = None
        self.warnings: list[str] = []
        self._turn = -1
        self._messages = 0
        self._outputs: dict[int, Any] = {}  # by place in `calls`
        self._by_id: dict[str, list[int]] = {}

    def message(self, message: Mapping[str, Node], place: str) -> None:
        role = opened(message.get("role", "assistant"))
        if role in _SILENT_ROLES:
            _check_parts(message, place)
            if opened(message.get("tool_calls")):
                raise CallError(
                    f"a message of role {role} with tool_calls", field=f"{place}.tool_calls".lstrip(".")
                )
            self._turn += role in ("user", "human")
        elif role in ("tool", "function"):
            self._tool_message(message)
        elif role == "assistant":
            self._assistant(message, place)
        else:
            raise CallError(f"a message of the unknown role {role!r}", field=place)

    def _tool_message(self, message: Mapping[str, Node]) -> None:
        reference = opened(message.get("tool_call_id"))
        if isinstance(reference, str) and reference:
            # An id that was used again is answered call by call, the latest first.
            for place in reversed(self._by_id.get(reference, [])):
                if place not in self._outputs:
                    self._outputs[place] = plain(message.get("content"))
                    break

    def _assistant(self, message: Mapping[str, Node], place: str) -> None:
        _check_parts(message, place)
        content = plain(message.get("content"))
        if isinstance(content, str):
            self.text = content
        entries = opened(message.get("tool_calls"))
        if entries is None:
            stray = next((key for key in ARGUMENT_KEYS if opened(message.get(key)) is not None), None)
            if stray is not None:
                error = f"a message that holds {stray!r} but no tool_calls"
                raise CallError(
                    error, field=place, hint="give a call without a role, or a message with tool_calls"
                )
            if opened(message.get("function_call")) is not None:
                raise CallError(
                    "the legacy function_call form is not there yet", field=f"{place}.function_call"
                )
            return
        if not isinstance(entries, list):
            raise CallError(f"tool_calls is {kind_of(entries)}, not a list", field=f"{place}.tool_calls")
        self._messages += 1
        group = f"message {self._messages}" if len(entries) > 1 else None
        for index, entry in enumerate(entries):
            where = f"{place}.tool_calls[{index}]" if place else f"tool_calls[{index}]"
            call = _read_call(opened(entry), where)
            turn = self._turn if self._turn >= 0 else None
            self._take(msgspec.structs.replace(call, group=call.group or group, turn=turn), where)

    def _take(self, call: ToolCall, place: str) -> None:
        """Histories repeat themselves: the same id, name and arguments seen again is one call."""
        if call.id:
            earlier = self._by_id.setdefault(call.id, [])
            if any(
                self.calls[known].name == call.name and _same(self.calls[known], call) for known in earlier
            ):
                return
            if earlier:
                self.warnings.append(f"{place}: the id {call.id!r} was used before for another call")
            earlier.append(len(self.calls))
        self.calls.append(call)

    def trace(self) -> Trace:
        calls = [
            msgspec.structs.replace(call, output=self._outputs[place])
            if place in self._outputs and call.output is None
            else call
            for place, call in enumerate(self.calls)
        ]
        return Trace(
            calls=tuple(calls),
            text=self.text,
            format=DECLARATION.id,
            warnings=tuple(dict.fromkeys(self.warnings)),
        )


def _same(a: ToolCall, b: ToolCall) -> bool:
    left, right = read_arguments(a.raw), read_arguments(b.raw)
    # Only readable arguments that differ make it another call.
    return left.value is None or right.value is None or same_value(left.value, right.value)


def _check_parts(message: Mapping[str, Node], place: str) -> None:
    """Content made of parts must be text; a part of another format could be a call that would be lost."""
    parts = opened(message.get("content"))
    if not isinstance(parts, list):
        return
    for index, part in enumerate(parts):
        value = opened(part)
        kind = opened(value.get("type")) if isinstance(value, dict) else None
        if not isinstance(value, str) and kind not in _TEXT_PARTS:
            seen = f"a part of type {kind!r}" if kind is not None else kind_of(value)
            raise CallError(
                f"{seen} in a message's content belongs to a format that is not there yet",
                field=f"{place}.content[{index}]".lstrip("."),
            )


def _read_call(item: Any, place: str) -> ToolCall:
    if not isinstance(item, dict):
        raise CallError(f"{kind_of(item)} where a call should be", field=place)
    if "function" not in item:
        return read_call(item, place)
    function = opened(item["function"])
    if isinstance(function, str):
        return read_call(item, place)
    if function is None:
        raise CallError("a call without a name (its function is null)", field=place)
    if not isinstance(function, dict):
        raise CallError(f"function is {kind_of(function)}, not an object", field=place)
    return read_call(item, place, inner=function)

"""The message of a model in whatever form a tracer kept it: LangChain's, OpenAI's, or Anthropic's blocks."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Raw, Struct

from ...errors import CallError
from ..nodes import Node, is_text, kind_of, opened
from .fragments import Fragments
from .langchunks import ChunkShape
from .shapes import ABSENT, Shape
from .spanparts import Asked, asked

__all__ = ["MessageShape", "ModelMessage", "message_in", "message_of"]


class _Function(Struct, kw_only=True, gc=False):
    name: str | None = None
    arguments: Raw = ABSENT


class _Call(Struct, kw_only=True, gc=False):
    """LangChain's `name` and `args`, or OpenAI's `function`."""

    name: str | None = None
    args: Raw = ABSENT
    arguments: Raw = ABSENT
    id: str | int | None = None
    function: _Function | None = None


class _Extra(Struct, kw_only=True, gc=False):
    tool_calls: list[_Call] | None = None


class _Block(Struct, kw_only=True, gc=False):
    type: str | None = None
    id: str | int | None = None
    name: str | None = None
    input: Raw = ABSENT
    text: Raw = ABSENT


class _Bare(Struct, kw_only=True, gc=False):
    type: str | None = None
    role: str | None = None
    content: Raw = ABSENT
    tool_calls: list[_Call] | None = None
    invalid_tool_calls: list[_Call] | None = None
    tool_call_chunks: list[ChunkShape] | None = None
    additional_kwargs: _Extra | None = None
    function_call: _Function | None = None
    tool_call_id: str | int | None = None
    name: str | None = None
    status: str | None = None


class MessageShape(_Bare, kw_only=True, gc=False):
    """A message, or LangChain's wrappers around one."""

    id: str | list[Raw] | int | None = None
    kwargs: _Bare | None = None
    data: _Bare | None = None


_message = Shape(MessageShape)
_block = Shape(_Block)

_ROLES: Final = {
    **dict.fromkeys(("human", "user", "HumanMessage", "HumanMessageChunk"), "user"),
    **dict.fromkeys(("ai", "assistant", "model", "AIMessage", "AIMessageChunk"), "assistant"),
    **dict.fromkeys(("tool", "function", "ToolMessage", "FunctionMessage"), "tool"),
}


class ModelMessage(Struct, gc=False):
    """One message, opened.

    Attributes:
        value: what was decoded of it.
        place: where it stands, for errors.
        role: ``user``, ``assistant``, ``tool`` or None for any other.
        content: the same as it was recorded.
        id, name, status: a tool's message: the call that it answers, the tool, how that went.
    """

    value: _Bare
    place: str
    role: str | None
    content: Node
    id: str | int | None
    name: str | None
    status: str | None

    @property
    def text(self) -> str | None:
        """What it says; decoded when asked for, since most of a history is never asked."""
        return _text_of(self.content)

    def calls(self) -> list[Asked]:
        """The calls that it asks for, each once although some forms write it twice.

        Raises:
            CallError: one has no name.
        """
        value, place = self.value, self.place
        entries = value.tool_calls or (
            value.additional_kwargs.tool_calls if value.additional_kwargs else None
        )
        calls = [_called(call, f"{place}.tool_calls[{index}]") for index, call in enumerate(entries or ())]
        for index, call in enumerate(value.invalid_tool_calls or ()):
            calls.append(_called(call, f"{place}.invalid_tool_calls[{index}]"))
        if value.function_call is not None:
            function = value.function_call
            calls.append(asked(function.name, function.arguments, None, f"{place}.function_call"))
        if not calls and value.tool_call_chunks:
            return _joined(value.tool_call_chunks, f"{place}.tool_call_chunks")
        if not calls and not is_text(value.content):
            blocks = opened(value.content)
            for index, node in enumerate(blocks if isinstance(blocks, list | tuple) else ()):
                where = f"{place}.content[{index}]"
                if isinstance(opened(node), dict):
                    block = _block(node, where)
                    if block.type == "tool_use":
                        calls.append(asked(block.name, block.input, block.id, where))
        return calls

    def odd_blocks(self) -> list[str]:
        """Blocks that look like calls and are of no kind that is read, each in words."""
        if is_text(self.value.content):
            return []
        blocks = opened(self.value.content)
        found = []
        for index, node in enumerate(blocks if isinstance(blocks, list | tuple) else ()):
            block = opened(node)
            kind = opened(block.get("type")) if isinstance(block, dict) else None
            if isinstance(block, dict) and kind != "tool_use" and "name" in block and "input" in block:
                found.append(
                    f"{self.place}.content[{index}]: a block of the unknown type {kind!r} was left out"
                )
        return found


def message_of(node: Node, place: str) -> ModelMessage:
    """A message in any form; LangChain's constructors and wrapped dicts are unwrapped.

    Raises:
        CallError: it is no object, or a known field is of another kind.
    """
    return message_in(_message(node, place), place)


def message_in(value: MessageShape, place: str) -> ModelMessage:
    """The message that a decoded one holds.

    Raises:
        CallError: its kind is no text.
    """
    role: Any = value.role or value.type
    if value.kwargs is not None:
        if isinstance(value.id, list) and value.id:
            role = opened(value.id[-1])
        value, place = value.kwargs, f"{place}.kwargs"  # type: ignore[assignment]
    elif value.data is not None:
        value, place = value.data, f"{place}.data"  # type: ignore[assignment]
    if role is not None and not isinstance(role, str):
        raise CallError(f"the kind of a message is {kind_of(role)}, not a text", field=place)
    kind = _ROLES.get(role or "")
    return ModelMessage(value, place, kind, value.content, value.tool_call_id, value.name, value.status)


def _joined(chunks: list[ChunkShape], place: str) -> list[Asked]:
    """The calls of a streamed message that holds nothing but their fragments."""
    odd: list[str] = []
    fragments = Fragments(odd.append)
    for index, chunk in enumerate(chunks):
        fragments.add(chunk.index, chunk.id, chunk.name, chunk.args, f"{place}[{index}]")
    return [asked(*call) for call in fragments.joined()]


def _called(call: _Call, place: str) -> Asked:
    if call.function is not None:
        return asked(call.function.name, call.function.arguments, call.id, place)
    return asked(call.name, call.args if call.arguments is ABSENT else call.arguments, call.id, place)


def _text_of(content: Node) -> str | None:
    """A text, or the texts among blocks of several kinds."""
    blocks = opened(content)
    if type(blocks) is str or isinstance(blocks, str):
        return blocks or None
    if not isinstance(blocks, list | tuple):
        return None
    texts = []
    for node in blocks:
        block = opened(node)
        text = opened(block["text"]) if isinstance(block, dict) and "text" in block else block
        if isinstance(text, str):
            texts.append(text)
    return "".join(texts) if texts else None

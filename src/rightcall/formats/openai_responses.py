"""openai_responses: OpenAI's Responses: items of type `function_call` and what answers them; streamed events too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Raw, Struct

from ..core.nodes import Node, opened, plain
from ..core.reading.callfields import read_call
from ..core.reading.chat import MOST_TAKEN, Content, offer, output_of, text_of_content, there, under
from ..core.reading.conversation import Conversation
from ..core.reading.format import MARKED, SHAPED, SHARED, WOULD_DO, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.recording import RecordingReader, named
from ..core.reading.shapes import ABSENT, Shape
from ..core.reading.telling import AGENT_ROLES, looks_plain
from ..core.types import Trace
from ..errors import CallError

DECLARATION = FormatDeclaration(
    id="openai_responses",
    meaning="OpenAI Responses: items, a request, a response, lines of a batch, streamed events; an mcp_call, which the "
    "provider runs itself, is a call too",
    detected_by="items of type `function_call`, `function_call_output` and the like; `object: response`; "
    "events whose type begins with `response.`",
    name_at="name of an item of type function_call, custom_tool_call or mcp_call",
    arguments_at="arguments: JSON text; of a custom_tool_call the free text under `input`, read as the argument "
    "`input` with a warning",
    id_at="call_id; of an mcp_call its id",
    result_at="the item function_call_output (or custom_tool_call_output) with that call_id: `output`; of an mcp_call "
    "its own output and error",
    group_at="calls with no output and no message between them",
    turn_at="message items of role `user`",
    cannot_carry="times, whether a function call failed; built-in tools (web_search_call, file_search_call, "
    "code_interpreter_call, computer_call and so on) have no name and arguments and are left out with a warning",
    example='[{"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "get_weather", '
    '"arguments": "{\\"city\\": \\"Oslo\\"}"}, '
    '{"type": "function_call_output", "call_id": "call_1", "output": "7 degrees"}]',
    keys=frozenset({"type", "role", "input", "output", "items", "object", "request", "response", "body"}),
    source="OpenAI API reference, responses and their streaming events",
)

_CALLS: Final = frozenset({"function_call", "custom_tool_call", "mcp_call"})
_OUTPUTS: Final = frozenset({"function_call_output", "custom_tool_call_output"})
_BUILT_IN: Final = frozenset(
    {"web_search_call", "file_search_call", "code_interpreter_call", "computer_call", "image_generation_call"}
    | {"local_shell_call", "shell_call", "apply_patch_call", "tool_search_call"}
)
_SILENT: Final = frozenset(
    {"reasoning", "item_reference", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response"}
    | {"compaction", "compaction_summary", "compaction_trigger"}
)
"""Items that hold no call; what a request for approval names comes once more as an mcp_call, if it was approved."""
_NOT_OURS: Final = frozenset({"tool_call"})
"""Types that end as ours do, and are LangChain's or nobody's."""
_ENDS: Final = frozenset({"response.completed", "response.incomplete", "response.failed", "response.done"})


class _Entry(Struct, kw_only=True, gc=False):
    """An item of a conversation."""

    type: str | None = None
    role: str | None = None
    content: Content = None
    call_id: str | None = None
    id: str | int | None = None
    name: str | None = None
    arguments: Raw = ABSENT
    input: Content = None
    output: Content = None
    error: Raw = ABSENT
    status: str | None = None
    tool_calls: Raw = ABSENT
    parts: Raw = ABSENT


class _Item(_Entry, kw_only=True, gc=False):
    """An item, or what holds items: one shape, so that each item is decoded once."""

    object: str | None = None
    items: list[Raw] | None = None
    tools: Raw = ABSENT
    request: Raw = ABSENT
    response: Raw = ABSENT
    body: Raw = ABSENT
    case_id: Raw = ABSENT
    custom_id: Raw = ABSENT
    conversation: Raw = ABSENT
    previous_response_id: str | None = None
    item: Raw = ABSENT
    item_id: str | None = None
    delta: Raw = ABSENT


_entry = Shape(_Entry)
_item = Shape(_Item)


class Reader(RecordingReader):
    """Loose items and events are one recording, each request or response is one of its own."""

    format = DECLARATION.id

    def __init__(self) -> None:
        super().__init__()
        self._in_calls = False
        self._responses: dict[str, Conversation] = {}
        self._open: dict[str, tuple[_Entry, list[str]]] = {}  # calls of a stream that are not done
        self._streamed: Any = None  # the response that is streamed: its id, or what stands for it

    def traces(self) -> list[Trace]:
        """What was read, a trace for each recording; a stream that ended inside a call keeps what came of it."""
        for item_id, (entry, pieces) in self._open.items():
            into = self._all.loose()
            into.warn(f"the stream ends inside the call {item_id}")
            into.call(entry.name, "".join(pieces), place=f"item {item_id}", id=entry.call_id or entry.id)
        self._open = {}
        return super().traces()

    def _read(self, item: Node, place: str) -> None:
        value = _item(item, place)
        if value.type is not None and value.type.startswith("response."):
            self._event(value, place)
        else:
            self._whole(value, item, place, None, None)

    def _read_own(self, item: Node, place: str) -> bool:
        """Read an item that nobody could claim with more right."""
        value = _item.attempt(item)
        if value is None or value.tool_calls is not ABSENT or value.parts is not ABSENT:
            return False
        kind = value.type
        if kind is None:
            listed = value.items or value.output or value.input
            if value.role is not None or not isinstance(listed, list):
                return False
            if value.object != "response" and not _has_calls(listed):
                return False
            if memoryview(item).nbytes > MOST_TAKEN:
                return False
            self._whole(value, item, place, None, None)
        elif kind in _CALLS or kind in _OUTPUTS or kind == "message":
            self._one(value, item, place, self._all.loose())
        elif kind.startswith("response."):
            self._event(value, place)
        else:
            return False
        return True

    def _whole(self, value: _Item, item: Node, place: str, into: Conversation | None, id: str | None) -> None:
        own = named(value.case_id, value.custom_id) or id
        if value.type is None and value.role is None:
            if there(value.request):
                self._pair(value, place, own)
                return
            for field in ("response", "body"):
                held = getattr(value, field)
                if there(held):
                    where = under(place, field)
                    self._whole(_item(held, where), held, where, into, own)
                    return
            if value.items is not None or value.input is not None or value.output is not None:
                self._document(value, item, place, into, own)
                return
        self._one(value, item, place, into or self._all.loose())

    def _pair(self, value: _Item, place: str, id: str | None) -> None:
        where = under(place, "request")
        request = _item(value.request, where)
        if there(request.body):
            where = under(where, "body")
            request = _item(request.body, where)
        into = self._document(request, value.request, where, None, id or named(value.id))
        if there(value.response):
            where = under(place, "response")
            self._whole(_item(value.response, where), value.response, where, into, None)

    def _document(
        self, value: _Item, item: Node, place: str, into: Conversation | None, id: str | None
    ) -> Conversation:
        told = value.items if value.items is not None else value.input
        messages: Sequence[Node] = told if isinstance(told, list) else [item]
        own = id or named(value.case_id, value.custom_id, _conversation_id(value.conversation), value.id)
        before = self._responses.get(value.previous_response_id or "")
        if into is None and before is not None:
            before.news()  # it goes on without its history
        into = into or before or self._all.document(messages, id=own)
        if value.id is not None:
            self._responses[str(value.id)] = into
        offer(into, value.tools, under(place, "tools"))
        self._in_calls = False
        if isinstance(told, str):
            into.user(told)
        elif told is not None:
            self._list(told, under(place, "items" if value.items is not None else "input"), into)
        if value.output is not None:
            # All items in order tell what was said; the output tells some of them again.
            self._in_calls = False
            if value.items is not None:
                into.again()
            else:
                into.source(object())  # no part of the history before it
            self._list(value.output, under(place, "output"), into, calls_only=value.items is not None)
        return into

    def _list(self, items: Content, place: str, into: Conversation, *, calls_only: bool = False) -> None:
        if not isinstance(items, list):
            raise CallError("items where a list should be", field=place)
        for index, node in enumerate(items):
            where = f"{place}[{index}]"
            entry = _entry(node, where)
            if not calls_only or entry.type in _CALLS:
                self._one(entry, node, where, into)

    def _one(self, value: _Entry, node: Node, place: str, into: Conversation) -> None:
        kind = value.type
        if kind == "function_call":
            self._call(value, node, place, into)
        elif kind in _OUTPUTS:
            self._in_calls = False
            into.answer(output_of(value.output), place=place, id=value.call_id)
        elif kind == "message" or (kind is None and value.role is not None):
            self._message(value, place, into)
        elif kind in _CALLS:
            self._call(value, node, place, into)
        elif kind is None:
            raise CallError("an item without a type and a role", field=place)
        elif kind in _SILENT or kind.startswith("mcp_approval") or kind.endswith("_call_output"):
            return
        elif kind.endswith("_call"):
            into.warn(f"{place}: a call of the built-in or unknown kind {kind!r} was left out")
        else:
            into.warn(f"{place}: an item of the unknown type {kind!r} was left out")

    def _call(self, value: _Entry, node: Node, place: str, into: Conversation) -> None:
        if not self._in_calls:
            into.message()
        self._in_calls = True
        if value.type == "custom_tool_call":
            if into.call(value.name, {"input": plain(value.input)}, place=place, id=value.call_id):
                into.warn(f"{place}: a custom tool's free text is read as the argument 'input'")
            return
        arguments: Any = value.arguments
        if arguments is ABSENT:
            # The rule about misspelled fields looks at what else is there.
            arguments = read_call(_without(opened(node), "call_id", "output", "error"), place).raw
        if value.type == "mcp_call":
            error = plain(value.error) if there(value.error) else None
            failed = error is not None or value.status == "failed"
            into.call(
                value.name,
                arguments,
                place=place,
                id=value.id,
                output=output_of(value.output),
                error=error,
                status="error" if failed else None,
            )
        else:
            into.call(value.name, arguments, place=place, id=value.call_id or value.id)

    def _message(self, value: _Entry, place: str, into: Conversation) -> None:
        self._in_calls = False
        if there(value.tool_calls):
            raise CallError("tool_calls belong to another format", field=under(place, "tool_calls"))
        text = text_of_content(value.content, place)
        if value.role == "user":
            into.user(text)
        elif value.role == "assistant":
            into.say(text or None)
        elif value.role not in AGENT_ROLES:
            raise CallError(f"a message of the unknown role {value.role!r}", field=place)

    def _event(self, value: _Item, place: str) -> None:
        """An event of a stream; what is added comes once more when it is done, and when all is."""
        into = self._all.loose()
        kind = value.type
        if kind == "response.created":
            self._in_calls = False
            own = _item(value.response, under(place, "response")).id if there(value.response) else None
            self._begin(into, object() if own is None else own)
        elif kind == "response.output_item.added" and there(value.item):
            entry = _entry(value.item, under(place, "item"))
            if entry.type in _CALLS and entry.id is not None:
                self._open[str(entry.id)] = (entry, [])
        elif kind == "response.function_call_arguments.delta" and value.item_id in self._open:
            piece = opened(value.delta)
            if not isinstance(piece, str):
                raise CallError("a fragment of arguments that is no text", field=under(place, "delta"))
            self._open[value.item_id][1].append(piece)
        elif kind == "response.output_item.done" and there(value.item):
            where = under(place, "item")
            entry = _entry(value.item, where)
            self._open.pop(str(entry.id or ""), None)
            if self._streamed is None:
                self._begin(into, object())
            self._one(entry, value.item, where, into)
        elif kind in _ENDS and there(value.response):
            where = under(place, "response")
            response = _item(value.response, where)
            offer(into, response.tools, under(where, "tools"))
            if isinstance(response.output, list) and response.output:
                self._open = {}
                # All that was done comes once more.
                if self._streamed is None:
                    self._streamed = object() if response.id is None else response.id
                self._begin(into, self._streamed)
                self._list(response.output, under(where, "output"), into)
            self._begin(into, None)

    def _begin(self, into: Conversation, own: Any) -> None:
        """What comes now is part of this response."""
        self._streamed = own
        into.source(own)


def _has_calls(items: Sequence[Node]) -> bool:
    """Whether one of the first items is a call, which nobody else writes so."""
    first = (_entry.attempt(item) for item in items[:12])
    return any(entry is not None and (entry.type in _CALLS or entry.type in _OUTPUTS) for entry in first)


def _conversation_id(node: Node) -> str | None:
    value = opened(node)
    if isinstance(value, dict):
        value = opened(value.get("id"))
    return value if isinstance(value, str) else None


def _without(fields: Any, *keys: str) -> dict[str, Node]:
    return {key: node for key, node in fields.items() if key not in keys}


def detect(glance: Glance) -> Evidence | None:
    """By the types of items, `object: response`, or events."""
    kind = glance.at("type") if "type" in glance.keys else None
    if isinstance(kind, str):
        return _by_type(kind, glance)
    if glance.at("object") == "response":
        return Evidence(MARKED, "object: response")
    for field in ("items", "output", "input"):
        for item in glance.each(field) if field in glance.keys else ():
            seen = Glance(item)
            found = _by_type(seen.at("type"), seen) if isinstance(seen.at("type"), str) else None
            if found is not None and found.strength >= SHAPED:
                return Evidence(SHAPED + 1, f"{found.seen} under {field}")
    for field in ("response", "body", "request"):
        held = glance.at(field) if field in glance.keys else None
        if isinstance(held, dict) and ("role" not in held):
            found = detect(Glance(held))
            if found is not None and found.strength >= SHAPED:
                return found
    if "role" in glance.keys and looks_plain(glance, AGENT_ROLES):
        return Evidence(WOULD_DO, "a message with a role")
    return None


def _by_type(kind: str, glance: Glance) -> Evidence | None:
    if kind.startswith("response.") and glance.keys & {
        "response",
        "item",
        "delta",
        "item_id",
        "sequence_number",
    }:
        return Evidence(MARKED, f"the event {kind}")
    if kind in _OUTPUTS or kind in _BUILT_IN or (kind in _SILENT and kind != "reasoning"):
        return Evidence(SHAPED, f"an item of type {kind}")
    if (kind in _CALLS and "name" in glance.keys) or (kind == "reasoning" and "summary" in glance.keys):
        return Evidence(SHAPED, f"an item of type {kind}")
    if kind.endswith(("_call", "_call_output")) and kind not in _CALLS and kind not in _NOT_OURS:
        # Among items it is one of a kind that is not known yet; alone it could be a plain call as well.
        return Evidence(SHARED, f"an item of the unknown type {kind}")
    if kind == "message" and "role" in glance.keys and "stop_reason" not in glance.keys:
        parts = {Glance(part).word("type") for part in glance.each("content", most=1)}
        if parts & {"input_text", "output_text", "refusal", "input_image", "input_file"}:
            return Evidence(SHAPED, "a message item with typed text")
        if parts <= {"text", "image_url"}:
            return Evidence(WOULD_DO + 2, "a message item")
    return None

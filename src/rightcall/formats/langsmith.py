"""langsmith: the runs of LangSmith traces, one after the other or nested in their parents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import UNSET, MsgspecError, Raw, Struct, UnsetType
from msgspec.json import Decoder

from ..core.nodes import Node, is_text, kept, opened, plain
from ..core.reading.callfields import arguments_in
from ..core.reading.format import MARKED, SHAPED, Evidence, FormatDeclaration, Taken
from ..core.reading.given import value_at
from ..core.reading.glance import Glance
from ..core.reading.literals import arguments_of_text
from ..core.reading.modelmessages import MessageShape, ModelMessage, message_in, message_of
from ..core.reading.moments import Moment, nanoseconds
from ..core.reading.recording import list_of
from ..core.reading.shapes import ABSENT, Shape
from ..core.reading.spancalls import Recordings
from ..core.reading.spanparts import Asked, Done, Model, Recording, asked
from ..core.types import Trace
from ..errors import CallError, DataError

DECLARATION = FormatDeclaration(
    id="langsmith",
    meaning="LangSmith runs: a list of the runs of one or more traces, or a root run with its child_runs",
    detected_by="`run_type` with `trace_id` or `dotted_order`",
    name_at="tool runs: name; llm runs: tool_calls[].name of the message in outputs",
    arguments_at="tool runs: inputs, an object, or JSON or a Python dict's repr in inputs.input; llm runs: args",
    id_at="tool runs: outputs.output.tool_call_id; llm runs: tool_calls[].id",
    result_at="tool runs: outputs.output, of a tool's message its content; error, status",
    group_at="the tool_calls of one llm run's message",
    turn_at="users' messages that are new in the inputs of llm runs, else of the root run",
    cannot_carry="the call's id of a tool run whose output is no message: it is joined by name and arguments",
    example='[{"id": "r1", "trace_id": "r1", "run_type": "tool", "name": "get_weather", '
    '"dotted_order": "20260105T080000000000Zr1", "inputs": {"city": "Oslo"}, "outputs": {"output": "4 degrees"}}]',
    keys=frozenset({"run_type", "runs"}),
    source="LangSmith documentation: run data format",
)


class _Run(Struct, kw_only=True, gc=False):
    id: Any = None
    trace_id: Any = None
    parent_run_id: Any = None
    name: str | None = None
    run_type: str | None = None
    start_time: Any = None
    end_time: Any = None
    status: str | None = None
    error: Any = None
    inputs: Raw = ABSENT
    outputs: Raw = ABSENT
    dotted_order: str | None = None
    extra: Raw = ABSENT
    child_runs: list[Raw] | None = None
    runs: list[Raw] | None = None


class _Generation(Struct, kw_only=True, gc=False):
    message: MessageShape | None = None


class _Outputs(Struct, kw_only=True, gc=False):
    """What LangChain records of a model, or a chat completion."""

    generations: list[list[_Generation]] | UnsetType = UNSET
    choices: list[_Generation] | UnsetType = UNSET


class _ToolOutputs(Struct, kw_only=True, gc=False):
    output: Raw


class _OneInput(Struct, kw_only=True, gc=False, forbid_unknown_fields=True):
    input: Raw


class _Inputs(Struct, kw_only=True, gc=False):
    messages: list[list[MessageShape]]


class _ChatInputs(Struct, kw_only=True, gc=False):
    messages: Raw


class _Metadata(Struct, kw_only=True, gc=False):
    thread_id: Raw = ABSENT
    conversation_id: Raw = ABSENT
    session_id: Raw = ABSENT


class _Extra(Struct, kw_only=True, gc=False):
    metadata: _Metadata | None = None


_run = Shape(_Run)
_outputs = Shape(_Outputs)
_tool_outputs = Shape(_ToolOutputs)
_one_input = Shape(_OneInput)
_inputs = Shape(_Inputs)
_chat_inputs = Shape(_ChatInputs)
_extra = Shape(_Extra)
_decode_messages = Decoder(list[MessageShape]).decode
_LAST_STEP: Final = re.compile(r"(\d{8}T\d{6})(\d{1,6})Z", re.ASCII)
_DEEPEST: Final = 200
_NO_METADATA: Final = _Metadata()
_EVIDENCE: Final = Evidence(MARKED, "run_type with trace_id or dotted_order")


def detect(glance: Glance) -> Evidence | None:
    """By a run's kind beside the ids of its trace."""
    if isinstance(glance.at("run_type"), str):
        if "dotted_order" in glance.keys or "trace_id" in glance.keys:
            return _EVIDENCE
        if "inputs" in glance.keys or "child_runs" in glance.keys:
            return Evidence(SHAPED, "run_type with inputs")
    first = next(glance.each("runs", most=1), None)
    if first is not None and "run_type" in first:
        return Evidence(MARKED, "runs with a run_type")
    return None


class Reader:
    """Joins the runs of tools with the models' requests; threads join traces."""

    def __init__(self) -> None:
        self._all = Recordings()

    def feed(self, item: Node, place: str) -> None:
        """Take one more run, with the runs inside it.

        Raises:
            CallError: a call without a name, or a field of another kind than it should be.
        """
        self._all.place = place
        self._read(item, place, None, 0)

    def take(self, item: Node, place: str) -> bool:
        """Read a run that nobody could claim with more right."""
        run = _run.attempt(item)
        if run is None or not _is_run(run):
            return False
        self._all.place = place
        self._take(run, place, None, 0)
        return True

    def take_list(self, items: Raw, place: str) -> Taken | None:
        """Runs, if each is one."""
        runs = list_of(_run, items, _is_run)
        if runs is None:
            return None
        for index, run in enumerate(runs):
            self._take(run, f"{place}[{index}]", None, 0)
        return Taken(len(runs), _EVIDENCE)

    def traces(self) -> list[Trace]:
        """A trace for each thread, or for each trace that is part of none."""
        return self._all.traces(DECLARATION.id)

    def _read(self, item: Node, place: str, trace: str | None, level: int) -> None:
        if level > _DEEPEST:
            raise CallError(f"runs nested more than {_DEEPEST} levels deep", field=place)
        self._take(_run(item, place), place, trace, level)

    def _take(self, run: _Run, place: str, trace: str | None, level: int) -> None:
        for index, inner in enumerate(run.runs or ()):
            self._read(inner, f"{place}.runs[{index}]", trace, level + 1)
        own = _word(run.trace_id) or _word(run.id) if trace is None else trace
        if run.run_type is not None:
            into = self._all.of(own)
            _note_thread(run, into)
            if run.run_type == "llm":
                _read_model(run, into, self._all, place)
            elif run.run_type == "tool":
                into.done.append(_done(run, place))
            elif trace is None and _word(run.parent_run_id) is None:
                _note_root(run, into, place)
        for index, inner in enumerate(run.child_runs or ()):
            self._read(inner, f"{place}.child_runs[{index}]", own, level + 1)


def _is_run(run: _Run) -> bool:
    return run.run_type is not None and run.dotted_order is not None


def _word(node: Node) -> str | None:
    """An id as text; the SDK's own are UUID objects."""
    if type(node) is str:
        return node or None
    value = opened(node)
    return None if value is None or value == "" or isinstance(value, dict | list) else str(value)


def _fields(node: Node) -> Mapping[str, Node]:
    value = opened(node)
    return value if isinstance(value, Mapping) else {}


def _note_thread(run: _Run, into: Recording) -> None:
    if into.session is None and run.extra is not ABSENT:
        extra = _extra.attempt(run.extra)
        if extra is not None and (extra.metadata is None or extra.metadata == _NO_METADATA):
            return
        metadata = _fields(_fields(run.extra).get("metadata"))
        for key in ("thread_id", "conversation_id", "session_id"):
            if key in metadata and into.session is None:
                into.session = _word(metadata[key])


def _moments(run: _Run) -> tuple[Moment | None, Moment | None]:
    order = run.dotted_order or ""
    start = None if run.start_time is None else nanoseconds(_time(run.start_time))
    if start is None and order:
        step = _LAST_STEP.match(order, order.rfind(".") + 1)
        if step is not None:
            start = nanoseconds(f"{step[1]}.{step[2]:0<6}+00:00")
    end = None if run.end_time is None else nanoseconds(_time(run.end_time))
    if start is None:
        return ((0, order), (0, order)) if order else (None, None)
    return (start, order), (start if end is None else end, order)


def _time(value: Any) -> str | int | float | None:
    return value if value is None or isinstance(value, str | int | float) else str(value)


# Models -----------------------------------------------------------------------------------------------------------


def _read_model(run: _Run, into: Recording, all: Recordings, place: str) -> None:
    when, ended = _moments(run)
    model = Model(when=when, ended=ended, span_id=_word(run.id), parent=_word(run.parent_run_id))
    if not _read_chat(run, model, into, all, place):
        try:
            _read_told(_told(run, place), model, into, all)
        except DataError as error:
            into.warnings.append(f"messages to the model were left out: {error}")
    messages = []
    for message in _said(run, place):
        calls = message.calls()
        if calls:
            for call in calls:
                if type(call.raw) is Raw and call.raw == ABSENT:
                    _look_closer(call, run, place)
            messages.append(tuple(calls))
        else:
            into.warnings += message.odd_blocks()
        model.text = message.text or model.text
    model.messages = tuple(messages)
    into.tell(model, len(into.unnamed))


def _look_closer(call: Asked, run: _Run, place: str) -> None:
    """See whether a call that seems to have no arguments has them under another name.

    Raises:
        CallError: an unknown field may hold them.
    """
    fields = value_at((run.outputs, f"{place}.outputs"), call.place)
    inner = opened(fields["function"]) if isinstance(fields, Mapping) and "function" in fields else fields
    if isinstance(inner, Mapping):
        call.raw = arguments_in(inner, call.place)


def _read_told(messages: Iterable[ModelMessage], model: Model, into: Recording, all: Recordings) -> None:
    users = list(model.users)
    try:
        for message in messages:
            model.ends_with_user = message.role == "user"
            if model.ends_with_user and not _only_results(message):
                users.append(all.number(message.text))
            elif message.role == "tool" and message.id is not None:
                into.answer(message.id, message.name, message.content)
    finally:
        model.users = tuple(users)


def _read_chat(run: _Run, model: Model, into: Recording, all: Recordings, place: str) -> bool:
    """Read messages that are a list; of those that the request before told already, nothing. False: look closer."""
    text = _messages_in(run.inputs)
    if text is None:
        return False
    rest = all.history.rest(into, text)
    try:
        read = _decode_messages(text if rest is None else rest) if rest != b"" else []
        messages = [message_in(value, place) for value in read]
    except (MsgspecError, UnicodeDecodeError, RecursionError, DataError):
        return False
    if rest is not None:
        model.users, model.ends_with_user = all.history.users, all.history.ends_with_user
    _read_told(messages, model, into, all)
    all.history.keep(into, text, model.users, ends_with_user=model.ends_with_user)
    return True


def _messages_in(inputs: Node) -> bytes | None:
    """The list of messages in a model's inputs, as it was recorded.

    Where it is the first field, it is taken without a look at its end: what follows it then is no JSON list.
    """
    if type(inputs) is not Raw:
        return None
    view = memoryview(inputs)
    if bytes(view[: len(_FIRST_FIELD)]) == _FIRST_FIELD and bytes(view[-2:]) == b"]}":
        return bytes(view[len(_FIRST_FIELD) - 1 : -1])
    found = _chat_inputs.attempt(inputs)
    return None if found is None else bytes(found.messages)


_FIRST_FIELD: Final = b'{"messages":['


def _only_results(message: ModelMessage) -> bool:
    """Anthropic's way: a message of the user that holds nothing but tools' results."""
    if is_text(message.content):
        return False
    blocks = opened(message.content)
    if not isinstance(blocks, list | tuple) or not blocks:
        return False
    return all(opened(_fields(block).get("type")) == "tool_result" for block in blocks)


def _told(run: _Run, place: str) -> Iterator[ModelMessage]:
    quickly = _inputs.attempt(run.inputs)
    if quickly is not None:
        if len(quickly.messages) == 1:  # LangChain: a batch of one
            for index, value in enumerate(quickly.messages[0]):
                yield message_in(value, f"{place}.inputs.messages[0][{index}]")
        return
    messages = opened(_fields(run.inputs).get("messages"))
    if isinstance(messages, list | tuple) and len(messages) == 1:
        inner = opened(messages[0])
        messages = inner if isinstance(inner, list | tuple) else messages
    for index, node in enumerate(messages if isinstance(messages, list | tuple) else ()):
        if isinstance(opened(node), Mapping):
            yield message_of(node, f"{place}.inputs.messages[{index}]")


def _said(run: _Run, place: str) -> Iterable[ModelMessage]:
    """The messages that a model gave: LangChain's generations, a chat completion, or a message."""
    where = f"{place}.outputs"
    quickly = _outputs.attempt(run.outputs)
    if quickly is None or (quickly.generations is UNSET and quickly.choices is UNSET):
        return _said_otherwise(run, where)
    answers, key = quickly.choices or [], "choices"
    if quickly.generations is not UNSET:
        answers, key = [answer for batch in quickly.generations[:1] for answer in batch], "generations[0]"
    # The first of several answers is the one that happened.
    message = answers[0].message if answers else None
    return () if message is None else [message_in(message, f"{where}.{key}[0].message")]


def _said_otherwise(run: _Run, where: str) -> Iterator[ModelMessage]:
    outputs = _fields(run.outputs)
    for key in ("generations", "choices"):
        if key in outputs:
            yield from _held(outputs[key], f"{where}.{key}", 0)
            return
    for key in ("message", "output", "messages"):
        value = opened(outputs.get(key))
        if isinstance(value, Mapping):
            yield message_of(outputs[key], f"{where}.{key}")
            return
        if isinstance(value, list | tuple):
            yield from _listed(value, f"{where}.{key}")
            return
    if not {"role", "content", "tool_calls", "kwargs"}.isdisjoint(outputs):
        yield message_of(run.outputs, where)


def _held(node: Node, place: str, level: int) -> Iterator[ModelMessage]:
    """The `message` of each entry; only the first of several answers to one prompt happened."""
    entries = opened(node)
    for index, entry in enumerate(entries[:1] if isinstance(entries, list | tuple) else ()):
        value = opened(entry)
        if isinstance(value, list | tuple) and level == 0:
            yield from _held(entry, f"{place}[{index}]", 1)
        elif isinstance(value, Mapping) and isinstance(opened(value.get("message")), Mapping):
            yield message_of(value["message"], f"{place}[{index}].message")


def _listed(items: Any, place: str) -> Iterator[ModelMessage]:
    """Messages in a list, or the items of an OpenAI response, where calls stand beside messages."""
    calls = []
    for index, node in enumerate(items):
        fields = _fields(node)
        if opened(fields.get("type")) == "function_call":
            call = {"name": fields.get("name"), "args": fields.get("arguments"), "id": fields.get("call_id")}
            calls.append({key: plain(value) for key, value in call.items()})
        elif fields:
            yield message_of(node, f"{place}[{index}]")
    if calls:
        yield message_of({"role": "assistant", "tool_calls": calls}, place)


# Tools and roots --------------------------------------------------------------------------------------------------


def _done(run: _Run, place: str) -> Done:
    when, ended = _moments(run)
    quickly = _tool_outputs.attempt(run.outputs)
    outputs: Any = quickly or _fields(run.outputs)
    output = quickly.output if quickly else outputs.get("output", run.outputs if outputs else None)
    own, status = None, None
    value = None if is_text(output) else opened(output)
    if value is None and not is_text(output):
        output = None
    elif isinstance(value, Mapping):
        message = message_of(output, f"{place}.outputs.output")
        if message.id is not None or message.role == "tool":
            own, status, output = message.id, message.status, message.content
    error = plain(run.error)
    failed = bool(error) or run.status == "error" or status == "error"
    call = asked(run.name, _arguments(run), own, place)
    return Done(
        name=call.name,
        raw=call.raw,
        id=call.id,
        when=when,
        place=place,
        span_id=_word(run.id),
        parent=_word(run.parent_run_id),
        ended=ended,
        output=None if error and not outputs else kept(output),
        error=error or None,
        status="error" if failed else run.status,
    )


def _arguments(run: _Run) -> Any:
    """A tool's inputs: an object, or one text under `input` that holds it."""
    inputs: Node = run.inputs
    alone = None
    if type(inputs) is Raw and _MAY_BE_ALONE.match(memoryview(inputs)):
        alone = _one_input.attempt(inputs)
    node: Node = None if alone is None else alone.input
    if type(inputs) is not Raw:
        fields = _fields(inputs)
        node = fields.get("input") if len(fields) == 1 else None
    if node is not None:
        text = opened(node)
        if isinstance(text, str) and text.lstrip()[:1] == "{":
            return arguments_of_text(text)
    return run.inputs


_MAY_BE_ALONE: Final = re.compile(rb'\s*\{\s*"(input"|[^"]*\\)')
"""The first field is `input`, or has a name with a backslash."""


def _note_root(run: _Run, into: Recording, place: str) -> None:
    """What the outermost run was asked and answered, for models that recorded no messages."""
    try:
        for message in _told(run, place):
            if message.role == "user":
                into.asked_first = message.text or into.asked_first
        outputs = _fields(run.outputs)
        for message in _listed(_list(outputs.get("messages")), f"{place}.outputs.messages"):
            if message.role == "assistant":
                into.said_last = message.text or into.said_last
    except DataError:
        return  # a root may hold anything; calls are read elsewhere
    for key in ("input", "question", "query"):
        text = opened(_fields(run.inputs).get(key))
        if into.asked_first is None and isinstance(text, str):
            into.asked_first = text
    for key in ("output", "answer"):
        text = opened(outputs.get(key))
        if into.said_last is None and isinstance(text, str):
            into.said_last = text


def _list(node: Node) -> Any:
    value = opened(node)
    return value if isinstance(value, list | tuple) else ()

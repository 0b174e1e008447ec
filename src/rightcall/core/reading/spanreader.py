"""One reader for all formats of spans, since one file holds the spans of several libraries: each span tells its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Final

from msgspec import Raw, Struct

from ...errors import CallError
from ..nodes import Node, opened
from ..types import Trace
from .format import Evidence, Taken
from .genai import read_genai
from .glance import Glance
from .openinference import read_openinference, read_uipath, read_uipath_run
from .spancalls import Recordings
from .spans import Span, listed_runs, listed_spans, spans_of, try_spans_of
from .vercelspans import is_vercels, read_vercel

__all__ = ["SPAN_KEYS", "Marks", "SpanReader", "marks"]

SPAN_KEYS: Final = frozenset(
    {"resourceSpans", "resource_spans", "scopeSpans", "scope_spans", "spans", "attributes", "span_kind"}
    | {"attributes.openinference.span.kind", "attributes.llm.output_messages", "context.span_id"}
)


class Marks(Struct, frozen=True):
    """Whose words stand in the attributes of an item's spans; all of them False where nobody's do."""

    genai: bool = False
    openinference: bool = False
    uipath: bool = False
    tool_name: bool = False


class SpanReader:
    """Reads spans of all known conventions, in any order, over any number of items.

    Attributes:
        format: id of the format that it is read as.
        reads_family: one recording may hold spans of several libraries, in any order.
    """

    format: ClassVar[str]
    reads_family: ClassVar[bool] = True

    def __init__(self) -> None:
        self._all = Recordings()

    def feed(self, item: Node, place: str) -> None:
        """Take one more item: a span, or what holds spans.

        Raises:
            CallError: something in it can't be read without guessing; the field says where.
        """
        self._all.place = place
        self._read(spans_of(item, place), place)

    def take(self, item: Node, place: str) -> bool:
        """Read an item that surely holds spans, without asking whose they are."""
        spans = try_spans_of(item, place)
        if spans is None:
            return False
        self._all.place = place
        self._read(spans, place)
        return True

    def take_list(self, items: Raw, place: str) -> Taken | None:
        """Read a list of spans, if each item surely is one and the first shows whose they are."""
        spans = listed_spans(items, place)
        evidence = self.evidence(spans[0]) if spans else None
        if spans is None or evidence is None:
            return None
        self._read(spans, place)
        return Taken(len(spans), evidence)

    def take_runs(self, items: Raw, place: str) -> int:
        """Read a list of UiPath's spans, if each is one of the usual form; how many there are, 0 for none."""
        if _MODELS in bytes(memoryview(items)[:_EARLY]):
            return 0  # other words stand among these, as where models are recorded too
        runs = listed_runs(items, place)
        for span, told in runs or ():
            read_uipath_run(span, told, self._all.of(span.trace))
        return len(runs or ())

    def evidence(self, span: Span) -> Evidence | None:
        """What detection says of a list that begins with this span; None: it must be asked."""
        return None

    def traces(self) -> list[Trace]:
        """A trace for each conversation, or for each trace id that is part of none."""
        return self._all.traces(self.format)

    def _read(self, spans: Iterable[Span], place: str) -> None:
        try:
            for span in spans:
                fields = span.fields
                if "span_type" in fields or "tool.synthesized" in fields:
                    read_uipath(span, self._all.of(span.trace))
                elif "openinference.span.kind" in fields or span.kind in _KINDS:
                    read_openinference(span, self._all.of(span.trace), self._all)
                elif is_vercels(fields):
                    read_vercel(span, self._all.of(span.trace), self._all)
                elif "gen_ai.operation.name" in fields:
                    read_genai(span, self._all.of(span.trace), self._all)
                elif fields:
                    self._unmarked(span)
        except RecursionError:
            raise CallError("nested too deep", field=place) from None

    def _unmarked(self, span: Span) -> None:
        """A span without the attribute that its convention asks for, or of no convention that tells of calls."""
        for key in span.fields:
            if key.startswith("gen_ai."):
                read_genai(span, self._all.of(span.trace), self._all)
                return
            if key.startswith("llm."):
                read_openinference(span, self._all.of(span.trace), self._all)
                return
        if "tool.name" in span.fields:
            read_uipath(span, self._all.of(span.trace))


_KINDS: Final = frozenset({"LLM", "TOOL", "AGENT", "CHAIN"})
_WINDOW: Final = 1 << 20
_EARLY: Final = 1 << 14
_MODELS: Final = b'"llm.'


def marks(glance: Glance) -> Marks | None:
    """Whose spans an item holds; None if it holds no spans at all."""
    if not isinstance(glance.value, Mapping):
        return None
    holder = next((key for key in _HOLDERS if key in glance.keys), None)
    if holder is None and not ("attributes" in glance.keys or any(key in glance.keys for key in _COLUMNS)):
        return None
    if holder == "attributes" and not isinstance(glance.at("attributes"), Mapping | list | tuple):
        return None
    found = _found(glance.node if isinstance(glance.node, Raw) else glance.value)
    if found != Marks() or _is_span(glance, holder):
        return found
    return None


_HOLDERS: Final = ("resourceSpans", "resource_spans", "scopeSpans", "scope_spans", "spans", "attributes")
_COLUMNS: Final = ("attributes.openinference.span.kind", "attributes.llm.output_messages")
_IDS: Final = ("traceId", "trace_id", "spanId", "span_id", "context", "startTimeUnixNano", "start_time")


def _is_span(glance: Glance, holder: str | None) -> bool:
    """Whether it has the look of spans although nobody's words stand in it."""
    if holder in ("attributes", None):
        return any(key in glance.keys for key in _IDS)
    if holder == "spans":
        first = next(glance.each("spans", most=1), None)
        return first is not None and "attributes" in first
    return isinstance(glance.at(holder or ""), list | tuple)


def _found(node: Node) -> Marks:
    """Whose words are the keys in it, looked for without decoding: a key is no escaped quote in a text."""
    seen: set[str] = set()
    for stretch in _stretches(node, 0):
        for name, words in _WORDS.items():
            if name not in seen and any(_has_key(stretch, word) for word in words):
                seen.add(name)
        if seen - {"tool_name"}:
            break
    return Marks(**dict.fromkeys(seen, True))


_WORDS: Final = {
    "genai": (
        b'"gen_ai.',
        b'"gen_ai":',
        b'"ai.operationId"',
        b'"ai.toolCall.',
        b'"ai.response.toolCalls"',
        b'"ai":',
    ),
    "openinference": (
        b'"openinference.span.kind"',
        b'"attributes.openinference.',
        b'"llm.',
        b'"openinference":',
        b'"attributes.llm.',
    ),
    "uipath": (b'"span_type"', b'"tool.synthesized"'),
    "tool_name": (b'"tool.name"',),
}


def _has_key(stretch: bytes, word: bytes) -> bool:
    at = stretch.find(word)
    while at > 0 and stretch[at - 1] == _BACKSLASH:
        at = stretch.find(word, at + 1)
    return at >= 0


_BACKSLASH: Final = ord("\\")


def _stretches(node: Node, level: int) -> Iterator[bytes]:
    """JSON text of it in stretches that overlap; of Python values their keys (and an attribute list's) as such text."""
    if isinstance(node, Raw):
        view = memoryview(node)
        for start in range(0, len(view) or 1, _WINDOW):
            yield bytes(view[max(0, start - 64) : start + _WINDOW])
    elif level < 12 and isinstance(node, Mapping):
        keys = [str(key) for key in node]
        if isinstance(node.get("key"), str):
            keys.append(node["key"])
        yield b" " + " ".join(f'"{key}":' for key in keys).encode(errors="replace")
        for child in node.values():
            yield from _stretches(child, level + 1)
    elif level < 12 and isinstance(node, list | tuple):
        for child in node[:_MOST]:
            yield from _stretches(child, level + 1)
    elif level < 12 and not isinstance(node, str | int | float | None):
        value = opened(node)
        if value is not node:
            yield from _stretches(value, level + 1)


_MOST: Final = 1000

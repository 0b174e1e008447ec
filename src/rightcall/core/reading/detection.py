"""Which format an item is in, told by structure; items that only their neighbours can tell wait for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Raw, Struct
from msgspec.structs import replace

from ...errors import CallError, DataError, FormatError, nearest
from ..jsonvalue import show
from ..nodes import Node, kind_of, opened
from ..types import ToolCall, Trace
from .callfields import ARGUMENT_KEYS
from .conversation import join_traces, same_call
from .format import MARKED, SHAPED, SHARED, Evidence, Format, FormatDeclaration, Reader, Taken
from .glance import TEXT_KEYS, Glance
from .opendocs import OpenDocuments
from .recording import RecordingReader
from .strangers import stranger

__all__ = ["Formats", "Sorting", "Told"]

_PREFERRED = ("openai_chat", "plain")
"""Where formats fit equally well and read the same calls, these are named first."""


_RESPONDING = frozenset({"response", "choices", "message"})


class Told(Struct, frozen=True):
    """What detection says of a file: its runs of items of one format, each with what else would fit."""

    format: str
    evidence: Evidence | None
    places: tuple[str, ...]
    items: int
    runners_up: tuple[tuple[str, Evidence], ...] = ()


class Formats:
    """The known formats, asked by the fields that an item has.

    Args:
        formats: all of them.
    """

    def __init__(self, formats: Iterable[Format]) -> None:
        self._all = {member.declaration.id: member for member in formats}
        self._asked: dict[frozenset[str] | type, tuple[Format, ...]] = {}

    def get(self, name: str) -> Format:
        """The format called `name`."""
        return self._all[name]

    def fits(self, glance: Glance) -> dict[str, Evidence]:
        """Every format that the item fits, with the evidence."""
        if isinstance(glance.value, ToolCall):
            return {"plain": Evidence(MARKED, "a ToolCall")}
        found: dict[str, Evidence] = {}
        for member in self._candidates(glance):
            evidence = member.detect(glance)
            if evidence is not None:
                found[member.declaration.id] = evidence
        return found

    def _candidates(self, glance: Glance) -> tuple[Format, ...]:
        key = glance.keys or type(glance.value)
        if key not in self._asked:
            if len(self._asked) > 1000:
                self._asked.clear()
            self._asked[key] = tuple(
                member for member in self._all.values() if _is_asked(member.declaration, glance)
            )
        return self._asked[key]

    def nearest_to(self, glance: Glance) -> str:
        """The format whose fields are spelled most like those of an item that fits none; in words."""
        if not glance.keys:
            return "a format is told with --format"
        shares: list[tuple[int, str]] = []
        for name, member in self._all.items():
            keys = member.declaration.keys
            near = sum(1 for key in glance.keys if key in keys or nearest(key, keys) is not None)
            shares.append((-near, name))
        best = min(shares)
        return f"nearest: {best[1]}" if best[0] else f"known: {', '.join(sorted(self._all))}"


class Sorting:
    """Feeds items to readers: neighbours of one format go to one reader, so that a conversation keeps its context.

    Args:
        formats: those to choose from.
        named: the format that was asked for; None tells it by structure.
        problems: where errors are put, so that one item costs no other; None raises them.
    """

    def __init__(
        self, formats: Formats, named: str | None = None, *, problems: list[DataError] | None = None
    ) -> None:
        self._problems = problems
        self._formats = formats
        self._named = named
        self._chosen: str | None = None
        self._reader: Reader | None = None
        self._take: Callable[[Node, str], bool] | None = None
        self._surely: Callable[[Node], Node | None] | None = None
        self._waiting: list[tuple[Node, str]] = []
        self._best: dict[str, Evidence] = {}
        self._places: list[str] = []
        self._items = 0
        self._quotes: list[tuple[Node, str]] | None = (
            None  # a conversation whose calls stand in its texts so far
        )
        self._begun: str | None = None  # where the reader of a named format began
        self._last: tuple[str, Evidence] | None = None
        self._traces: list[Trace] = []
        self._kept: list[tuple[Reader, str | None]] = []  # readers of runs that ended, and where these began
        self._open = OpenDocuments()  # of all readers, since runs of other formats may lie between
        self.told: list[Told] = []

    def feed(self, item: Node, place: str) -> None:
        """Take one more item.

        Raises:
            FormatError: no format fits it.
            CallError: it can't be read without guessing.
        """
        try:
            if self._take is not None and self._take(item, place):
                self._items += 1
                self._hold(item, place)
            elif self._surely is None or not self._wait_surely(item, place):
                self._feed(item, place)
        except DataError as error:
            self.fail(error)

    def feed_list(self, items: Raw, place: str) -> bool:
        """Read a list that is a recording of its own, if it is surely in the format of the last one.

        Files hold such lists a line each, and to tell each of them anew costs more than to read it. False, and nothing
        read, leaves its items to :meth:`feed`, which also tells what is wrong with them.
        """
        self.end()
        if self._named is not None or self._last is None:
            return False
        name, before = self._last
        reader = self._formats.get(name).reader()
        take_list = getattr(reader, "take_list", None)
        try:
            taken: Taken | None = None if take_list is None else take_list(items, place)
        except DataError:
            return False
        if taken is None or taken.evidence.strength < max(SHAPED, before.strength):
            return False
        self._keep(reader, place)
        places = tuple([f"{place}[{index}]" for index in range(min(taken.items, 3))])
        self.told.append(Told(name, taken.evidence, places, taken.items))
        self._last = name, taken.evidence
        return True

    def fail(self, error: DataError) -> None:
        """An item could not be read: what it belongs to is told to be broken, or else the error stands by itself.

        Raises:
            DataError: the error, where errors are not collected.
        """
        if self._problems is None:
            raise error
        broken = getattr(self._reader, "broken", None)
        if broken is None or not broken(str(error)):
            self._problems.append(error)

    def _feed(self, item: Node, place: str) -> None:
        if self._named is not None:
            if self._reader is None:
                self._reader = self._formats.get(self._named).reader()
                self._begun = place
            self._reader.feed(item, place)
            return
        glance = Glance(item)
        if self._chosen is not None and self._is_like(self._chosen, glance):
            self._read(item, place)
            return
        if self._chosen is None and not self._waiting and self._last is not None:
            # The next of many recordings in one file mostly looks like the one before.
            name, told = self._last
            own = self._formats.get(name).detect(glance)
            alike = own is not None and own.strength >= max(SHAPED, told.strength)
            if own is not None and alike and not self._may_speak(name, glance):
                self._best, self._waiting = {name: own}, [(item, place)]
                self._choose(name)
                return
        fits = self._formats.fits(glance)
        if not fits:
            raise _unknown(glance, place, self._formats)
        if "role" in glance.keys and all(evidence.strength < SHARED for evidence in fits.values()):
            _refuse_stray(glance, place)
        if self._chosen is not None:
            if self._stays(self._chosen, fits, glance):
                self._read(item, place)
                return
            if self._only_quoted(self._quotes, item, place, fits):
                return
            self._end_run()
        self._wait(item, place, fits)

    def _wait_surely(self, item: Node, place: str) -> bool:
        """Let an item wait that is surely of the format that those before it are in; False says nothing."""
        assert self._surely is not None  # noqa: S101 - it is asked only then
        taken = self._surely(item)
        if taken is None:
            return False
        if not self._waiting and self._last is not None:
            self._best = dict([self._last])
        self._waiting.append((taken, place))
        return True

    def _look_for_more(self, fits: Mapping[str, Evidence]) -> None:
        """See to it that more of what fits so far is told at a glance, if one format fits it better than all others."""
        first, *others = _ranked(fits)
        member = self._formats.get(first[0])
        if first[1] == member.sure and all(other[1].strength < first[1].strength for other in others):
            self._surely = member.surely

    def _is_like(self, chosen: str, glance: Glance) -> bool:
        """Whether an item shows as clearly what told the run's format before: then nobody else need be asked."""
        own, told = self._formats.get(chosen).detect(glance), self._best.get(chosen)
        alike = own is not None and told is not None and own.strength >= max(SHAPED, told.strength)
        return alike and not self._may_speak(chosen, glance)

    def _stays(self, chosen: str, fits: Mapping[str, Evidence], glance: Glance) -> bool:
        """Whether an item belongs to the run that is being read: nobody else claims it with more right."""
        own = fits.get(chosen)
        if _stands_alone(glance.value) and getattr(self._reader, "calling", False):
            # In a conversation with real calls a text mentions some.
            fits = {name: fit for name, fit in fits.items() if name == chosen or not self._is_text(name)}
            weak = all(fit.strength < SHARED for fit in fits.values())
            if own is None and weak and self._tried(chosen, [(glance.node, "")]) is not None:
                return True
        family = self._formats.get(chosen).declaration.family
        if own is None:
            best = max([evidence.strength for evidence in fits.values()])
            return getattr(self._reader, "reads_family", False) and all(
                self._formats.get(name).declaration.family == family
                for name, evidence in fits.items()
                if evidence.strength == best
            )
        return all(
            # What would do for many, such as a user's message, begins no run of its own.
            evidence.strength <= max(own.strength, SHARED - 1)
            or (family and family == self._formats.get(name).declaration.family)
            for name, evidence in fits.items()
        )

    def _wait(self, item: Node, place: str, fits: Mapping[str, Evidence]) -> None:
        """Keep an item until its run is told; a run is what one format at least fits all through."""
        self._surely = None
        if self._waiting:
            common = {
                name: max(evidence, fits[name], key=lambda found: found.strength)
                for name, evidence in self._best.items()
                if name in fits
            }
            if not common or not _goes_on(self._best, fits, common):
                quoting = self._is_text(_ranked(self._best)[0][0])
                if quoting and self._only_quoted(self._waiting, item, place, fits):
                    return
                self._end_run()
            else:
                self._best = common
        if not self._waiting:
            self._best = dict(fits)
        self._waiting.append((item, place))
        if max([evidence.strength for evidence in self._best.values()]) < SHAPED:
            self._look_for_more(self._best)
            return
        first, *others = _ranked(self._best)
        if first[1].strength >= SHAPED and all(other[1].strength < first[1].strength for other in others):
            self._choose(first[0])

    def _choose(self, name: str) -> None:
        self._chosen, self._surely = name, None
        self._reader = self._formats.get(name).reader()
        self._follow(self._reader)
        self._take = getattr(self._reader, "take", None)
        self._quotes = [] if self._is_text(name) else None
        waiting, self._waiting = self._waiting, []
        for item, place in waiting:
            self._read(item, place)

    def _read(self, item: Node, place: str) -> None:
        assert self._reader is not None  # noqa: S101 - a format was chosen
        self._items += 1
        if len(self._places) < 3:
            self._places.append(place)
        self._hold(item, place)
        self._reader.feed(item, place)

    def _may_speak(self, chosen: str, glance: Glance) -> bool:
        """Whether a response, whose own words say nothing of its calls, may hold them in its text."""
        return not (glance.keys.isdisjoint(_RESPONDING) or self._is_text(chosen)) and bool(glance.spoken)

    def _is_text(self, name: str) -> bool:
        return self._formats.get(name).declaration.text

    def _hold(self, item: Node, place: str) -> None:
        """Keep a message of a conversation of text calls: a real call, if one comes, makes those texts."""
        if self._quotes is not None and _stands_alone(opened(item)):
            self._quotes.append((item, place))
        else:
            self._quotes = None

    def _only_quoted(
        self, held: Sequence[tuple[Node, str]] | None, item: Node, place: str, fits: Mapping[str, Evidence]
    ) -> bool:
        """Read a conversation anew whose texts held calls, if this item of it is a real call in some format.

        Text that merely mentions a call is no call (contract 3), and where calls have fields of their own, texts do.
        """
        if not held or not all([_stands_alone(opened(before)) for before, _ in held]):  # noqa: C419 - faster
            return False
        for name, evidence in _ranked(fits):
            if evidence.strength < SHARED or self._is_text(name):
                continue
            calls = self._tried(name, [(item, place)])
            reader = None if calls is None else self._tried(name, [*held, (item, place)])
            if calls is None or reader is None or not any(trace.calls for trace in calls.traces()):
                continue
            self._chosen, self._reader, self._best = name, reader, {name: evidence}
            self._follow(reader)
            self._take, self._surely = getattr(reader, "take", None), None
            self._items, self._places = len(held) + 1, [where for _, where in [*held, (item, place)]][:3]
            self._waiting, self._quotes = [], None
            return True
        return False

    def _tried(self, name: str, items: Sequence[tuple[Node, str]]) -> Reader | None:
        """A reader that has read these items; None if it can't."""
        reader = self._formats.get(name).reader()
        try:
            for item, place in items:
                reader.feed(item, place)
        except DataError:
            return None
        return reader

    def end(self) -> None:
        """What comes next belongs to another recording."""
        if self._named is None:
            self._end_run()
        elif self._reader is not None:
            self._keep(self._reader, self._begun)
            self._reader = None

    def _end_run(self) -> None:
        if self._reader is None and not self._waiting:
            return
        if self._waiting:
            try:
                self._settle()
            except DataError as error:
                self.fail(error)
        if self._reader is not None:
            self._keep(self._reader, self._places[0] if self._places else None)
        if self._chosen is not None:
            ranked = tuple(item for item in _ranked(self._best) if item[0] != self._chosen)
            best = self._best.get(self._chosen)
            self.told.append(Told(self._chosen, best, tuple(self._places), self._items, ranked))
        if self._chosen is not None and self._chosen in self._best:
            self._last = self._chosen, self._best[self._chosen]
        self._surely = None
        if self._chosen in self._best and len(self._best) == 1:
            self._look_for_more(self._best)
        self._chosen = self._reader = self._take = self._quotes = None
        self._best, self._places, self._items = {}, [], 0

    def _keep(self, reader: Reader, place: str | None) -> None:
        """Keep what was read until the end: a later run may go on with it."""
        self._kept.append((reader, place))

    def _follow(self, reader: Reader) -> None:
        """Let a reader go on with the documents that are open in others."""
        if isinstance(reader, RecordingReader):
            reader.share(self._open)

    def _settle(self) -> None:
        """Choose among formats that fit equally well: they must give the same calls."""
        ranked = _ranked(self._best)
        tied = [name for name, evidence in ranked if evidence.strength == ranked[0][1].strength]
        if len(tied) > 1:
            tied = self._agreeing(tied)
        self._choose(tied[0])

    def _agreeing(self, names: Sequence[str]) -> list[str]:
        read: list[tuple[str, Trace]] = []
        for name in names:
            reader = self._formats.get(name).reader()
            try:
                for item, place in self._waiting:
                    reader.feed(item, place)
                read.append((name, join_traces(reader.traces())))
            except DataError:
                continue  # what can't be read as this format is not in it
        for name, trace in read[1:]:
            if not _same_calls(read[0][1], trace):
                raise _ambiguous(read[0], (name, trace), self._waiting[0][1])
        return [name for name, _ in read] or list(names)

    def traces(self) -> list[Trace]:
        """What was read of all items; what does not say where it begins began with the first item of its run."""
        self.end()
        kept, self._kept = self._kept, []
        for reader, place in kept:
            self._traces += [
                trace if trace.place is not None else replace(trace, place=place) for trace in reader.traces()
            ]
        return self._traces


def _stands_alone(value: Any) -> bool:
    """Whether an opened item is a message that stands alone, and no document."""
    return isinstance(value, Mapping) and "role" in value and "messages" not in value


def _is_asked(declared: FormatDeclaration, glance: Glance) -> bool:
    """Whether an item could be in a format, by its fields."""
    if declared.named_only or (declared.keys and declared.keys.isdisjoint(glance.keys)):
        return False
    return not (declared.text and glance.keys and glance.keys.isdisjoint(TEXT_KEYS))


def _ranked(fits: Mapping[str, Evidence]) -> list[tuple[str, Evidence]]:
    if len(fits) == 1:
        return list(fits.items())

    def key(item: tuple[str, Evidence]) -> tuple[int, int, str]:
        name, evidence = item
        place = _PREFERRED.index(name) if name in _PREFERRED else len(_PREFERRED)
        return -evidence.strength, place, name

    return sorted(fits.items(), key=key)


def _goes_on(
    before: Mapping[str, Evidence], now: Mapping[str, Evidence], common: Mapping[str, Evidence]
) -> bool:
    """Whether the strongest format of each side is one that both have; else a new run begins."""
    strongest = max(evidence.strength for evidence in common.values())
    return all(
        strongest >= max(evidence.strength for evidence in side.values()) for side in (before, now) if side
    )


def _same_calls(a: Trace, b: Trace) -> bool:
    left, right = a.calls or (), b.calls or ()
    return len(left) == len(right) and all(
        x.name == y.name and same_call(x.raw, y.raw) for x, y in zip(left, right, strict=True)
    )


def _ambiguous(a: tuple[str, Trace], b: tuple[str, Trace], place: str) -> FormatError:
    counts = " and ".join(f"{name} reads {_calls(trace)}" for name, trace in (a, b))
    return FormatError(
        f"{a[0]} and {b[0]} fit equally well and give different calls: {counts}",
        field=place,
        hint=f"say which: --format {a[0]} or --format {b[0]}",
    )


def _calls(trace: Trace) -> str:
    names = [call.name for call in trace.calls or ()]
    return f"{len(names)} ({', '.join(names[:3])})" if names else "none"


def _refuse_stray(glance: Glance, place: str) -> None:
    """A message of no particular format that holds arguments: whoever reads it would lose a call."""
    stray = next((key for key in ARGUMENT_KEYS if glance.at(key) is not None), None)
    if stray is not None:
        error = f"a message that holds {stray!r} but no tool_calls"
        raise CallError(error, field=place, hint="give a call without a role, or a message with tool_calls")


def _unknown(glance: Glance, place: str, formats: Formats) -> FormatError:
    if isinstance(glance.value, dict):
        known = stranger(glance)
        if known is not None:
            return FormatError(f"{known[0]}, a form that is not read", field=place, hint=known[1])
        fields = ", ".join(map(repr, list(glance.value)[:6]))
        seen = f"an object with the fields {fields}" if fields else "an empty object"
        return FormatError(f"{seen} is in no known format", field=place, hint=formats.nearest_to(glance))
    if isinstance(glance.value, str):
        return FormatError(
            f"a text without the marks of a known format where calls should be: {show(glance.value, 60)}",
            field=place,
            hint="text styles without marks are read when named, e.g. --format python_calls",
        )
    return FormatError(f"{kind_of(glance.value)} where a call should be", field=place)

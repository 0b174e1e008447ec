"""agentevals: LangChain's trajectory match in its four modes, with argument modes and overrides."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from ..core.options import OptionSpec, parse_choice
from ..core.peer import Deviation, PeerCall, PeerCase, Preset, Rule, Verdict
from ..errors import OptionError, PeerError

__all__ = ["PRESET", "Message", "match_messages", "messages_of"]

Message = tuple[str, list[tuple[str, Any]] | None]
"""A message: its role, and the name and arguments of each call; None where it carries none."""

_Same = Callable[[Any, Any], bool]
_MODES: Final = ("exact", "ignore", "subset", "superset")


def _within(inner: Any, outer: Any) -> bool:
    return all(key in outer and outer[key] == value for key, value in inner.items())


_BY_MODE: Final[dict[str, _Same]] = {
    "exact": operator.eq,
    "ignore": lambda *_: True,
    "subset": _within,
    "superset": lambda made, wanted: _within(wanted, made),
}


def _at(value: Any, path: str) -> Any:
    """What stands at a dotted path; None where nothing does, so that absent on both sides is equal."""
    for part in path.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(part)
    return value


def _sameness(options: Mapping[str, Any], tool: str) -> _Same:
    """How the arguments of calls of `tool` are compared."""
    override = dict(options["tool_args_match_overrides"]).get(tool)
    if not override:
        return _BY_MODE[options["tool_args_match_mode"]]
    if isinstance(override, str):
        return _BY_MODE.get(override, _BY_MODE["ignore"])
    return lambda made, wanted: all(_at(made, path) == _at(wanted, path) for path in override)


def messages_of(calls: Sequence[PeerCall]) -> list[Message]:
    """Calls as messages: one for each call, and one for all calls of a parallel group."""
    messages: list[Message] = []
    group: str | None = None
    for call in calls:
        told = (call.name, _arguments(call))
        held = messages[-1][1] if messages else None
        if held is not None and call.group is not None and call.group == group:
            held.append(told)
        else:
            messages.append(("assistant", [told]))
        group = call.group
    return messages


def _arguments(call: PeerCall) -> Any:
    value = call.arguments
    if isinstance(value, str):
        try:
            value = json.loads(value, strict=False)
        except ValueError:
            raise PeerError("agentevals raises JSONDecodeError on the arguments", field=call.name) from None
    if not call.written:
        raise PeerError("agentevals raises on a call without arguments", field=call.name)
    if not isinstance(value, dict):
        raise PeerError("agentevals raises ValidationError on arguments that are no object", field=call.name)
    return value


def match_messages(
    mode: str, outputs: Sequence[Message], reference: Sequence[Message], options: Mapping[str, Any]
) -> bool:
    """The verdict of one mode over two lists of messages."""
    if mode == "strict":
        return _strict(outputs, reference, options)
    made, wanted = _all_calls(outputs), _all_calls(reference)
    if mode == "superset":
        return _covers(made, wanted, options)
    if mode == "subset":
        # The roles are swapped whole, so argument modes look from the other side too.
        return _covers(wanted, made, options)
    return _covers(made, wanted, options) and _covers(wanted, made, options)


def _all_calls(messages: Sequence[Message]) -> list[tuple[str, Any]]:
    return [call for _, calls in messages for call in calls or ()]


def _covers(
    outer: Sequence[tuple[str, Any]], inner: Sequence[tuple[str, Any]], options: Mapping[str, Any]
) -> bool:
    """Whether each call of `inner` finds an unused one in `outer`, the first that fits."""
    used: set[int] = set()
    for name, wanted in inner:
        same = _sameness(options, name)
        fits = (
            at
            for at, (other, made) in enumerate(outer)
            if other == name and at not in used and same(made, wanted)
        )
        found = next(fits, None)
        if found is None:
            return False
        used.add(found)
    return True


def _strict(outputs: Sequence[Message], reference: Sequence[Message], options: Mapping[str, Any]) -> bool:
    if len(outputs) != len(reference):
        return False
    for (role, made), (other, wanted) in zip(outputs, reference, strict=True):
        if role != other or (made is None) != (wanted is None):
            return False
        if made is None or wanted is None:
            continue
        if len(made) != len(wanted):
            return False
        free = list(range(len(wanted)))
        for name, arguments in made:
            same = _sameness(options, name)
            fits = (at for at in free if wanted[at][0] == name and same(arguments, wanted[at][1]))
            found = next(fits, None)
            if found is None:
                return False
            free.remove(found)
    return True


def _score(mode: str, case: PeerCase) -> Verdict:
    right = match_messages(mode, messages_of(case.actual), messages_of(case.expected), case.options)
    told = f"{len(case.actual)} actual, {len(case.expected)} expected"
    return Verdict(float(right), f"{mode}: {'match' if right else 'no match'}; {told}.")


def _parse_overrides(value: Any, name: str) -> tuple[tuple[str, str | tuple[str, ...]], ...]:
    if not isinstance(value, Mapping):
        raise OptionError(f"{value!r} is not a table of tools", field=name, hint='{"search": ["query"]}')
    found: list[tuple[str, str | tuple[str, ...]]] = []
    for tool, item in value.items():
        if isinstance(item, (list, tuple)):
            found.append((str(tool), tuple(str(path) for path in item)))
        else:
            found.append((str(tool), parse_choice(*_MODES)(item, f"{name}.{tool}")))
    return tuple(found)


_OPTIONS: Final = (
    OptionSpec(
        name="tool_args_match_mode",
        meaning="how arguments are compared: top-level keys of one side within the other, or not at all",
        form="exact | ignore | subset | superset",
        parse=parse_choice(*_MODES),
        default="exact",
    ),
    OptionSpec(
        name="tool_args_match_overrides",
        meaning="by tool, another mode or the dotted paths that count",
        form='{"search": ["query"], "think": "ignore"}',
        parse=_parse_overrides,
        default=(),
    ),
)


def _call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


_TRUE_IS_ONE: Final = Deviation(
    what="true passes for 1",
    actual=[_call("f", x=True)],
    expected=[_call("f", x=1)],
    theirs=1.0,
    ours=0.0,
    why="a boolean is no number in JSON",
)

PRESET = Preset(
    id="agentevals",
    tool="agentevals",
    version="0.0.9",
    source="the installed package `agentevals`",
    rules=(
        Rule(
            name="strict",
            meaning="the same messages in the same order; calls inside one message may come in any order",
            score=partial(_score, "strict"),
            beside="trajectory_match",
            options=_OPTIONS,
            deviations=(
                _TRUE_IS_ONE,
                Deviation(
                    what="another order fails",
                    actual=[_call("g"), _call("f")],
                    expected=[_call("f"), _call("g")],
                    theirs=0.0,
                    ours=1.0,
                    why="`unordered` is the default mode here; `mode=exact` asks for the order",
                ),
            ),
        ),
        Rule(
            name="unordered",
            meaning="each side's calls find a partner on the other side",
            score=partial(_score, "unordered"),
            beside="trajectory_match",
            options=_OPTIONS,
            deviations=(
                _TRUE_IS_ONE,
                Deviation(
                    what="a path that is absent on both sides counts as equal",
                    actual=[_call("f", a=1)],
                    expected=[_call("f", a=2)],
                    options={"tool_args_match_overrides": {"f": ["typo"]}},
                    theirs=1.0,
                    ours=0.0,
                    why="a misspelled path must not make every call right; here `ignore` names what is left out",
                ),
            ),
        ),
        Rule(
            name="subset",
            meaning="each call made finds a partner among the expected ones",
            score=partial(_score, "subset"),
            beside="trajectory_match",
            options=_OPTIONS,
            deviations=(
                Deviation(
                    what="no call at all is fine",
                    actual=[],
                    expected=[_call("f")],
                    theirs=1.0,
                    ours=0.0,
                    why="`unordered` is the default mode here; in `subset` it is fine for us too",
                ),
            ),
        ),
        Rule(
            name="superset",
            meaning="each expected call finds a partner among the calls made",
            score=partial(_score, "superset"),
            beside="trajectory_match",
            options=_OPTIONS,
            deviations=(
                Deviation(
                    what="calls where none was expected pass",
                    actual=[_call("delete")],
                    expected=[],
                    our_options={"mode": "superset"},
                    theirs=1.0,
                    ours=0.0,
                    why="`expected: []` means that no call may be made",
                ),
                Deviation(
                    what="first fit loses pairs",
                    actual=[_call("f", x=1, y=2), _call("f", x=1)],
                    expected=[_call("f", x=1), _call("f", x=1, y=2)],
                    options={"tool_args_match_mode": "superset"},
                    our_options={"mode": "superset", "args": "allow_extra"},
                    theirs=0.0,
                    ours=1.0,
                    why="every pairing under a loose comparison is a maximum matching here",
                ),
            ),
        ),
    ),
    notes=(
        "A case holds calls and no messages, so each call is one message and a parallel group is one together.",
        "Messages without calls are not compared, which only `strict` would notice.",
        "Overrides that are functions of one's own can't be given here.",
    ),
)

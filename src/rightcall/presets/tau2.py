"""tau2: the action check of tau2-bench."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..core.options import OptionSpec
from ..core.peer import Deviation, PeerCase, Preset, Rule, Verdict, object_of
from ..core.scoring import count_of
from ..errors import OptionError


def _matches(made: Any, wanted: Any, keys: Any) -> bool:
    """Whether the compared keys are equal; without a list of them, those that the call made has."""
    compared = made if keys is None else keys
    return {key: made[key] for key in made if key in compared} == {
        key: wanted[key] for key in wanted if key in compared
    }


def _score(case: PeerCase) -> Verdict:
    keys = dict(case.options["compare_args"])
    made = [(call.name, object_of(call, "tau2") or {}) for call in case.actual]
    wanted = [(call.name, object_of(call, "tau2") or {}) for call in case.expected]
    found = sum(
        any(name == other and _matches(given, arguments, keys.get(name)) for other, given in made)
        for name, arguments in wanted
    )
    told = f"{found} of {count_of(len(wanted), 'expected action')} matched by some call."
    return Verdict(float(found == len(wanted)), told)


def _parse_compared(value: Any, name: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Lists of argument names by tool."""
    if not isinstance(value, Mapping):
        raise OptionError(f"{value!r} is not a table of tools", field=name, hint='{"book": ["user_id"]}')
    for tool, keys in value.items():
        if not isinstance(keys, (list, tuple)) or not all(isinstance(key, str) for key in keys):
            raise OptionError(f"{keys!r} is not a list of argument names", field=f"{name}.{tool}")
    return tuple((str(tool), tuple(keys)) for tool, keys in value.items())


def _call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


_COMPARE: Final = OptionSpec(
    name="compare_args",
    meaning="by tool, the arguments that count; else those that the call made has",
    form='{"book_reservation": ["user_id"]}',
    parse=_parse_compared,
    default=(),
)

PRESET = Preset(
    id="tau2",
    tool="tau2-bench",
    version="2026-11",
    source="its published rule; no scorer of it is on PyPI",
    rules=(
        Rule(
            name="action",
            meaning="1 when each expected action equals some call, on the arguments that the call made has",
            score=_score,
            beside="tool_call_args",
            options=(_COMPARE,),
            deviations=(
                Deviation(
                    what="a call without arguments matches any expected arguments",
                    actual=[_call("f")],
                    expected=[_call("f", x=1)],
                    theirs=1.0,
                    ours=0.0,
                    why="an argument that was left out is a wrong call; `args=allow_missing` accepts it",
                ),
                Deviation(
                    what="one call serves two identical expectations",
                    actual=[_call("f", x=1)],
                    expected=[_call("f", x=1), _call("f", x=1)],
                    theirs=1.0,
                    ours=0.5,
                    why="pairing is one to one",
                ),
                Deviation(
                    what="calls where none was expected pass",
                    actual=[_call("delete")],
                    expected=[],
                    theirs=1.0,
                    ours=0.0,
                    why="`expected: []` means that no call may be made",
                ),
            ),
        ),
    ),
    notes=(
        "In the benchmark this check is off by default: its reward judges the state that the calls left behind.",
    ),
)

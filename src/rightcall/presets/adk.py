"""adk: the trajectory evaluator of Google's Agent Development Kit in its three modes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from ..core.options import OptionSpec, parse_flag
from ..core.peer import Deviation, PeerCall, PeerCase, Preset, Rule, Verdict, object_of
from ..core.scoring import count_of

_Named = tuple[str, Any]


def _same(made: _Named, wanted: _Named, *, ignore_args: bool) -> bool:
    return made[0] == wanted[0] and (ignore_args or made[1] == wanted[1])


def _exact(made: Sequence[_Named], wanted: Sequence[_Named], *, ignore_args: bool) -> bool:
    return len(made) == len(wanted) and all(
        _same(call, other, ignore_args=ignore_args) for call, other in zip(made, wanted, strict=True)
    )


def _in_order(made: Sequence[_Named], wanted: Sequence[_Named], *, ignore_args: bool) -> bool:
    at = 0
    for call in made:
        if at < len(wanted) and _same(call, wanted[at], ignore_args=ignore_args):
            at += 1
    return at == len(wanted)


def _any_order(made: Sequence[_Named], wanted: Sequence[_Named], *, ignore_args: bool) -> bool:
    free = list(made)
    for other in wanted:
        found = next(
            (at for at, call in enumerate(free) if _same(call, other, ignore_args=ignore_args)), None
        )
        if found is None:
            return False
        free.pop(found)
    return True


_MODES: Final = {"exact": _exact, "in_order": _in_order, "any_order": _any_order}


def _invocations(case: PeerCase) -> list[tuple[list[_Named], list[_Named]]]:
    """Both sides by user turn, where every call knows its turn; else the whole case as one invocation."""
    made = [(call.turn, _named(call)) for call in case.actual]
    wanted = [(call.turn, _named(call)) for call in case.expected]
    turns = {turn for turn, _ in (*made, *wanted)}
    if None in turns or not turns:
        return [([call for _, call in made], [call for _, call in wanted])]
    return [
        ([call for at, call in made if at == turn], [call for at, call in wanted if at == turn])
        for turn in sorted(turn for turn in turns if turn is not None)
    ]


def _named(call: PeerCall) -> _Named:
    return call.name, object_of(call, "ADK")


def _score(mode: str, case: PeerCase) -> Verdict:
    matches = [
        _MODES[mode](made, wanted, ignore_args=case.options["ignore_args"])
        for made, wanted in _invocations(case)
    ]
    told = f"{sum(matches)} of {count_of(len(matches), 'invocation')} right."
    return Verdict(sum(matches) / len(matches), told)


_IGNORE: Final = OptionSpec(
    name="ignore_args",
    meaning="names alone are compared",
    form="true | false",
    parse=parse_flag,
    default=False,
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
_NULL: Final = Deviation(
    what="null arguments are not the same as none",
    actual=[{"name": "f", "arguments": None}],
    expected=[_call("f")],
    theirs=0.0,
    ours=1.0,
    why="missing and null arguments both mean no arguments",
)
_UNEXPECTED: Final = partial(
    Deviation,
    what="calls where none was expected pass",
    actual=[_call("delete")],
    expected=[],
    theirs=1.0,
    ours=0.0,
    why="`expected: []` means that no call may be made",
)

PRESET = Preset(
    id="adk",
    tool="Google ADK",
    version="2.13.0",
    source="the installed package `google-adk`",
    rules=(
        Rule(
            name="exact",
            meaning="share of invocations whose calls are the same in the same order",
            score=partial(_score, "exact"),
            beside="trajectory_match",
            options=(_IGNORE,),
            deviations=(_TRUE_IS_ONE, _NULL),
        ),
        Rule(
            name="in_order",
            meaning="share of invocations whose expected calls appear in this order; others may stand between",
            score=partial(_score, "in_order"),
            beside="trajectory_match",
            options=(_IGNORE,),
            deviations=(_UNEXPECTED(our_options={"mode": "in_order"}), _TRUE_IS_ONE, _NULL),
        ),
        Rule(
            name="any_order",
            meaning="share of invocations whose expected calls all appear, each one a call of its own",
            score=partial(_score, "any_order"),
            beside="trajectory_match",
            options=(_IGNORE,),
            deviations=(_UNEXPECTED(our_options={"mode": "any_order"}), _TRUE_IS_ONE, _NULL),
        ),
    ),
    notes=(
        "An invocation is one user turn; where calls carry their turn, each is scored alone and the mean is taken.",
        "Turns without calls on both sides are unknown here, while the tool counts them as right.",
        "The tool's own default for a case to pass is 1.0.",
    ),
)

"""deepeval: ToolCorrectnessMetric, by names, with arguments, in order, and exact."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from ..core.options import OptionSpec, parse_flag
from ..core.peer import Deviation, PeerCall, PeerCase, Preset, Rule, Verdict, object_of
from ..core.scoring import count_of
from ..errors import OptionError, PeerError

_PARAMS: Final = ("input_parameters", "output")


class _Call:
    """A call with what the tool compares of it. Calls of the same values are one call to it."""

    def __init__(self, call: PeerCall) -> None:
        self.name = call.name
        self.arguments = object_of(call, "DeepEval")
        self.output = call.output

    def same(self, other: _Call) -> bool:
        """Equal by value."""
        return (self.name, self.arguments, self.output) == (other.name, other.arguments, other.output)


def _share(wanted: Any, made: Any) -> float:
    """The share of equal keys over the keys of both sides; objects inside objects count in part."""
    if wanted == made:
        return 1.0
    if wanted is None or made is None:
        raise PeerError(
            "DeepEval raises AttributeError where one side has no arguments and the other has an object"
        )
    keys = len({*wanted, *made})
    share = 0.0
    for key in {*wanted} & {*made}:
        if wanted[key] == made[key]:
            share += 1 / keys
        elif isinstance(wanted[key], dict) and isinstance(made[key], dict):
            share += _share(wanted[key], made[key]) / keys
    return share


def _credit(wanted: _Call, made: _Call, params: Sequence[str]) -> float:
    """What a pair of one name is worth."""
    credit = _share(wanted.arguments, made.arguments) if "input_parameters" in params else 1.0
    return 0.0 if "output" in params and wanted.output != made.output else credit


def _sides(case: PeerCase) -> tuple[list[_Call], list[_Call]]:
    return [_Call(call) for call in case.actual], [_Call(call) for call in case.expected]


def _finish(case: PeerCase, score: float, reason: str, pairs: list[tuple[int, int, float]]) -> Verdict:
    if case.options["strict_mode"] and score < 1:
        return Verdict(0.0, f"{reason} Strict: all or nothing.", tuple(pairs))
    return Verdict(score, reason, tuple(pairs))


def _score_any_order(case: PeerCase) -> Verdict:
    """Each expected call takes the best call that is still free; a call taken takes its equals with it."""
    made, wanted = _sides(case)
    params = case.options["evaluation_params"]
    pairs: list[tuple[int, int, float]] = []
    gone: set[int] = set()
    total = 0.0
    for place, call in enumerate(wanted):
        best, taken = 0.0, -1
        for at, other in enumerate(made):
            if at in gone or other.name != call.name:
                continue
            credit = _credit(call, other, params)
            if credit > best:
                best, taken = credit, at
        if best > 0:
            total += best
            pairs.append((taken, place, min(best, 1.0)))
            gone.update(at for at, other in enumerate(made) if other.same(made[taken]))
    if not wanted:
        return _finish(
            case, float(not made), f"No call was expected; {count_of(len(made), 'call')} made.", []
        )
    reason = f"{total:.6g} of {count_of(len(wanted), 'expected call')} found."
    return _finish(case, total / len(wanted), reason, pairs)


def _score_ordered(case: PeerCase) -> Verdict:
    """The heaviest common subsequence over the number of expected calls."""
    made, wanted = _sides(case)
    params = case.options["evaluation_params"]
    table = [[0.0] * (len(made) + 1)]
    for call in wanted:
        above, line = table[-1], [0.0]
        for column, other in enumerate(made):
            best = max(above[column + 1], line[-1])
            if call.name == other.name:
                credit = _credit(call, other, params)
                # The tool forgets what it had where a pair of one name is worth nothing.
                best = max(best, above[column] + credit if credit > 0 else 0)
            line.append(best)
        table.append(line)
    i, j, total = len(wanted), len(made), 0.0
    pairs: list[tuple[int, int, float]] = []
    while i and j:
        if table[i][j] == table[i - 1][j]:
            i -= 1
        elif table[i][j] == table[i][j - 1]:
            j -= 1
        else:
            gain = table[i][j] - table[i - 1][j - 1]
            total += gain
            pairs.append((j - 1, i - 1, min(gain, 1.0)))
            i, j = i - 1, j - 1
    if not wanted:
        return _finish(
            case, float(not made), f"No call was expected; {count_of(len(made), 'call')} made.", []
        )
    reason = f"{total:.6g} of {count_of(len(wanted), 'expected call')} in order."
    return _finish(case, total / len(wanted), reason, pairs)


def _score_exact(case: PeerCase) -> Verdict:
    made, wanted = _sides(case)
    params = case.options["evaluation_params"]
    if len(made) != len(wanted):
        return _finish(case, 0.0, f"{len(made)} actual vs {count_of(len(wanted), 'expected call')}.", [])
    for at, (other, call) in enumerate(zip(made, wanted, strict=True)):
        differs = (
            other.name != call.name
            or ("input_parameters" in params and other.arguments != call.arguments)
            or ("output" in params and other.output != call.output)
        )
        if differs:
            return _finish(case, 0.0, f"Call {at + 1} differs.", [])
    return _finish(case, 1.0, "The same calls.", [(at, at, 1.0) for at in range(len(made))])


def _parse_params(value: Any, name: str) -> tuple[str, ...]:
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, (list, tuple)) or not all(item in _PARAMS for item in items):
        raise OptionError(f"{value!r} is not a list of: {', '.join(_PARAMS)}", field=name)
    return tuple(items)


def _options(*params: str) -> tuple[OptionSpec, ...]:
    return (
        OptionSpec(
            name="evaluation_params",
            meaning="what of a call is compared beside its name",
            form='["input_parameters", "output"]',
            parse=_parse_params,
            default=params,
        ),
        OptionSpec(
            name="strict_mode",
            meaning="a score below 1 becomes 0",
            form="true | false",
            parse=parse_flag,
            default=False,
        ),
    )


def _call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


_TWINS: Final = partial(
    Deviation,
    what="two identical expected calls, both made, count as one",
    actual=[_call("f", x=1), _call("f", x=1)],
    expected=[_call("f", x=1), _call("f", x=1)],
    theirs=0.5,
    ours=1.0,
    why="each call is a call of its own; pairing is one to one",
)

PRESET = Preset(
    id="deepeval",
    tool="DeepEval",
    version="4.3.1",
    source="the installed package `deepeval`",
    threshold=0.5,
    rules=(
        Rule(
            name="default",
            meaning="share of expected calls whose tool was called; arguments are not looked at",
            score=_score_any_order,
            beside="tool_selection",
            options=_options(),
            pairs=True,
            extras_cost=False,
            deviations=(
                Deviation(
                    what="wrong arguments cost nothing",
                    actual=[_call("f", x=2)],
                    expected=[_call("f", x=1)],
                    theirs=1.0,
                    ours=0.0,
                    beside="tool_call_args",
                    why="a call with wrong arguments is a wrong call",
                ),
                _TWINS(),
            ),
        ),
        Rule(
            name="arguments",
            meaning="for each expected call the share of equal arguments of the best free call of its tool",
            score=_score_any_order,
            beside="tool_call_args",
            options=_options("input_parameters"),
            pairs=True,
            extras_cost=False,
            deviations=(
                _TWINS(),
                Deviation(
                    what="a call with one wrong argument of two is half right",
                    actual=[_call("f", x=1, y=2)],
                    expected=[_call("f", x=1, y=3)],
                    theirs=0.5,
                    ours=0.0,
                    why="a call is right or wrong; `argument_accuracy` gives the share of arguments",
                ),
                Deviation(
                    what="true passes for 1",
                    actual=[_call("f", x=True)],
                    expected=[_call("f", x=1)],
                    theirs=1.0,
                    ours=0.0,
                    why="a boolean is no number in JSON",
                ),
                Deviation(
                    what="null arguments against an object",
                    actual=[{"name": "f", "arguments": None}],
                    expected=[_call("f", x=1)],
                    theirs="raises",
                    ours=0.0,
                    why="null arguments are no arguments, so they differ from some",
                ),
            ),
        ),
        Rule(
            name="ordered",
            meaning="the heaviest common subsequence over the number of expected calls",
            score=_score_ordered,
            beside="tool_call_order",
            options=_options(),
            pairs=True,
            minds_order=True,
            extras_cost=False,
            deviations=(
                Deviation(
                    what="wrong arguments cost nothing",
                    actual=[_call("f", x=2)],
                    expected=[_call("f", x=1)],
                    theirs=1.0,
                    ours=0.0,
                    beside="trajectory_match",
                    why="a call with wrong arguments is a wrong call",
                ),
            ),
        ),
        Rule(
            name="exact",
            meaning="1 when both sides are the same tools in the same order",
            score=_score_exact,
            beside="trajectory_match",
            options=_options(),
            pairs=True,
            minds_order=True,
            deviations=(
                Deviation(
                    what="wrong arguments cost nothing",
                    actual=[_call("f", x=2)],
                    expected=[_call("f", x=1)],
                    our_options={"mode": "exact"},
                    theirs=1.0,
                    ours=0.0,
                    why="a call with wrong arguments is a wrong call",
                ),
            ),
        ),
    ),
    notes=(
        "`evaluation_params` is empty in the tool, so arguments count only where they are asked for.",
        "Its check of tools against `available_tools` asks a model and is not reproduced.",
        "A call that says nothing of its arguments has None there, as a `ToolCall` made without `input_parameters` has.",
    ),
)

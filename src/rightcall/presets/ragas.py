"""ragas: ToolCallAccuracy and ToolCallF1."""

from __future__ import annotations

from typing import Any, Final

from ..core.options import OptionSpec, parse_flag
from ..core.peer import Deviation, PeerCall, PeerCase, Preset, Rule, Verdict, object_of
from ..core.scoring import count_of
from ..errors import PeerError

_Named = tuple[str, dict[str, Any], int]
"""Name, arguments and place of a call."""


def _read(calls: tuple[PeerCall, ...]) -> list[_Named]:
    found: list[_Named] = []
    for at, call in enumerate(calls):
        arguments = object_of(call, "Ragas")
        if arguments is None:
            raise PeerError("Ragas raises ValidationError on null arguments, or none", field=call.name)
        found.append((call.name, arguments, at))
    return found


def _text_key(call: _Named) -> tuple[str, ...]:
    """Name, then each argument and its text, by name: what calls are sorted by."""
    name, arguments, _ = call
    return (name, *(part for key in sorted(arguments) for part in (key, str(arguments[key]))))


def _share(made: dict[str, Any], wanted: dict[str, Any]) -> float:
    """The share of expected arguments whose text is the same."""
    if not wanted:
        return float(not made)
    equal = sum(key in made and str(made[key]) == str(wanted[key]) for key in wanted)
    return equal / len(wanted)


def _score_accuracy(case: PeerCase) -> Verdict:
    made, wanted = _read(case.actual), _read(case.expected)
    if case.empty is not None:
        return Verdict(float(case.empty), "At least one side has no calls.", ())
    if not case.options["strict_order"]:
        made, wanted = sorted(made, key=_text_key), sorted(wanted, key=_text_key)
    pairs: list[tuple[int, int, float]] = []
    total = 0.0
    for (name, arguments, at), (other, reference, place) in zip(made, wanted, strict=False):
        if name == other:
            share = _share(arguments, reference)
            total += share
            pairs.append((at, place, share))
    # Names that differ anywhere, and so any difference in length, cost everything.
    aligned = [name for name, _, _ in made] == [name for name, _, _ in wanted]
    if not aligned:
        return Verdict(0.0, "The names are not the same sequence.", tuple(pairs))
    reason = f"{total:.6g} of {count_of(len(wanted), 'expected call')} right, by the text of arguments."
    return Verdict(total / len(wanted), reason, tuple(pairs))


def _hashable(value: Any) -> Any:
    if isinstance(value, dict):
        return frozenset((key, _hashable(item)) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(_hashable(item) for item in value)
    return value


def _score_f1(case: PeerCase) -> Verdict:
    made = {(name, _hashable(arguments)) for name, arguments, _ in _read(case.actual)}
    wanted = {(name, _hashable(arguments)) for name, arguments, _ in _read(case.expected)}
    both = len(made & wanted)
    precision = both / len(made) if made else 0.0
    recall = both / len(wanted) if wanted else 0.0
    f1 = 2 * precision * recall / (precision + recall) if both else 0.0
    reason = f"{both} in both; {len(made)} actual vs {len(wanted)} expected, each counted once."
    return Verdict(round(f1, 4), reason)


def _call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


_ORDER: Final = OptionSpec(
    name="strict_order",
    meaning="the order counts; false sorts both sides by name and text of arguments first",
    form="true | false",
    parse=parse_flag,
    default=True,
)

PRESET = Preset(
    id="ragas",
    tool="Ragas",
    version="0.4.3",
    source="the installed package `ragas`",
    rules=(
        Rule(
            name="accuracy",
            meaning="mean share of expected arguments with the same text, and 0 where names differ anywhere",
            score=_score_accuracy,
            beside="tool_call_accuracy",
            options=(_ORDER,),
            pairs=True,
            minds_order=True,
            deviations=(
                Deviation(
                    what="one extra call costs everything",
                    actual=[_call("f", x=1), _call("g")],
                    expected=[_call("f", x=1)],
                    theirs=0.0,
                    ours=0.5,
                    why="a partly right answer gets a part of the score",
                ),
                Deviation(
                    what="a number passes for its text",
                    actual=[_call("f", x=1)],
                    expected=[_call("f", x="1")],
                    theirs=1.0,
                    ours=0.5,
                    why="a text is no number; `coerce_types` makes it one",
                ),
                Deviation(
                    what="1.0 and 1 differ",
                    actual=[_call("f", x=1.0)],
                    expected=[_call("f", x=1)],
                    theirs=0.0,
                    ours=1.0,
                    why="numbers are compared by value",
                ),
                Deviation(
                    what="the order of keys inside an object counts",
                    actual=[_call("f", o={"a": 1, "b": 2})],
                    expected=[_call("f", o={"b": 2, "a": 1})],
                    theirs=0.0,
                    ours=1.0,
                    why="a JSON object has no order",
                ),
                Deviation(
                    what="extra arguments are free",
                    actual=[_call("f", x=1, y=2)],
                    expected=[_call("f", x=1)],
                    theirs=1.0,
                    ours=0.5,
                    why="an argument that nobody asked for may do harm; `args=allow_extra` makes it free",
                ),
                Deviation(
                    what="sorting pairs calls by their text, so one wrong value shifts the pairs",
                    actual=[_call("f", x="b"), _call("f", x="c")],
                    expected=[_call("f", x="a"), _call("f", x="b")],
                    options={"strict_order": False},
                    theirs=0.0,
                    ours=0.75,
                    why="equal calls are paired with each other first",
                ),
            ),
        ),
        Rule(
            name="f1",
            meaning="F1 of the sets of calls, each call counted once, rounded to four digits",
            score=_score_f1,
            beside="tool_call_f1",
            deviations=(
                Deviation(
                    what="no call expected and none made is 0",
                    actual=[],
                    expected=[],
                    theirs=0.0,
                    ours=1.0,
                    why="doing nothing where nothing was to be done is right",
                ),
                Deviation(
                    what="repeated calls are free",
                    actual=[_call("f", x=1), _call("f", x=1), _call("f", x=1)],
                    expected=[_call("f", x=1)],
                    theirs=1.0,
                    ours=0.5,
                    why="each call is a call of its own",
                ),
                Deviation(
                    what="true passes for 1",
                    actual=[_call("f", x=True)],
                    expected=[_call("f", x=1)],
                    theirs=1.0,
                    ours=0.0,
                    why="a boolean is no number in JSON",
                ),
            ),
        ),
    ),
    notes=("The tool gives no verdict; a case passes here at 1.0.",),
)

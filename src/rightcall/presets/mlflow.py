"""mlflow: ToolCallCorrectness where it matches exactly, in order or not."""

from __future__ import annotations

import json
from functools import partial
from typing import Any, Final

from ..core.peer import Deviation, PeerCase, Preset, Rule, Verdict, object_of
from ..core.scoring import count_of
from ..errors import PeerError


def _sides(case: PeerCase) -> tuple[list[str], list[str]]:
    """Both sides as texts of name and arguments, or of names alone. Of the same length, or nobody would look."""
    wanted = [(call.name, object_of(call, "MLflow")) for call in case.expected]
    if len(case.actual) != len(wanted):
        return [], [name for name, _ in wanted]
    # One expected call with null for arguments, or without them, takes the arguments of all calls out of the comparison.
    if any(arguments is None for _, arguments in wanted):
        return [call.name for call in case.actual], [name for name, _ in wanted]
    # Empty inputs of a span, an empty text among them, are no inputs.
    made = [(call.name, call.arguments and object_of(call, "MLflow")) for call in case.actual]
    return [_text(*call) for call in made], [_text(*call) for call in wanted]


def _text(name: str, arguments: Any) -> str:
    return f"{name}({json.dumps(arguments or {}, sort_keys=True)})"


def _score(mode: str, case: PeerCase) -> Verdict:
    if not case.expected:
        raise PeerError("MLflow raises where no call is expected, as if there were nothing to compare with")
    made, wanted = _sides(case)
    if len(made) != len(wanted):
        return Verdict(0.0, f"{len(case.actual)} actual vs {count_of(len(wanted), 'expected call')}.")
    if mode == "unordered":
        same = set(made) == set(wanted)
        return Verdict(float(same), "The same set of calls." if same else "Not the same set of calls.")
    wrong = sum(call != other for call, other in zip(made, wanted, strict=True))
    return Verdict(float(not wrong), f"{count_of(wrong, 'position')} wrong." if wrong else "The same calls.")


def _call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


_FLOATS: Final = Deviation(
    what="1.0 and 1 differ",
    actual=[_call("f", x=1.0)],
    expected=[_call("f", x=1)],
    theirs=0.0,
    ours=1.0,
    why="numbers are compared by value",
)
_EMPTY: Final = Deviation(
    what="no call is expected",
    actual=[],
    expected=[],
    theirs="raises",
    ours=1.0,
    why="`expected: []` means that no call may be made",
)
_NAMES_ONLY: Final = Deviation(
    what="one expected call with null arguments switches arguments off for all",
    actual=[_call("f", x=1), _call("g", x=2)],
    expected=[_call("f", x=9), {"name": "g", "arguments": None}],
    theirs=1.0,
    ours=0.0,
    why='null means no arguments; `per_tool` with `args="ignore"` names the tool whose arguments do not count',
)
_NO_KEY: Final = Deviation(
    what="one expected call without the key `arguments` does the same",
    actual=[_call("f", x=1)],
    expected=[{"name": "f"}],
    theirs=1.0,
    ours=0.0,
    why='no key means no arguments; `args="ignore"` says that arguments do not count',
)

PRESET = Preset(
    id="mlflow",
    tool="MLflow",
    version="3.18.0",
    source="the installed package `mlflow`",
    rules=(
        Rule(
            name="exact_unordered",
            meaning="1 when there are as many calls and the sets of calls are the same, arguments as JSON text",
            score=partial(_score, "unordered"),
            beside="trajectory_match",
            deviations=(
                Deviation(
                    what="sets lose count: A, A, B equals A, B, B",
                    actual=[_call("f", x=1), _call("f", x=1), _call("f", x=2)],
                    expected=[_call("f", x=1), _call("f", x=2), _call("f", x=2)],
                    theirs=1.0,
                    ours=0.0,
                    why="each call is a call of its own",
                ),
                _FLOATS,
                _NAMES_ONLY,
                _NO_KEY,
                _EMPTY,
            ),
        ),
        Rule(
            name="exact_ordered",
            meaning="1 when the calls are the same at every position, arguments as JSON text",
            score=partial(_score, "ordered"),
            beside="trajectory_match",
            deviations=(_FLOATS, _NAMES_ONLY, _NO_KEY, _EMPTY),
        ),
    ),
    notes=(
        "Without `should_exact_match` the tool asks a model; that is not reproduced.",
        "Yes is 1 and no is 0.",
        "Given arguments as a text, the tool raises, on either side.",
        "Here a text that holds a JSON object is decoded first, as its users have to do; any other text raises.",
    ),
)

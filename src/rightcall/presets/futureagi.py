"""futureagi: Future AGI's tool_call_accuracy and trajectory_match."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from ..core.peer import Deviation, PeerCall, PeerCase, Preset, Rule, Verdict
from ..core.scoring import count_of


def _normal(call: PeerCall) -> Any:
    """A text is decoded where it can be, and stays a text where not."""
    if isinstance(call.arguments, str):
        try:
            return json.loads(call.arguments)
        except ValueError:
            pass
    return call.arguments


def _score_accuracy(case: PeerCase) -> Verdict:
    if case.empty is not None:
        return Verdict(float(case.empty), "At least one side has no calls.", ())
    made, wanted = [_normal(call) for call in case.actual], [_normal(call) for call in case.expected]
    pairs: list[tuple[int, int, float]] = []
    free = list(range(len(wanted)))
    for at, call in enumerate(case.actual):
        rivals = [place for place in free if case.expected[place].name == call.name]
        exact = next((place for place in rivals if wanted[place] == made[at]), None)
        if rivals:
            taken = rivals[0] if exact is None else exact
            pairs.append((at, taken, 0.5 if exact is None else 1.0))
            free.remove(taken)
    total = sum(credit for _, _, credit in pairs)
    exact_pairs = sum(credit == 1.0 for _, _, credit in pairs)
    reason = f"{exact_pairs} exact, {len(pairs) - exact_pairs} name-only; {len(made)} actual vs {len(wanted)} expected."
    return Verdict(total / max(len(made), len(wanted)), reason, tuple(pairs))


def _score_trajectory(mode: str, case: PeerCase) -> Verdict:
    made, wanted = [call.name for call in case.actual], [call.name for call in case.expected]
    told = f"{len(made)} actual vs {count_of(len(wanted), 'expected call')}, by name."
    if case.empty is not None:
        return Verdict(float(case.empty), told)
    shared = {*made} & {*wanted}
    if mode == "strict":
        prefix = next(
            (at for at, (name, other) in enumerate(zip(made, wanted, strict=False)) if name != other),
            min(len(made), len(wanted)),
        )
        return Verdict(prefix / max(len(made), len(wanted)), told)
    if mode == "unordered":
        return Verdict(len(shared) / len({*made, *wanted}), told)
    whole = {*wanted} if mode == "subset" else {*made}
    return Verdict(len(shared) / len(whole), told)


def _call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


_NAMES_ONLY = Deviation(
    what="arguments are not looked at",
    actual=[_call("f", x=2)],
    expected=[_call("f", x=1)],
    theirs=1.0,
    ours=0.0,
    why="a call with wrong arguments is a wrong call; `args=ignore` leaves them out",
)

PRESET = Preset(
    id="futureagi",
    tool="Future AGI",
    version="2026",
    source="its published evaluator; no scorer of it is on PyPI",
    threshold=0.5,
    rules=(
        Rule(
            name="tool_call_accuracy",
            meaning="each call, in order, takes the best unused expected call: equal 1, same name 0.5; over the longer",
            score=_score_accuracy,
            beside="tool_call_accuracy",
            pairs=True,
            deviations=(
                Deviation(
                    what="true passes for 1",
                    actual=[_call("f", x=True)],
                    expected=[_call("f", x=1)],
                    theirs=1.0,
                    ours=0.5,
                    why="a boolean is no number in JSON",
                ),
                Deviation(
                    what="null arguments are not the same as none",
                    actual=[{"name": "f", "arguments": None}],
                    expected=[_call("f")],
                    theirs=0.5,
                    ours=1.0,
                    why="missing and null arguments both mean no arguments",
                ),
            ),
        ),
        Rule(
            name="trajectory_match_strict",
            meaning="1 for the same names, else the common start over the longer side",
            score=partial(_score_trajectory, "strict"),
            beside="trajectory_match",
            deviations=(_NAMES_ONLY,),
        ),
        Rule(
            name="trajectory_match_unordered",
            meaning="names in both over names in either, each counted once",
            score=partial(_score_trajectory, "unordered"),
            beside="trajectory_match",
            deviations=(
                _NAMES_ONLY,
                Deviation(
                    what="repeated calls are free",
                    actual=[_call("f"), _call("f")],
                    expected=[_call("f")],
                    theirs=1.0,
                    ours=0.0,
                    why="each call is a call of its own",
                ),
            ),
        ),
        Rule(
            name="trajectory_match_subset",
            meaning="share of expected names that were called",
            score=partial(_score_trajectory, "subset"),
            beside="trajectory_match",
            deviations=(
                Deviation(
                    what="subset means that the expected calls lie inside the actual ones",
                    actual=[_call("f"), _call("g")],
                    expected=[_call("f")],
                    our_options={"mode": "subset"},
                    theirs=1.0,
                    ours=0.0,
                    why="`subset` means the actual calls inside the expected ones, `superset` the other way round",
                ),
            ),
        ),
        Rule(
            name="trajectory_match_superset",
            meaning="share of called names that were expected",
            score=partial(_score_trajectory, "superset"),
            beside="trajectory_match",
            deviations=(_NAMES_ONLY,),
        ),
    ),
    notes=(
        "The tool drops every field but `arguments`, so calls in other forms score as calls without arguments.",
        "Here calls are read first, in any form, so such false passes do not come back.",
        "A trajectory with one empty side is 0 and with two empty sides 1; the published rule is silent there.",
        "The tool lets a case pass at 0.5 by default.",
    ),
)

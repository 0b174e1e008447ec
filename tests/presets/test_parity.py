"""Presets give the numbers of the tools whose names they bear: by a recorded table, and asked of the tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rightcall import evaluate
from rightcall.errors import RightcallError
from rightcall.run.sets import PRESETS
from tests.presets.generate import bfcl_inputs, inputs
from tests.presets.parity import PACKAGES, VARIANTS, agree, our_scores, peer_python, peer_scores
from tests.presets.record import RECORDED, edges_of

ASKED = 6000


def table(peer: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (RECORDED / f"{peer}.jsonl").read_text().splitlines()]


def apart(peer: str, case: dict[str, Any], theirs: list[Any]) -> list[str]:
    ours = our_scores(peer, case)
    return [
        f"{name}: ours {ours[name]}, theirs {wanted}: {json.dumps(case)[:400]}"
        for name, wanted in zip(VARIANTS[peer], theirs, strict=True)
        if not agree(ours[name], wanted)
    ]


@pytest.mark.parametrize("peer", PACKAGES)
def test_recorded_scores_are_given_again(peer: str) -> None:
    rows = [row for row in table(peer) if "input" in row]
    assert len(rows) >= 500
    wrong = [line for row in rows for line in apart(peer, row["input"], row["scores"])]
    assert not wrong, wrong[:5]


@pytest.mark.parametrize("peer", PACKAGES)
def test_the_shared_edge_cases_are_scored_as_the_peer_does(peer: str) -> None:
    edges = edges_of(peer)
    if not edges:
        pytest.skip("the shared edge cases are not here (set RIGHTCALL_SHARED)")
    rows = {row["edge"]: row["scores"] for row in table(peer) if "edge" in row}
    assert rows.keys() == edges.keys()
    wrong = [line for key, scores in rows.items() for line in apart(peer, edges[key], scores)]
    assert not wrong, wrong[:5]


@pytest.mark.parametrize("peer", [peer for peer in PACKAGES if peer != "bfcl"])
def test_the_way_of_a_case_gives_the_same_score(peer: str) -> None:
    """From rows through reading, plan and result, where rows can say what the input says."""
    seen = 0
    for row in table(peer)[::7]:
        case = row.get("input", {})
        for (rule, options), wanted in zip(VARIANTS[peer].values(), row["scores"], strict=True):
            fields = as_row(case)
            if fields is None or options.get("match_by_id"):
                continue
            seen += 1
            try:
                result = evaluate(f"{peer}.{rule}", **fields, **options)
            except RightcallError:
                assert wanted == "raises", (case, rule, options)
                continue
            assert agree(result.score, wanted), (case, rule, options, result)
    assert seen > 50


def as_row(case: dict[str, Any]) -> dict[str, Any] | None:
    if not case or "counts" in case or "expected_any" in case:
        return None
    calls = [*case["actual"], *case["expected"]]
    if any({"group", "id"} & call.keys() or call["name"] != call["name"].strip() for call in calls):
        return None
    if any(isinstance(call.get("arguments"), str) for call in calls):
        return None  # a row's reader decodes texts by rules of its own
    return {"output": case["actual"], "expected": case["expected"]}


@pytest.mark.soak
@pytest.mark.parametrize("peer", PACKAGES)
def test_the_installed_peer_gives_the_same_scores(peer: str) -> None:
    python = peer_python(peer, install=True)
    assert python is not None
    made = bfcl_inputs if peer == "bfcl" else inputs
    cases = [*made(ASKED, 7), *edges_of(peer).values()]
    theirs = peer_scores(peer, python, cases)
    wrong = [
        line
        for case, scores in zip(cases, theirs, strict=True)
        for line in apart(peer, case, [scores[name] for name in VARIANTS[peer]])
    ]
    assert not wrong, wrong[:5]


@pytest.mark.soak
@pytest.mark.parametrize("peer", PACKAGES)
def test_the_recorded_table_is_what_the_peer_says(peer: str) -> None:
    python = peer_python(peer, install=True)
    assert python is not None
    rows = [row for row in table(peer) if "input" in row]
    theirs = peer_scores(peer, python, [row["input"] for row in rows])
    for row, scores in zip(rows, theirs, strict=True):
        assert all(
            agree(recorded, scores[name])
            for name, recorded in zip(VARIANTS[peer], row["scores"], strict=True)
        ), row


def test_every_peer_that_can_be_installed_is_recorded_at_the_version_of_its_preset() -> None:
    for peer, packages in PACKAGES.items():
        assert packages[-1].endswith(f"=={PRESETS.get(peer).version}")

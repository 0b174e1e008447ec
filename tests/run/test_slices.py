"""Parts of a run that gates look at: what is in them, what they add up to, and what is said where they are empty."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rightcall import Case, OptionError, UnknownNameError
from rightcall.core.summing.slices import Slice
from rightcall.core.summing.summary import GateOutcome, RunSummary
from rightcall.core.summing.tally import Tally
from rightcall.core.types import Source
from rightcall.run.gates import Gates, check_gates, exit_code, parse_gate
from rightcall.run.plan import make_plan
from rightcall.run.rows import case_from_fields
from rightcall.run.runner import run_cases
from rightcall.run.summarize import summarize

CALL = [{"name": "pay", "arguments": {}}]
TWO = ("tool_call_accuracy", "tool_call_args")


def case(number: int, actual: Any, expected: Any = CALL, **fields: Any) -> Case:
    row = {"id": f"r{number}", "tool_calls": actual, "expected_tool_calls": expected, **fields}
    return case_from_fields(row, row=number, source=Source(), format="auto")


def summary_of(cases: list[Case], *texts: str, kind: str = "fail_under", **options: Any) -> RunSummary:
    plan = make_plan(TWO, options=options)
    gates = Gates(single=tuple(parse_gate(text, kind, plan.ids) for text in texts))
    plan = replace(plan, slices=gates.slices)
    summary = summarize(run_cases(cases, plan).tally, plan)
    return replace(summary, gates=check_gates(summary, gates))


def asked(summary: RunSummary) -> list[GateOutcome]:
    return [gate for gate in summary.gates if gate.gate != "max_errors"]


CASES = [
    case(0, CALL, tags=["refunds", "vip"]),
    case(1, [], tags=["refunds"]),
    case(2, CALL, tags=["vip"]),
    case(3, [{"name": "look", "arguments": {}}], [{"name": "look", "arguments": {}}]),
    case(4, None, tags=["silent"]),
]


def test_a_gate_on_a_tag_looks_at_its_cases_alone() -> None:
    summary = summary_of(CASES, "tool_call_accuracy@tag:refunds=0.6", "tool_call_accuracy@tag:vip=0.6")
    missed, met = asked(summary)
    assert (missed.measured, missed.met, missed.on, missed.exit_code) == (0.5, False, "tag:refunds", 1)
    assert (met.measured, met.met) == (1.0, True)
    assert missed.interval is not None
    assert missed.message.startswith(
        "mean of tool_call_accuracy on tag:refunds is 0.500 < 0.600, 95 % interval 0.095 – 0.905"
    )
    part = summary.evaluators["tool_call_accuracy"].slices["tag:refunds"]
    assert (part.cases, part.scored, part.passed, part.pass_rate) == (2, 2, 1, 0.5)


def test_a_gate_on_a_tool_looks_at_cases_that_expect_or_call_it() -> None:
    cases = [*CASES, case(5, CALL, []), case(6, [], []), case(7, CALL, [{"name": "look", "arguments": {}}])]
    summary = summary_of(cases, "@tool:look=0.1", "tool_call_args@tool:pay=0.5", kind="min_pass_rate")
    assert [(gate.evaluator, gate.measured) for gate in asked(summary)] == [
        ("tool_call_accuracy", 0.5),
        ("tool_call_args", 0.5),
        ("tool_call_args", 0.4),
    ]
    assert summary.evaluators["tool_call_args"].slices["tool:pay"].not_evaluated == 1


def test_a_tool_goes_by_its_written_name_and_by_what_the_name_options_make_of_it() -> None:
    cases = [case(0, [{"name": "mcp__pay", "arguments": {}}])]
    for name in ("pay", "mcp__pay"):
        summary = summary_of(cases, f"tool_call_args@tool:{name}=1", strip_name_prefix="mcp__")
        assert asked(summary)[0].met


def test_tools_of_alternatives_and_of_several_paths_count_too() -> None:
    other = {"name": "refund", "arguments": {}}
    with_other = case(0, CALL, [{**CALL[0], "alternatives": [other]}])
    row = {"id": "p", "tool_calls": CALL, "expected_any_of": [CALL, [other]]}
    paths = case_from_fields(row, row=1, source=Source(), format="auto")
    for one in (with_other, paths):
        assert asked(summary_of([one], "tool_call_args@tool:refund=1"))[0].met


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@tag:nope=0.5", "no case has the tag 'nope'"),
        ("tool_call_args@tool:nope=0", "no case has the tool 'nope'"),
        ("@tag:silent=0", "no scored case of tool_call_accuracy, tool_call_args with the tag 'silent'"),
    ],
)
def test_a_part_without_cases_is_a_missed_gate_that_says_so(text: str, message: str) -> None:
    summary = summary_of(CASES, text)
    (gate,) = asked(summary)
    assert (gate.met, gate.message, exit_code(summary.gates)) == (False, message, 1)


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("tool_call_arg@tag:a=0.5", UnknownNameError, "tool_call_args"),
        ("tool_call_args@tags:a=0.5", UnknownNameError, "did you mean 'tag'"),
        ("tool_call_args@a=0.5", UnknownNameError, "part of the cases"),
        ("@tag:=0.5", OptionError, "names no tag"),
        ("@tag=0.5", OptionError, "names no tag"),
        ("@tag:a=2", OptionError, "from 0 to 1"),
        ("@tag:a", OptionError, "is not X, ID=X"),
        ("=0.5", UnknownNameError, "chosen evaluator"),
    ],
)
def test_what_is_no_gate_is_refused_with_the_nearest(text: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        parse_gate(text, "fail_under", TWO)


def test_names_with_signs_in_them_are_taken_whole() -> None:
    gate = parse_gate("tool_call_args@tag:a=b:c@d=0.5", "fail_under", TWO)
    assert (gate.on, gate.least) == (Slice("tag", "a=b:c@d"), 0.5)


def test_nothing_is_counted_apart_where_nobody_asks() -> None:
    assert summary_of(CASES, "0.1").evaluators["tool_call_args"].slices == {}


@given(
    st.lists(
        st.tuples(
            st.sampled_from([CALL, [], [{"name": "look", "arguments": {}}], None]),
            st.lists(st.sampled_from(["s", "t"]), max_size=2, unique=True),
            st.sampled_from([None, "k", "l"]),
        ),
        max_size=25,
    ),
    st.data(),
)
def test_the_summary_of_parts_is_that_of_the_whole(drawn: Any, data: st.DataObject) -> None:
    """Clusters, tags and tools among them: any split, any order of merging, the same bits."""
    cases = [case(n, actual, tags=tags, cluster=cluster) for n, (actual, tags, cluster) in enumerate(drawn)]
    plan = replace(make_plan(TWO), slices=(Slice("tag", "s"), Slice("tool", "look"), Slice("tag", "no")))
    whole = summarize(run_cases(cases, plan).tally, plan)
    owners = data.draw(st.lists(st.integers(0, 2), min_size=len(cases), max_size=len(cases)))
    parts = [
        run_cases([one for one, owner in zip(cases, owners, strict=True) if owner == part], plan).tally
        for part in range(3)
    ]
    assert summarize(Tally.total(data.draw(st.permutations(parts))), plan) == whole
    for found in whole.evaluators.values():
        for name, part in found.slices.items():
            kept = [one for one in cases if Slice(*name.split(":")).holds(one, lambda tool: tool)]  # type: ignore[arg-type]
            assert part.cases == len(kept)
            alone = summarize(run_cases(kept, make_plan(TWO)).tally, make_plan(TWO))
            same = alone.evaluators[next(n for n, f in whole.evaluators.items() if f is found)]
            assert (part.mean, part.mean_interval, part.passed, part.pass_rate_interval) == (
                same.mean,
                same.mean_interval,
                same.passed,
                same.pass_rate_interval,
            )

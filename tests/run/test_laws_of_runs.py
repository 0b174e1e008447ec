"""Laws of rows, shortcuts and sums: the fast ways give what the slow ones give, and parts add up to the whole."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw

from rightcall import Case, DataError, Result, evaluate, evaluate_cases, list_evaluators
from rightcall.core.results import CaseResults
from rightcall.core.summing.tally import Tally
from rightcall.core.types import Source, ToolCall
from rightcall.run.plan import Plan, make_plan
from rightcall.run.rows import case_from_fields, case_from_line, open_row
from rightcall.run.runner import kept_in, run_cases
from rightcall.run.stages import BadCase
from tests import strategies as draw_from

EVERY = list_evaluators()
CHOICES = st.lists(st.sampled_from(EVERY), min_size=1, unique=True)
OPTIONS = st.sampled_from(
    [
        {},
        {"ignore_failed": True},
        {"forbidden": ["g"]},
        {"numeric_tolerance": 1},
        {"name_map": {"h": "g"}},
        {"args": "allow_extra"},
        {"repair_json": True},
        {"groups": "ignore"},
    ]
)


def plan_of(ids: Iterable[str] = EVERY, options: dict[str, Any] | None = None) -> Plan:
    """A plan; an option that none of the evaluators honours is left out."""
    from rightcall import UnknownNameError

    try:
        return make_plan(list(ids), options=options)
    except UnknownNameError:
        return make_plan(list(ids))


def cases_of(rows: list[dict[str, Any]]) -> list[Case | BadCase]:
    found: list[Case | BadCase] = []
    for number, row in enumerate(rows):
        place = Source(path="d.jsonl", line=number + 1)
        try:
            found.append(case_from_line(json.dumps(row).encode(), row=number, source=place))
        except DataError as error:
            found.append(BadCase(id=f"row {number}", row=number, source=place, error=error))
    return found


def run(cases: Iterable[Case | BadCase], plan: Plan) -> tuple[Tally, list[CaseResults]]:
    results: list[CaseResults] = []
    ran = run_cases(cases, plan, write=kept_in(results), explaining=False)
    assert not ran.interrupted
    return ran.tally, results


def shown(results: Iterable[Result]) -> list[dict[str, Any]]:
    return [{**result.as_dict(), "latency_ms": None} for result in results]


@given(draw_from.many_rows, OPTIONS, st.data())
def test_the_tallies_of_any_split_add_up_to_the_tally_of_the_whole(
    rows: list[dict[str, Any]], options: dict[str, Any], data: st.DataObject
) -> None:
    cases, plan = cases_of(rows), plan_of(options=options)
    whole, _ = run(cases, plan)
    owners = data.draw(st.lists(st.integers(0, 3), min_size=len(cases), max_size=len(cases)))
    parts = [
        run([case for case, owner in zip(cases, owners, strict=True) if owner == part], plan)[0]
        for part in range(4)
    ]
    mixed = data.draw(st.permutations(parts))
    assert Tally.total(mixed) == whole
    nested = Tally.total([Tally.total(mixed[:2]), Tally.total(mixed[2:])])
    assert nested == whole, "merging is associative"
    for name, tally in whole.evaluators.items():
        merged = nested.of(name)
        assert tally.scores.totals() == merged.scores.totals()
        assert tally.causes.keys() == merged.causes.keys()
        assert tally.confused == merged.confused


@pytest.mark.slow
@given(draw_from.many_rows, OPTIONS)
def test_a_tally_is_the_same_whether_differences_were_read_before_or_not(
    rows: list[dict[str, Any]], options: dict[str, Any]
) -> None:
    cases, plan = cases_of(rows), plan_of(options=options)
    lazy, results = run(cases, plan)
    eager = Tally()

    def sink(case: Case | BadCase, found: tuple[Result, ...], passed: bool | None) -> None:
        for result in found:
            assert result.details is not None

    eager = run_cases(cases, plan, write=sink).tally
    assert lazy == eager
    counted = [case.passed for case in results]
    assert lazy.cases == len(rows)
    assert (lazy.passed, lazy.not_evaluated) == (counted.count(True), counted.count(None))
    assert lazy.failed == counted.count(False)


def fields_of(case: Case) -> dict[str, Any]:
    """Everything a case holds, calls as plain fields, raw arguments as their bytes."""

    def plain(call: ToolCall) -> dict[str, Any]:
        public: Any = next(base for base in type(call).__mro__ if not base.__name__.startswith("_"))
        names = public.__struct_fields__
        values = {name: getattr(call, name) for name in names}
        raw = values.pop("raw")
        # One way keeps an output as it was recorded, the other as a value; what it says is the same.
        del values["raw_output"]
        return values | {"raw": bytes(raw) if isinstance(raw, Raw) else raw, "output": call.output}

    # `recorded` is where a case was read from, for whoever wants to read it again: no part of what it says.
    found = {name: getattr(case, name) for name in Case.__struct_fields__ if name != "recorded"}
    found["actual"] = None if case.actual is None else [plain(call) for call in case.actual]
    if case.expected is not None:
        calls = None if case.expected.calls is None else [plain(call) for call in case.expected.calls]
        found["expected"] = (calls, case.expected.forbidden, case.expected.counts, case.expected.paths)
    return found


SPELL = st.sampled_from(
    [
        json.dumps,
        lambda row: json.dumps(row, ensure_ascii=False),
        lambda row: json.dumps(row, indent=1),
        lambda row: json.dumps(row, separators=(",", ":")),
        lambda row: " " + json.dumps(row) + "\r",
        lambda row: json.dumps(row).replace('"arguments": ', '"args": '),
    ]
)


@given(draw_from.rows(), SPELL, OPTIONS)
@settings(max_examples=100)
def test_the_fast_way_and_the_long_way_read_the_same_case(
    row: dict[str, Any], spell: Any, options: dict[str, Any]
) -> None:
    data, place = spell(row).encode(), Source(path="d.jsonl", line=3, offset=9, length=5)
    outcomes: list[Any] = []
    for way in ("fast", "long"):
        try:
            if way == "fast":
                case = case_from_line(data, row=2, source=place)
            else:
                case = case_from_fields(open_row(data), row=2, source=place)
        except DataError as error:
            outcomes.append((type(error), error.message, error.field))
        else:
            outcomes.append(case)
    fast, long = outcomes
    if not isinstance(fast, Case):
        assert fast == long
        return
    assert isinstance(long, Case), long
    assert fields_of(fast) == fields_of(long)
    plan = plan_of(options=options)
    tallies = [run([case], plan) for case in (fast, long)]
    assert tallies[0][0] == tallies[1][0]
    assert shown(tallies[0][1][0].results) == shown(tallies[1][1][0].results)


@given(draw_from.rows(), SPELL)
def test_a_row_in_memory_scores_like_the_same_row_in_a_file(row: dict[str, Any], spell: Any) -> None:
    plan = plan_of()
    (memory,) = evaluate_cases([row], list(EVERY))
    try:
        case: Case | BadCase = case_from_line(spell(row).encode(), row=0, source=Source(line=1))
    except DataError as error:
        case = BadCase(id="x", row=0, source=Source(line=1), error=error)
    _, (read_,) = run([case], plan)
    for left, right in zip(memory.results, read_.results, strict=True):
        assert (left.status, left.score, left.passed) == (right.status, right.score, right.passed), (
            left.evaluator
        )
        if left.status == "scored":
            assert left.details.as_dict().keys() == right.details.as_dict().keys()
            assert left.details.pairs == right.details.pairs


def spaced(row: dict[str, Any]) -> bytes:
    """The row with other bytes and the same meaning: arguments of the expected side get a blank more."""
    wanted = [{**call, "arguments": f"ARGS{place}"} for place, call in enumerate(row["expected"])]
    text = json.dumps({**row, "expected": wanted})
    for place, call in enumerate(row["expected"]):
        text = text.replace(f'"ARGS{place}"', "{ " + json.dumps(call["arguments"])[1:])
    return text.encode()


@given(draw_from.calls(4), OPTIONS, CHOICES)
def test_a_case_just_as_expected_scores_as_one_that_has_to_be_looked_at(
    calls: list[dict[str, Any]], options: dict[str, Any], chosen: list[str]
) -> None:
    row = {"id": "c", "tool_calls": calls, "expected": calls}
    plain, place = json.dumps(row).encode(), Source(path="d", line=1)
    quick = case_from_line(plain, row=0, source=place)
    looked_at = case_from_line(spaced(row), row=0, source=place)
    plan = plan_of(chosen, options)
    many = [quick, looked_at, quick, quick]
    tallies = {
        name: run(cases, plan)
        for name, cases in {"quick": [quick], "slow": [looked_at], "many": many}.items()
    }
    assert tallies["quick"][0] == tallies["slow"][0]
    assert shown(tallies["quick"][1][0].results) == shown(tallies["slow"][1][0].results)
    for found in tallies["many"][1]:
        assert shown(found.results) == shown(tallies["slow"][1][0].results)
    assert Tally.total([tallies["slow"][0]] * 4) == tallies["many"][0] or not calls or len(many) == 4


@given(st.lists(draw_from.calls(4), min_size=1, max_size=6), OPTIONS)
def test_cases_that_share_a_result_are_counted_as_if_each_stood_alone(
    lists: list[list[dict[str, Any]]], options: dict[str, Any]
) -> None:
    plan, place = plan_of(options=options), Source(path="d", line=1)
    rows = [
        {"id": f"c{number}", "tool_calls": calls, "expected": calls} for number, calls in enumerate(lists)
    ]
    quick = [case_from_line(json.dumps(row).encode(), row=n, source=place) for n, row in enumerate(rows)]
    slow = [case_from_line(spaced(row), row=n, source=place) for n, row in enumerate(rows)]
    assert run(quick, plan)[0] == run(slow, plan)[0]
    half = len(rows) // 2
    assert run(quick[:half] + slow[half:], plan)[0] == run(slow, plan)[0]


@given(draw_from.rows(), OPTIONS, st.data())
def test_a_result_does_not_depend_on_which_other_evaluators_run(
    row: dict[str, Any], options: dict[str, Any], data: st.DataObject
) -> None:
    together_plan = plan_of(data.draw(st.permutations(EVERY)), options)
    _, (together,) = run(cases_of([row]), together_plan)
    for planned in together_plan.evaluators:
        alone_plan = Plan((planned,), "")
        _, (alone,) = run(cases_of([row]), alone_plan)
        assert shown(alone.results) == shown([together.of(planned.id)])
        tally_alone, _ = run(cases_of([row]), alone_plan)
        tally_together, _ = run(cases_of([row]), together_plan)
        assert tally_alone.of(planned.id) == tally_together.of(planned.id)


@given(draw_from.rows(), OPTIONS)
def test_two_runs_of_one_input_are_equal(row: dict[str, Any], options: dict[str, Any]) -> None:
    plan = plan_of(options=options)
    first, second = (run(cases_of([row]), plan)[1] for _ in range(2))
    assert [shown(case.results) for case in first] == [shown(case.results) for case in second]


@given(draw_from.many_rows, OPTIONS)
def test_every_result_obeys_contract_4(rows: list[dict[str, Any]], options: dict[str, Any]) -> None:
    _, results = run(cases_of(rows), plan_of(options=options))
    for case in results:
        scored = [result for result in case.results if result.status == "scored"]
        for result in case.results:
            if result.status == "scored":
                assert result.score is not None
                assert 0.0 <= result.score <= 1.0
                # Where there are probabilities, the smallest of the required ones decides (contract 5).
                if result.evaluator != "tool_call_semantic" or result.score < result.threshold:
                    assert result.passed is (result.score >= result.threshold - 1e-9)
                assert result.label == (
                    "match" if result.score == 1 else "partial" if result.score else "mismatch"
                )
            else:
                assert (result.score, result.passed, result.label) == (None, None, result.status)
            assert result.reason.strip()
        errors = any(result.status == "error" for result in case.results)
        wanted = None if not scored and not errors else not errors and all(result.passed for result in scored)
        assert case.passed is wanted


def test_a_big_row_of_equal_cases_counts_every_one() -> None:
    row = {
        "tool_calls": [{"name": "f", "arguments": {"a": 1}}],
        "expected": [{"name": "f", "arguments": {"a": 1}}],
    }
    found = evaluate_cases([{**row, "id": str(number)} for number in range(5000)], suite="agent")
    tally = found.tally.of("tool_call_accuracy")
    assert (tally.cases, tally.scored, tally.passed, tally.scores.n) == (5000, 5000, 5000, 5000)
    assert tally.exact == {"f": 5000}


@pytest.mark.parametrize(
    "extra", [{"trial": 1}, {"verdict": True}, {"verdict": False}, {"trial": 0, "verdict": True}]
)
def test_trials_and_verdicts_of_perfect_cases_are_counted(extra: dict[str, Any]) -> None:
    row = {"id": "c", "tool_calls": [{"name": "f"}], "expected": [{"name": "f"}], **extra}
    tally = evaluate_cases([row, row], "tool_call_args").tally.of("tool_call_args")
    assert tally.trials == ({"c": [2, 2]} if "trial" in extra else {})
    assert tally.verdicts == ({(True, extra["verdict"]): 2} if "verdict" in extra else {})


def test_an_error_in_one_case_leaves_the_others() -> None:
    rows: list[Any] = [
        {"id": "a", "tool_calls": [], "expected": []},
        5,
        None,
        [],
        {"id": "e", "tool_calls": 5},
        {},
    ]
    found = list(evaluate_cases(rows, "tool_call_args"))
    assert [case.of("tool_call_args").status for case in found] == [
        *("scored", "error", "error", "error", "error", "not_evaluated")
    ]
    assert evaluate("tool_call_args", output=[], expected=[]).score == 1.0

"""What an option would gain is what a run with that option comes to; and causes add up to every lost point."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from rightcall import evaluate, evaluate_cases
from rightcall.app.cli.root import run
from rightcall.core.summing.summary import RunSummary
from rightcall.run.causes import all_lost, as_flag, sums_of
from rightcall.run.directory.replay import StoredRun
from rightcall.run.sets import list_evaluators
from rightcall.run.what_if import options_of, what_ifs, with_option
from tests import strategies as draw_from

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ["travel", "shop"]


def stored(out: Path, *words: str) -> StoredRun:
    assert run((*words, "--no-gate", "--out", str(out))) in (0, 3)
    return StoredRun(out)


def words_of(example: str) -> list[str]:
    folder = ROOT / "examples" / example
    return [
        "run",
        str(folder / "cases.jsonl"),
        "--tools",
        str(folder / "tools.json"),
        "--suite",
        "everything",
    ]


def every_option(summary: RunSummary) -> list[str]:
    return options_of((cause for found in summary.evaluators.values() for cause in found.causes), most=1000)


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize("given_", [(), ("--option", 'ignore_case=["/nowhere"]')], ids=["plain", "beside"])
def test_a_figure_is_that_of_a_run_with_the_option(
    example: str, given_: tuple[str, ...], tmp_path: Path
) -> None:
    words = [*words_of(example), *given_]
    before = stored(tmp_path / "before", *words)
    options = every_option(before.summary)
    assert options
    changed = 0
    for found in what_ifs(before, before.plan(()), options):
        option, text = as_flag(found.written).split(" ", 1)
        after = stored(tmp_path / "after", *words, option, text.strip("'")).summary
        assert (found.passed, found.passed_with) == (before.summary.passed, after.passed)
        for name, change in found.evaluators.items():
            mine, theirs = before.summary.evaluators[name], after.evaluators[name]
            assert (change.mean, change.passed) == (mine.mean, mine.passed)
            assert (change.mean_with, change.passed_with) == (theirs.mean, theirs.passed), (
                found.option,
                name,
            )
            changed += change.gained != 0
    assert changed


def test_an_option_stands_beside_what_was_said_before() -> None:
    said: dict[str, Any] = {"ignore": ["/a"], "name_map": {"x": "y"}, "args": "allow_extra", "strip": True}
    for option, written in (
        ('ignore=["/b"]', 'ignore=["/a", "/b"]'),
        ('ignore=["/a"]', 'ignore=["/a"]'),
        ('name_map={"p": "q"}', 'name_map={"x": "y", "p": "q"}'),
        ('ignore_case=["/b"]', 'ignore_case=["/b"]'),
    ):
        extended = with_option(said, option)
        assert extended is not None
        assert extended[1] == written
    assert with_option(said, 'args="allow_missing"') is None
    assert with_option(said, 'strip=["/a"]') is None
    assert with_option({"strip_name_prefix": "a_"}, 'strip_name_prefix="b_"') is not None


def test_explain_says_what_an_option_would_gain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"id": f"r{n}", "tool_calls": [call(city="OSLO")], "expected_tool_calls": [call(city="Oslo")]}
        for n in range(3)
    ]
    rows.append({"id": "r9", "tool_calls": [call(city="Rome")], "expected_tool_calls": [call(city="Oslo")]})
    data = tmp_path / "d.jsonl"
    data.write_text("\n".join(map(json.dumps, rows)))
    words = ("run", str(data), "-e", "tool_call_args", "--no-gate", "--out", str(tmp_path / "o"))
    run(words)
    capsys.readouterr()
    run(("explain", str(tmp_path / "o")))
    shown = " ".join(capsys.readouterr().out.split())
    assert "with that option the mean would be: tool_call_args 0.000 → 0.750; 0 → 3 cases would pass" in shown
    run(("explain", str(tmp_path / "o"), "--json"))
    (found,) = json.loads(capsys.readouterr().out)["what_if"]
    assert found["evaluators"]["tool_call_args"]["mean_with"] == 0.75
    data.write_text(json.dumps(rows[0]))
    assert run(("explain", str(tmp_path / "o"))) == 0
    assert "is not computed: " in capsys.readouterr().out


def call(**arguments: Any) -> dict[str, Any]:
    return {"name": "f", "arguments": arguments}


def adds_up(rows: Any, evaluators: list[str], **options: Any) -> int:
    """Check that every point an evaluator took off was lost to something; how many evaluators took points off."""
    run_ = evaluate_cases(rows, evaluators, **options)
    losing = 0
    for tally in run_.tally.evaluators.values():
        lost = sum(found.points for found in sums_of(tally).values())
        # Points are doubles, shared among differences; what rounding makes of them is below any figure shown.
        unit = Fraction(1, 1 << 1074)
        assert abs((lost - all_lost(tally)) * unit) <= Fraction(1, 10**12) * max(tally.scored, 1)
        losing += all_lost(tally) > 0
    return losing


ALL = list(list_evaluators())


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_causes_of_the_examples_add_up_to_all_lost_points(example: str) -> None:
    folder = ROOT / "examples" / example
    tools = json.loads((folder / "tools.json").read_text())
    rows = [json.loads(line) for line in (folder / "cases.jsonl").read_text().splitlines()]
    assert adds_up(rows, ALL, tools=tools) >= 8


def real_rows(file: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for line in file.read_text().splitlines():
        row = json.loads(line)
        wanted = "expected_any" if row.get("expected_any") is not None else "expected"
        rows.append({"id": row["id"], "tool_calls": row.get("actual"), wanted: row.get(wanted)})
        if row.get("tools"):
            rows[-1]["tools"] = row["tools"]
    return rows


@pytest.mark.slow
def test_the_causes_of_real_rows_add_up_to_all_lost_points(shared_data: Path) -> None:
    losing = 0
    for file in sorted((shared_data / "pairs_nolicence").glob("*.jsonl")):
        losing += adds_up(real_rows(file), ALL)
    assert losing > 50


@pytest.mark.slow
def test_a_figure_on_real_rows_is_that_of_a_run_with_the_option(shared_data: Path, tmp_path: Path) -> None:
    data = tmp_path / "rows.jsonl"
    rows = real_rows(shared_data / "pairs_nolicence/bfcl-v4-vllm.live_multiple.jsonl")
    data.write_text("\n".join(map(json.dumps, rows)))
    words = ["run", str(data), "--suite", "trajectory"]
    before = stored(tmp_path / "before", *words)
    options = every_option(before.summary)[:6]
    found = what_ifs(before, before.plan(()), options)
    assert found
    for each in found:
        option, text = as_flag(each.written).split(" ", 1)
        after = stored(tmp_path / "after", *words, option, text.strip("'")).summary
        for name, change in each.evaluators.items():
            assert (change.mean_with, change.passed_with) == (
                after.evaluators[name].mean,
                after.evaluators[name].passed,
            )


@given(draw_from.call_lists())
def test_whoever_takes_points_off_says_for_what(pair: Any) -> None:
    actual, expected = pair
    names = [name for name in ALL if name not in ("forbidden_tools", "tool_call_output")]
    results = evaluate(names, output=actual, expected=expected)
    for name, result in results.items():
        if result.status == "scored":
            assert (result.score == 1.0) == (not result.details.differences), name

"""`explain` of runs that ended early, of cases with very many calls, and of cases in error."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

RUN = ("run", "cases.jsonl", "--suite", "agent", "--no-gate", "--out", "o")


def write(*rows: Any) -> None:
    Path("cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def row(id: str = "r", made: Any = (), wanted: Any = ()) -> dict[str, Any]:
    return {"id": id, "tool_calls": made, "expected_tool_calls": wanted}


@pytest.mark.parametrize(
    ("ended", "words"), [("interrupted", "the run was interrupted"), ("broken", "broke off")]
)
def test_a_run_that_did_not_get_to_its_end_is_told(call: Callable[..., Any], ended: str, words: str):
    write(row())
    call(*RUN)
    for name, changes in (
        ("run.json", {"complete": False, "ended": ended}),
        ("summary.json", {"complete": False}),
    ):
        file = Path("o") / name
        file.write_text(json.dumps(json.loads(file.read_text()) | changes))
    for view in (("o",), ("o", "r")):
        text = call("explain", *view).out
        assert "incomplete: " in text
        assert words in text
        found = json.loads(call("explain", *view, "--json").out)
        assert (found["complete"], found["ended"]) == (False, ended)


def test_a_run_that_broke_off_is_told(call: Callable[..., Any]):
    Path("cases.csv").write_text('id,tool_calls,expected_tool_calls\nr1,[],[]\nr3,"[]"x,[]\n')
    assert call("run", "cases.csv", "-e", "tool_call_accuracy", "--out", "o").code == 3
    assert "incomplete: the data of the run broke off" in call("explain", "o").out


def test_a_whole_run_is_complete(call: Callable[..., Any]):
    write(row())
    call(*RUN)
    assert "incomplete" not in call("explain", "o").out + call("explain", "o", "r").out
    assert json.loads(call("explain", "o", "--json").out)["complete"] is True


def calls(count: int, *, shift: int = 0, name: str = "t") -> list[dict[str, Any]]:
    return [{"name": f"{name}{n % 5}", "arguments": {"i": n + shift * (n % 2)}} for n in range(count)]


def test_a_case_of_thousands_of_calls_is_explained_at_once(call: Callable[..., Any]):
    write(row(made=calls(5000), wanted=calls(5000, shift=1)))
    call(*RUN)
    start = time.process_time()
    done = call("explain", "o", "r")
    assert time.process_time() - start < 3
    assert len(done.out.splitlines()) < 200
    for words in (
        "and 4,960 more calls, 2,500 of them equal",
        "and 2,460 more differences",
        "too many calls",
    ):
        assert words in done.out
    assert "equal  " not in done.out.partition("Differences")[0].partition("Calls, as")[2]
    found = json.loads(call("explain", "o", "r", "--json").out)
    assert (found["steps"]["tool_call_accuracy"], len(found["actual"])) == (None, 5000)


@pytest.mark.parametrize("count", [40, 41])
def test_forty_of_each_are_shown_and_the_rest_is_counted(call: Callable[..., Any], count: int):
    wanted = [{"name": f"t{n}", "arguments": {"i": 0}} for n in range(count)]
    made = [{"name": f"t{n}", "arguments": {"i": 1}} for n in range(count)]
    write(row(made=made, wanted=wanted))
    call(*RUN)
    done = call("explain", "o", "r")
    parts = ("calls, 0 of them equal", "differences", "steps")
    assert [f"and 1 more {part}" in done.out for part in parts] == [count > 40] * 3
    assert "and 1 more" not in call("explain", "o", "r", "--tool", "t3").out
    assert done.out.count("differs") == 40


def test_a_call_of_very_many_arguments_is_cut(call: Callable[..., Any]):
    many = {f"k{n}": n for n in range(1000)}
    write(
        row(made=[{"name": "f", "arguments": {**many, "k999": 0}}], wanted=[{"name": "f", "arguments": many}])
    )
    call(*RUN)
    done = call("explain", "o", "r")
    assert "k999: 999" in done.out
    assert "and 960 more arguments" in done.out
    assert len(done.out.splitlines()) < 100


def test_errors_are_listed_up_to_ten(call: Callable[..., Any]):
    write(row(), *({"id": f"bad{n}", "tool_calls": n} for n in range(12)))
    done = call(*RUN)
    assert "and 7 more cases in error: rightcall explain o lists more" in done.err
    assert "--out DIR" in call(*RUN[:-2]).err
    listed = call("explain", "o").out
    assert "Cases in error" in listed
    assert "error in case bad0: cases.jsonl line 2: tool_calls: a number" in listed
    assert listed.count("error in case ") == 10
    assert "and 2 more" in listed
    assert "No points were lost" not in listed
    found = json.loads(call("explain", "o", "--json").out)
    assert (found["error_count"], len(found["errors"])) == (12, 10)
    assert found["errors"][0]["row"]["line"] == 2


def spelled(count: int) -> list[Any]:
    """Cases that differ in letter case, each by a tool of its own."""
    return [
        row(
            f"r{n}",
            [{"name": f"get_{n}", "arguments": {f"k{n}": ["a", n]}}],
            [{"name": f"get_{n}", "arguments": {f"k{n}": [n, "a"]}}],
        )
        for n in range(count)
    ]


GAIN = "with that option"


def test_of_many_options_it_is_said_how_many_were_tried(call: Callable[..., Any]):
    write(*spelled(7))
    call(*RUN)
    told = call("explain", "o").out
    assert told.count(GAIN) == 5
    assert "computed for the first 5 of 7 options" in told
    assert call("explain", "o", "--tool", "get_6").out.count(GAIN) == 1
    write(*spelled(5))
    call(*RUN)
    assert "computed for the first" not in call("explain", "o").out


def test_of_a_large_run_what_ifs_are_left_out_unless_asked_for(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
):
    write(*spelled(4))
    call(*RUN)
    assert call("explain", "o").out.count(GAIN) == 4
    assert GAIN not in call("explain", "o", "--no-what-if").out
    monkeypatch.setattr("rightcall.app.cli.explain.MOST_CASES", 3)
    done = call("explain", "o")
    assert GAIN not in done.out
    assert "not computed: 4 cases would be scored again with each option; add --what-if" in done.out
    found = json.loads(call("explain", "o", "--json").out)
    assert (found["what_if"], "add --what-if" in found["what_if_absent"]) == (None, True)
    assert call("explain", "o", "--what-if").out.count(GAIN) == 4
    found = json.loads(call("explain", "o", "--what-if", "--json").out)
    assert (len(found["what_if"]), found["what_if_absent"]) == (4, None)


def test_what_ifs_tell_how_far_they_are(call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch):
    write(*spelled(200))
    call(*RUN)
    assert call("explain", "o").err == ""
    monkeypatch.setattr("rightcall.app.cli.progress._PLAIN_EVERY", 0.0)
    lines = call("explain", "o").err.splitlines()
    assert lines[0].startswith("what options would gain: ")
    assert len(lines) > 1
    assert lines[-1] == "what options would gain: 200 of 200 cases"

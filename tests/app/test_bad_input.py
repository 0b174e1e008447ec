"""Bad input: a clear message with line and field, the documented exit code, everything else scored and kept."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CALLS = [{"name": "a", "arguments": {}}]


def row(id: str, **fields: Any) -> str:
    return json.dumps({"id": id, "tool_calls": CALLS, "expected_tool_calls": CALLS, **fields})


def lines_of(out: str = "out") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (Path(out) / "results.jsonl").read_text().splitlines()]


DEEP = (
    '{"id": "bad", "tool_calls": [{"name": "a", "arguments": '
    + '{"a":' * 100_000
    + "1"
    + "}" * 100_000
    + "}]}"
)

ROWS = [
    pytest.param('{"id": "bad", "tool_calls": [}', 3, "not valid JSON", id="broken JSON"),
    pytest.param("[1, 2]", 3, "a list where a case should be", id="a list"),
    pytest.param('"text"', 3, "a text where a case should be", id="a text"),
    pytest.param('{"id": "bad", "tool_calls": [], "input": NaN}', 3, "NaN", id="NaN"),
    pytest.param('{"id": "bad", "tool_calls": 42}', 3, "tool_calls: a number", id="calls that are a number"),
    pytest.param(
        '{"id": "bad", "tool_calls": [{"arguments": {}}]}', 3, "tool_calls[0]", id="a call without a name"
    ),
    pytest.param(
        '{"id": "bad", "tool_calls": [], "expected_tool_calls": [{"name": "a", "arguments": "{"}]}',
        3,
        "expected_tool_calls[0]",
        id="unreadable on the expected side",
    ),
]


@pytest.mark.parametrize(("bad", "code", "message"), ROWS)
def test_a_bad_row_costs_one_row(call: Callable[..., Any], bad: str, code: int, message: str):
    good = [row(f"r{n}") for n in range(1, 9)]
    Path("cases.jsonl").write_text("\n".join([*good[:6], bad, *good[6:]]) + "\n")
    done = call("run", "cases.jsonl", "-e", "tool_call_accuracy", "--out", "out")
    assert done.code == code
    assert "cases.jsonl line 7" in done.err
    assert message in done.err
    found = lines_of()
    assert [line["row"]["line"] for line in found] == list(range(1, 10))
    assert sum(line["status"] == "scored" for line in found) == 8
    assert call("run", "cases.jsonl", "-e", "tool_call_accuracy", "--max-errors", "1").code == 0


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(DEEP, id="100,000 levels"),
        pytest.param(
            row("bad", tool_calls=[{"name": "a", "arguments": {"x": "y" * 10_000_000}}]), id="10 MB"
        ),
        pytest.param(
            '{"id": "b\\ud800", "tool_calls": [{"name": "a", "arguments": {"x": "\\udc00"}}]}',
            id="half characters",
        ),
    ],
)
def test_an_odd_row_stops_nothing(call: Callable[..., Any], bad: str):
    Path("cases.jsonl").write_text(f"{row('r1')}\n{bad}\n{row('r3')}\n")
    done = call("run", "cases.jsonl", "-e", "tool_call_accuracy", "--out", "out", "--report", "json,junit,md")
    assert done.code in (0, 1, 3)
    found = lines_of()
    assert [line["score"] for line in found if line["id"] in ("r1", "r3")] == [1.0, 1.0]
    assert len(found) == 3


def test_a_repeated_id_is_told_and_both_rows_are_kept(call: Callable[..., Any]):
    Path("cases.jsonl").write_text(f"{row('r')}\n{row('r')}\n")
    done = call("run", "cases.jsonl", "-e", "tool_call_accuracy", "--out", "out")
    assert "stands in line 1 and in line 2" in done.out
    assert len(lines_of()) == 2


USAGE = [
    pytest.param(("missing.jsonl", "-e", "tool_call_accuracy"), "no such file", id="a missing file"),
    pytest.param(
        ("cases.jsonl", "-e", "tool_call_acuracy"), "'tool_call_accuracy'", id="an unknown evaluator"
    ),
    pytest.param(("cases.jsonl", "--suite", "agnet"), "'agent'", id="an unknown suite"),
    pytest.param(("cases.jsonl",), "no evaluator", id="no evaluator"),
    pytest.param(
        ("cases.jsonl", "-e", "tool_call_args", "--threshold", "1.5"), "threshold: 1.5", id="threshold 1.5"
    ),
    pytest.param(("cases.jsonl", "-e", "tool_call_args", "--threshold", "x"), "threshold", id="threshold x"),
    pytest.param(
        ("cases.jsonl", "-e", "tool_call_args", "--threshold", "nan"), "threshold", id="threshold NaN"
    ),
    pytest.param(("cases.jsonl", "-e", "tool_call_args", "--fail-under", "2"), "fail-under", id="gate 2"),
    pytest.param(("cases.jsonl", "-e", "tool_call_args", "--max-errors", "-1"), "max-errors", id="errors -1"),
    pytest.param(
        ("cases.jsonl", "-e", "tool_call_args", "--option", "ignore_cse=true"), "ignore_case", id="option"
    ),
    pytest.param(
        ("cases.jsonl", "-e", "tool_call_args", "--option", "ignore_case"), "NAME=JSON", id="no value"
    ),
    pytest.param(
        ("cases.jsonl", "-e", "tool_call_args", "--option", "args=subset"), "allow_extra", id="subset"
    ),
    pytest.param(
        ("cases.jsonl", "-e", "tool_call_args", "--config-json", "{'a': 1}"), "config-json", id="no JSON"
    ),
    pytest.param(
        ("cases.jsonl", "-e", "tool_call_args", "--config-json", "[]"), "config-json", id="no object"
    ),
    pytest.param(
        ("cases.jsonl", "-e", "tool_call_args", "--format", "plian"), "'plain'", id="an unknown format"
    ),
    pytest.param(
        ("cases.jsonl", "-e", "tool_call_args", "--map", "expcted=x"), "'expected'", id="an unknown field"
    ),
    pytest.param(
        ("cases.jsonl", "-e", "tool_call_args", "--map", "expected"), "FIELD=COLUMN", id="half a map"
    ),
    pytest.param(("cases.jsonl", "-e", "tool_call_args", "--where", "x"), "FIELD=VALUE", id="half a filter"),
    pytest.param(
        ("cases.jsonl", "-e", "tool_call_args", "--report", "json"), "--out", id="a report for nowhere"
    ),
    pytest.param(
        ("cases.jsonl", "-e", "tool_call_args", "--out", "o", "--report", "jsn"), "'json'", id="no report"
    ),
    pytest.param(
        ("cases.jsonl", "-e", "tool_call_args", "--case-timeout", "0"), "case-timeout", id="no time"
    ),
    pytest.param(("cases.jsonl", "-e", "nowhere:check"), "nowhere", id="no module"),
    pytest.param(("cases.jsonl", "-e", "json:nothing"), "nothing", id="no attribute"),
    pytest.param(("cases.jsonl", "-e", "json:dumps"), "rightcall.evaluator", id="no evaluator of one's own"),
    pytest.param(("cases.jsonl", "-e", "tool_call_args", "--tools", "none.json"), "none.json", id="no tools"),
    pytest.param(
        ("cases.jsonl", "-e", "tool_call_args", "--expected", "none.jsonl"), "none.jsonl", id="no gold"
    ),
    pytest.param(
        ("cases.jsonl", "-e", "tool_call_args", "--out", "cases.jsonl"), "is a file", id="out is a file"
    ),
    pytest.param(("cases.jsonl", "-e", "tool_call_args", "--out", "."), "not of a run", id="foreign files"),
    pytest.param(("cases.jsonl", "-e", "tool_call_args", "--oops"), "--oops", id="an unknown flag"),
    pytest.param((), "DATA", id="no data"),
]


@pytest.mark.parametrize(("arguments", "message"), USAGE)
def test_a_wrong_request_is_refused_before_any_work(
    call: Callable[..., Any], arguments: tuple[str, ...], message: str
):
    Path("cases.jsonl").write_text(row("r") + "\n")
    done = call("run", *arguments)
    assert done.code == 2
    assert message in done.err
    assert done.err.startswith("error: ")
    assert not done.out
    assert not Path("o").exists()


def test_files_that_hold_nothing(call: Callable[..., Any]):
    Path("empty.jsonl").touch()
    Path("folder").mkdir()
    os.mkfifo("pipe")
    Path("utf16.jsonl").write_bytes(row("r").encode("utf-16"))
    for data, message in (
        ("empty.jsonl", "no case"),
        ("folder", "no data file"),
        ("pipe", "not a regular file"),
        ("utf16.jsonl", "UTF-16"),
    ):
        done = call("run", data, "-e", "tool_call_accuracy")
        assert (done.code, message in done.err) == (3, True), (data, done.err)


def test_what_breaks_off_keeps_what_was_read(call: Callable[..., Any]):
    Path("cases.csv").write_text('id,tool_calls,expected_tool_calls\nr1,[],[]\nr2,[],[]\nr3,"[]"x,[]\n')
    done = call("run", "cases.csv", "-e", "tool_call_accuracy", "--out", "out")
    assert done.code == 3
    assert "cases.csv line 4" in done.err
    assert [line["id"] for line in lines_of()] == ["r1", "r2"]
    summary = json.loads(Path("out/summary.json").read_text())
    assert (summary["cases"], summary["complete"]) == (2, False)
    assert json.loads(Path("out/run.json").read_text())["ended"] == "broken"


def test_text_from_data_can_not_command_the_terminal(call: Callable[..., Any]):
    Path("cases.jsonl").write_text(row("\x1b[31mred\x07[bold]x[/bold]", tool_calls=[]) + "\n")
    done = call("run", "cases.jsonl", "-e", "tool_call_accuracy", "--out", "out")
    assert "\x1b" not in done.out + done.err
    assert "[bold]x[/bold]" in done.out


def test_an_unexpected_exception_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    from rightcall.app.cli import root, suites

    def broken() -> None:
        raise ZeroDivisionError("oh\nno")

    monkeypatch.setattr(suites, "list_suites", broken)
    monkeypatch.setenv("RIGHTCALL_DEBUG", "")
    assert root.run(["suites"]) == 4
    seen = capsys.readouterr().err
    assert "ZeroDivisionError: oh" in seen
    assert "RIGHTCALL_DEBUG=1" in seen
    assert "Traceback" not in seen
    monkeypatch.setenv("RIGHTCALL_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        root.run(["suites"])


def test_a_folder_reached_through_dots_and_hidden_folders_is_read(
    call: Callable[..., Any], tmp_path: Path
) -> None:
    folder = tmp_path / ".hidden" / "data"
    folder.mkdir(parents=True)
    (folder / "a.jsonl").write_text('{"tool_calls": [], "expected": []}\n')
    (folder / "tools.json").write_text('[{"name": "f"}]')
    (folder / ".b.jsonl").write_text("broken")
    for path in (".hidden/data", ".hidden/../.hidden/data"):
        ended = call("run", path, "-e", "tool_call_args")
        assert (ended.code, "1 case" in ended.out) == (0, True)


def test_an_empty_path_is_refused(call: Callable[..., Any]) -> None:
    assert call("run", "", "-e", "tool_call_args").code == 2


def test_filters_that_keep_nothing_say_so(call: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"tool_calls": [], "expected": []}\n')
    ended = call("run", "a.jsonl", "-e", "tool_call_args", "--where", "lnag=fr")
    assert ended.code == 3
    assert "'lnag'" in ended.err
    assert "none passed" in ended.err


def test_an_option_said_twice_adds_up_or_is_refused(call: Callable[..., Any], tmp_path: Path) -> None:
    row = '{"tool_calls": [{"name": "f", "args": {"a": "X", "b": "Y"}}], "expected": [{"name": "f", "args": {"a": "x", "b": "y"}}]}'
    (tmp_path / "a.jsonl").write_text(row)
    twice = ("--option", 'ignore_case=["/a"]', "--option", 'ignore_case=["/b"]')
    assert call("run", "a.jsonl", "-e", "tool_call_args", *twice).code == 0
    assert (
        call(
            "run", "a.jsonl", "-e", "tool_call_args", "--option", "args=ignore", "--option", "args=exact"
        ).code
        == 2
    )

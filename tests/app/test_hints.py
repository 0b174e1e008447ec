"""Hints that a screen prints work when they are pasted into a shell."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rightcall.run.causes import as_flag, fix_for


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ('args="allow_extra"', ["--option", "args=allow_extra"]),
        ('ignore_case=["/city"]', ["--option", 'ignore_case=["/city"]']),
        ('ignore=["/it\'s $HOME"]', ["--option", 'ignore=["/it\'s $HOME"]']),
        ("schema_defaults=true", ["--option", "schema_defaults=true"]),
        ('unicode={"/q": "NFC"}', ["--option", 'unicode={"/q": "NFC"}']),
        ('args="true"', ["--option", 'args="true"']),
    ],
)
def test_an_option_is_shown_as_it_is_typed(option: str, words: list[str]):
    assert shlex.split(as_flag(option)) == words
    assert fix_for("case", "f", "/q", option).endswith(as_flag(option))


def case(id: str, made: Any, wanted: Any) -> str:
    calls = [[{"name": "f", "arguments": arguments}] for arguments in (made, wanted)]
    return json.dumps({"id": id, "tool_calls": calls[0], "expected_tool_calls": calls[1]})


FLAG = re.compile(r"--option .*$", re.MULTILINE)

ARGUMENTS = [
    pytest.param({"city": "Paris"}, {"city": "paris"}, id="case"),
    pytest.param({"a": 1, "b": 2}, {"a": 1}, id="extra"),
    pytest.param({"it's a $(long) name " * 9: "X"}, {"it's a $(long) name " * 9: "x"}, id="a long odd name"),
    pytest.param({"r": 0.1 + 0.2}, {"r": 0.3}, id="precision"),
]


@pytest.mark.parametrize("width", ["60", "110"])
@pytest.mark.parametrize(("made", "wanted"), ARGUMENTS)
def test_the_flag_of_a_screen_makes_the_case_pass(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, width: str, made: Any, wanted: Any
):
    monkeypatch.setenv("COLUMNS", width)
    Path("cases.jsonl").write_text(case("r", made, wanted) + "\n")
    output, expected = (json.dumps([{"name": "f", "arguments": item}]) for item in (made, wanted))
    screens = [
        call("run", "cases.jsonl", "-e", "tool_call_args", "--out", "out"),
        call("explain", "out"),
        call("explain", "out", "r"),
        call("eval", "tool_call_args", "--output", output, "--expected", expected),
    ]
    for screen in screens:
        (flag,) = FLAG.findall(screen.out)
        assert call("run", "cases.jsonl", "-e", "tool_call_args", *shlex.split(flag)).code == 0, flag


@pytest.mark.parametrize("id", ["a b", "it's", "-x", "--json", "$HOME `x` * ; #", "ü😀"])
@pytest.mark.parametrize("out", ["o", "o o", "-o"])
def test_the_next_command_explains_the_case(call: Callable[..., Any], id: str, out: str):
    Path("cases.jsonl").write_text(case(id, {}, {"a": 1}) + "\n")
    done = call("run", "cases.jsonl", "-e", "tool_call_args", f"--out={out}")
    ranked = call("explain", "--", out)
    for screen in (done, ranked):
        (line,) = [line for line in screen.out.splitlines() if line.startswith("next: ")]
        words = shlex.split(line.removeprefix("next: "))
        assert words[0] == "rightcall"
        explained = call(*words[1:])
        assert (explained.code, "Differences" in explained.out) == (0, True), explained.err


@pytest.mark.parametrize("id", ["a\nb", "\x1b[31m", "a\u202eb", "x" * 81, "\x7f"])
def test_an_id_that_can_not_be_typed_is_not_offered(call: Callable[..., Any], id: str):
    bad = case(id, {}, {"a": 1})
    Path("cases.jsonl").write_text(f"{bad}\n{case('good', {}, {'a': 1})}\n")
    assert (
        "next: rightcall explain o good\n"
        in call("run", "cases.jsonl", "-e", "tool_call_args", "--out", "o").out
    )
    Path("cases.jsonl").write_text(f"{bad}\n")
    assert "next:" not in call("run", "cases.jsonl", "-e", "tool_call_args", "--out", "o").out


def test_a_long_id_is_cut_on_screens_and_whole_in_files(call: Callable[..., Any]):
    name = "x" * 300
    Path("cases.jsonl").write_text(f"{case(name, {}, {'a': 1})}\n{case(name + 'y', {}, {'a': 1})[:-1]}\n")
    run = call("run", "cases.jsonl", "-e", "tool_call_args", "--out", "o")
    for screen in (run, call("explain", "o"), call("explain", "o", name)):
        seen = screen.out + screen.err
        assert "x" * 79 + "…" in seen
        assert "x" * 80 not in seen
    assert name in Path("o/results.jsonl").read_text()


def test_an_unknown_flag_names_the_one_that_was_meant(call: Callable[..., Any]):
    done = call("run", "x.jsonl", "--suit", "agent")
    assert done.code == 2
    assert "unknown option '--suit' (did you mean '--suite'?)" in done.err
    assert "did you mean" not in call("run", "x.jsonl", "--zzz").err

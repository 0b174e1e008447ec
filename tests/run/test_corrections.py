"""What is proposed for a golden set holds: applied, every case that it claims passes in every trial of every run."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rightcall.app.cli.root import run as command
from rightcall.run.directory.replay import StoredRun
from rightcall.run.golden.corrections import Correction, corrections
from rightcall.run.golden.gold_rows import patch_of
from tests.conftest import ROOT

Call = dict[str, Any]


def call(name: str = "f", **arguments: Any) -> Call:
    return {"name": name, "arguments": arguments}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(name: str, rows: list[Any]) -> str:
    Path(name).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return name


def made_run(out: str, *words: str, evaluator: str = "tool_call_accuracy") -> Path:
    shutil.rmtree(out, ignore_errors=True)
    assert command(("run", *words, "-e", evaluator, "--out", out, "--no-gate")) == 0
    return Path(out)


def applied(gold: str, found: list[Correction], tool: str = "patch") -> None:
    Path("fix.patch").write_bytes(patch_of(gold, found))
    if Path("fix.patch").read_bytes():
        how = ["apply", "-p0", "--unsafe-paths", "fix.patch"] if tool == "git" else ["-p0", "-i", "fix.patch"]
        subprocess.run([tool, *how], check=True, capture_output=True, text=True)


def verdicts(run: Path) -> dict[str, list[bool | None]]:
    found: dict[str, list[bool | None]] = {}
    for record in StoredRun(run).cases():
        found.setdefault(record.id, []).append(record.passed)
    return found


def test_a_case_of_which_one_trial_passes_is_not_failed_alike() -> None:
    shutil.copytree(ROOT / "examples" / "travel", "travel")
    gold = "travel/cases.jsonl"
    run = made_run("first", gold, "--tools", "travel/tools.json")
    found = corrections(gold, [run])
    before = verdicts(run)
    assert len(found) > 3
    assert all(passed is False for item in found for passed in before[item.case])
    assert {"travel-14-business-to-singapore", "travel-29-midnight-timestamp"} <= before.keys()
    assert any(True in trials and False in trials for trials in before.values())
    applied(gold, found)
    after = verdicts(made_run("second", gold, "--tools", "travel/tools.json"))
    claimed = {item.case for item in found if item.calls is not None}
    assert claimed
    assert all(
        after[case] == ([True] * len(trials) if case in claimed else trials)
        for case, trials in before.items()
    )


def test_trials_that_fail_in_different_ways_are_not_listed() -> None:
    rows = [
        {"id": "a", "trial": number, "tool_calls": [made], "expected": [call(x=1)]}
        for number, made in enumerate((call(x=2), call(x=3)))
    ]
    assert corrections(written("gold.jsonl", rows), [made_run("one", "gold.jsonl")]) == []


def test_what_helps_one_trial_and_not_the_other_is_not_proposed() -> None:
    # Both make one call too many: the same difference, but no list of calls equals both.
    rows = [
        {"id": "a", "trial": number, "tool_calls": [call(x=1), call("g", x=number)], "expected": [call(x=1)]}
        for number in (0, 1)
    ]
    (found,) = corrections(written("gold.jsonl", rows), [made_run("one", "gold.jsonl")])
    assert found.calls is None
    assert found.unproposed is not None


KINDS: dict[str, tuple[list[Any], list[Any], str]] = {
    "renamed key": ([call(city="a")], [call(town="a")], "f: town = 'a'"),
    "wrapped": ([call(city="a", day=1)], [call(input={"city": "a", "day": 1})], "input"),
    "unwrapped": ([call(input={"city": "a", "day": 1})], [call(city="a", day=1)], "no input"),
    "moved": ([call(a={"k": "long"}, b={})], [call(a={}, b={"k": "long"})], "b/k"),
    "missing": ([call(a=1, b=2)], [call(a=1)], "no b"),
    "extra": ([call(a=1)], [call(a=1, b=2)], "b = 2"),
    "type": ([call(a=5)], [call(a="5")], "a = '5'"),
    "value": ([call(a={"b": [1, 2]})], [call(a={"b": [1, 3]})], "a/b/1 = 3"),
    "null": ([call(a=None)], [call()], "no a"),
    "double encoded": ([call(a={"b": 1})], [call(a='{"b": 1}')], "a ="),
    "scalar for a list": ([call(a=["x"])], [call(a="x")], "a = 'x'"),
    "list length": ([call(a=[1, 2])], [call(a=[1])], "a = [1]"),
    "list order": ([call(a=[1, 2])], [call(a=[2, 1])], "a = [2,1]"),
    "wrong tool": ([call("f", a=1)], [call("g", a=1)], "g instead of f"),
    "name case": ([call("get_it", a=1)], [call("getIt", a=1)], "getIt instead of get_it"),
    "missing call": ([call(a=1), call("g")], [call(a=1)], "no g"),
    "extra call": ([call(a=1)], [call("g", b=2), call(a=1)], 'also g({"b":2})'),
    "a call repeated": ([call(a=1)], [call(a=1), call(a=1)], "also f"),
    "another number of calls": ([call(a=1), call(a=2)], [call(a=3)], "f"),
    "looks like a matcher": ([call(a=1)], [call(a={"$any": True})], "a ="),
    "matcher": ([call(a={"$one_of": [1, 2]}, b={"$any": True})], [call(a=3, b=4)], "f: a = 3"),
    "optional": ([call(a=1, b={"$optional": 1})], [call(a=2)], "f: a = 2"),
    "absent": ([call(a=1, b={"$absent": True})], [call(a=1, b=1)], "b = 1"),
    "literal": ([call(a={"$literal": {"$x": 1}})], [call(a={"$x": 2})], "a"),
    "arguments like a matcher": ([call(a=1)], [{"name": "f", "arguments": {"$any": True}}], "f"),
    "arguments as they are": (
        [{"name": "f", "arguments": {"$literal": {"$any": True}}}],
        [{"name": "f", "arguments": {"$any": False}}],
        "f",
    ),
    "alternatives": ([call(a=1) | {"alternatives": [call(a=2)]}], [call(a=3)], 'f: or f({"a":3})'),
    "alternatives alone": ([{"alternatives": [call(a=1), call("g")]}], [call(a=3)], "f"),
    "counted": ([call(a=1) | {"count": {"min": 2}}], [call(a=2), call(a=2)], ""),
    "optional call": ([call(a=1), call("g") | {"optional": True}], [call(a=2)], "f: a = 2"),
    "options": ([call(a=1, t=5) | {"options": {"ignore": ["/t"]}}], [call(a=2, t=6)], "f: a = 2"),
    "openai": (
        [{"type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}],
        [call(a={"$x": 2})],
        "a =",
    ),
    "text": ([{"name": "f", "arguments": '{"a": 1, "b": 2}'}], [call(a=3, b=2)], "f: a = 3"),
    "one key": ([{"f": {"a": 1}}], [call(a=2)], "f"),
    "args": ([{"tool": "f", "args": {"a": 1}}], [call(a=2)], "f: a = 2"),
    "no arguments": ([{"name": "f"}], [call(a=2)], "a = 2"),
    "message": (
        [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}],
        [call(a=2)],
        "",
    ),
}


@pytest.mark.parametrize("evaluator", ["tool_call_accuracy", "trajectory_match", "argument_accuracy"])
def test_each_kind_of_difference_is_proposed_and_passes_once_applied(evaluator: str) -> None:
    rows = [
        {"id": kind, "expected_tool_calls": expected, "tool_calls": made}
        for kind, (expected, made, _) in KINDS.items()
    ]
    gold = written("gold.jsonl", rows)
    run = made_run("first", gold, evaluator=evaluator)
    found = {item.case: item for item in corrections(gold, [run])}
    failing = {case for case, passed in verdicts(run).items() if passed == [False]}
    assert found.keys() == failing
    assert len(failing) > 25
    for case, item in found.items():
        assert item.calls is not None, (case, item)
        assert KINDS[case][2] in "; ".join(item.proposed), (case, item.proposed)
    applied(gold, list(found.values()))
    assert all(
        passed == [True] for passed in verdicts(made_run("second", gold, evaluator=evaluator)).values()
    )


def test_a_text_that_fits_and_matchers_that_fit_stay() -> None:
    expected = [call(a={"$one_of": ["x", "y"]}, b={"c": {"$any": True}, "d": 1.0}, e=1), call("g", q=1.50)]
    row = {
        "id": "1",
        "expected_tool_calls": expected,
        "tool_calls": [call(a="y", b={"c": 5, "d": 2}, e=1), call("g", q=1.5)],
    }
    gold = written("gold.jsonl", [row])
    before = Path(gold).read_text()
    applied(gold, corrections(gold, [made_run("one", gold)]))
    assert Path(gold).read_text() == before.replace('"d": 1.0', '"d": 2')


@pytest.mark.parametrize("seed", range(3))
def test_whatever_differs_what_is_claimed_passes(seed: int) -> None:
    source = random.Random(seed)  # noqa: S311 - seeded test data
    values: list[Any] = [
        *range(3),
        "a",
        "A",
        "5",
        None,
        True,
        [1],
        [1, 2],
        {"k": 1},
        {"k": {"m": "v"}},
        '{"k": 1}',
        {"$any": 1},
    ]

    def one() -> Call:
        names = source.sample(["city", "town", "day", "x/y", "n"], source.randint(0, 3))
        return call(source.choice(["f", "g", "h"]), **{name: source.choice(values) for name in names})

    rows = []
    for number in range(60):
        made = [one() for _ in range(source.randint(0, 3))]
        wanted = json.loads(json.dumps(made))
        for item in wanted:
            item["arguments"] = {
                key: {"$literal": value} if isinstance(value, dict) and "$any" in value else value
                for key, value in item["arguments"].items()
            }
            if source.random() < 0.5:
                item["arguments"].pop(next(iter(item["arguments"]), ""), None)
            if source.random() < 0.3:
                item["arguments"]["more"] = source.choice(values[:-1])
            if source.random() < 0.2:
                item["alternatives"] = [call("h", n=1)]
            elif source.random() < 0.2:
                item["optional"] = True
        source.shuffle(wanted)
        wanted = wanted[source.randint(0, 1) :]
        rows.append({"id": str(number), "tool_calls": made, "expected_tool_calls": wanted})
    for evaluator in ("tool_call_accuracy", "tool_call_f1", "tool_call_order"):
        gold = written("gold.jsonl", rows)
        run = made_run("first", gold, evaluator=evaluator)
        found = corrections(gold, [run])
        before = verdicts(run)
        assert sum(item.calls is not None for item in found) >= 0.9 * len(found)
        applied(gold, found)
        after = verdicts(made_run("second", gold, evaluator=evaluator))
        claimed = {item.case for item in found if item.calls is not None}
        for case, passed in after.items():
            assert passed == ([True] if case in claimed else before[case]), (evaluator, case)


ROWS = [
    {"id": str(number), "input": "caf\u00e9", "expected_tool_calls": [call(a=1, b=1.5), call("g")]}
    for number in range(4)
]


def spelled(form: str) -> bytes:
    text = [json.dumps(row, ensure_ascii=form == "escaped") for row in ROWS]
    if form == "array":
        return ("[" + ", ".join(text) + "]").encode()
    if form == "pretty":
        return json.dumps(ROWS, indent=2).encode()
    if form == "tight":
        return "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in ROWS).encode()
    end = "\r\n" if "crlf" in form else "\n"
    return (
        b"\xef\xbb\xbf" * ("bom" in form)
        + b"\n" * ("blank" in form)
        + "".join(line + end for line in text).encode()
    )


@pytest.mark.parametrize("tool", ["git", "patch"])
@pytest.mark.parametrize(
    "form", ["plain", "bom", "crlf", "bom crlf", "blank", "escaped", "tight", "array", "pretty", "bom array"]
)
def test_every_row_is_patched_and_keeps_its_spelling(form: str, tool: str) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"no {tool} here")
    data = b"\xef\xbb\xbf" + spelled("array") if form == "bom array" else spelled(form)
    gold = "gold.json" if form in ("array", "pretty", "bom array") else "gold.jsonl"
    Path(gold).write_bytes(data)
    written("data.jsonl", [{"id": row["id"], "tool_calls": [call(a=7, b=1.5), call("g")]} for row in ROWS])
    found = corrections(gold, [made_run("one", "data.jsonl", "--expected", gold)])
    assert [item.case for item in found] == ["0", "1", "2", "3"]
    assert all(item.proposed == ("f: a = 7",) for item in found)
    applied(gold, found, tool)
    assert Path(gold).read_bytes() == data.replace(b'"a": 1,', b'"a": 7,').replace(b'"a":1,', b'"a":7,')
    assert set(map(tuple, verdicts(made_run("two", "data.jsonl", "--expected", gold)).values())) == {(True,)}


def test_one_of_several_paths_is_corrected() -> None:
    rows = [
        {
            "id": "p",
            "expected_any_of": [[call("g")], [call(a=1), call("h")]],
            "tool_calls": [call(a=2), call("h")],
        }
    ]
    gold = written("gold.jsonl", rows)
    applied(gold, corrections(gold, [made_run("one", gold)]))
    assert json.loads(Path(gold).read_text())["expected_any_of"] == [[call("g")], [call(a=2), call("h")]]


def test_a_folder_of_sets_is_patched_file_by_file() -> None:
    Path("sets").mkdir()
    for name in ("a", "b"):
        written(f"sets/{name}.jsonl", [{"id": name, "expected": [call(a=1)], "tool_calls": [call(a=name)]}])
    applied("sets", corrections("sets", [made_run("one", "sets")]))
    assert set(map(tuple, verdicts(made_run("two", "sets")).values())) == {(True,)}

"""Gates from flags, environment and files, and the comparison of runs, as a person meets them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CALL = [{"name": "pay", "arguments": {"n": 1}}]
DONE: dict[str, Any] = {"1": CALL, "h": [{"name": "pay", "arguments": {"n": 2}}], "0": [], "e": 42, "-": None}
ONE = ("-e", "tool_call_accuracy")


def write(file: str, word: str, *, start: int = 0, **fields: Any) -> None:
    rows = [
        {"id": f"c{start + n}", "tool_calls": DONE[letter], "expected_tool_calls": CALL, **fields}
        for n, letter in enumerate(word)
    ]
    Path(file).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def runs(call: Callable[..., Any]) -> Callable[..., Any]:
    """Write the data `old.jsonl` and `new.jsonl`, and make of the first the run `old`."""

    def made(before: str, after: str, *evaluators: str, start: int = 0) -> None:
        write("old.jsonl", before)
        write("new.jsonl", after, start=start)
        done = call("run", "old.jsonl", *(evaluators or ONE), "--out", "old", "--no-gate")
        assert done.code == (3 if "e" in before else 0), done.err

    return made


def test_a_run_that_is_no_worse_meets_the_gate(call: Callable[..., Any], runs: Callable[..., Any]) -> None:
    runs("1" * 12 + "0" * 8, "1" * 11 + "0" * 9)
    done = call("run", "new.jsonl", *ONE, "--baseline", "old")
    assert done.code == 0  # eight cases fail, which without a gate option would be a missed gate
    assert "gate met     baseline: tool_call_accuracy is not shown to be worse than old" in done.out
    assert "could show a loss of" in done.out.replace("\n", " ")


def test_cases_that_the_new_run_lacks_are_told(call: Callable[..., Any], runs: Callable[..., Any]) -> None:
    runs("1" * 20, "1" * 14)
    for words in ((), ("--out", "new")):
        done = call("run", "new.jsonl", *ONE, "--baseline", "old", *words)
        assert done.code == 0
        said = " ".join(done.out.split())
        assert "baseline: 6 cases of old are not in this run, and count for nothing: c14, c15, c16 .." in said


def test_a_run_whose_results_were_shortened_is_compared_with_nothing(
    call: Callable[..., Any], runs: Callable[..., Any]
) -> None:
    runs("1" * 20, "1" * 20)
    call("run", "new.jsonl", *ONE, "--out", "new")
    lines = Path("new/results.jsonl").read_bytes().splitlines(keepends=True)
    Path("new/results.jsonl").write_bytes(b"".join(lines[:7]))
    for sides in (("old", "new"), ("new", "old")):
        done = call("compare", *sides)
        assert done.code == 3
        assert "holds 7 cases, its summary 20" in done.err


def test_a_run_that_is_worse_misses_it_with_or_without_a_directory(
    call: Callable[..., Any], runs: Callable[..., Any]
) -> None:
    runs("1" * 20, "1" * 12 + "h" * 8)
    for words in ((), ("--out", "new", "--report", "md,json,html")):
        done = call("run", "new.jsonl", *ONE, "--baseline", "old", *words)
        assert done.code == 1
        assert "gate missed  baseline: tool_call_accuracy is worse than old" in done.out
        assert call("run", "new.jsonl", *ONE, "--baseline", "old", "--no-gate", *words).code == 0
    summary = json.loads(Path("new/summary.json").read_text(encoding="utf-8"))
    (gate,) = [gate for gate in summary["gates"] if gate["gate"] == "baseline"]
    assert (gate["asked"], gate["measured"], gate["met"]) == (0.0, -0.2, False)
    assert gate["interval"]["method"] == "bca"
    assert gate["interval"]["high"] < 0
    assert "McNemar" in gate["method"]
    assert "is worse than old" in Path("new/report.md").read_text(encoding="utf-8")
    kept = call("run", "new.jsonl", *ONE, "--baseline", "old", "--json")
    (same,) = [one for one in json.loads(kept.out)["gates"] if one["gate"] == "baseline"]
    assert same == {**gate, "exit_code": 1}


def test_standard_input_is_compared_too(
    call: Callable[..., Any], runs: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io
    import sys

    runs("1" * 20, "1" * 10 + "0" * 10)

    class Stream(io.StringIO):
        buffer = io.BytesIO(Path("new.jsonl").read_bytes())

    monkeypatch.setattr(sys, "stdin", Stream())
    done = call("run", "-", *ONE, "--baseline", "old")
    assert (done.code, "is worse than old" in done.out) == (1, True)


def test_max_regression_and_strict_baseline(call: Callable[..., Any], runs: Callable[..., Any]) -> None:
    runs("h" * 40, "h" * 32 + "0" * 8)
    words = ("run", "new.jsonl", *ONE, "--baseline", "old")
    assert call(*words).code == 1
    assert call(*words, "--max-regression", "0.2").code == 0
    runs("1" * 40, "1" * 39 + "h")
    assert call(*words).code == 0
    done = call(*words, "--strict-baseline")
    assert done.code == 1
    assert "gate missed  strict baseline: 1 case that passed in old does not pass now: c39" in done.out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        pytest.param(("--baseline", "none"), 2, "baseline: no run directory: none", id="nothing there"),
        pytest.param(("--baseline", "new.jsonl"), 2, "baseline: no run directory", id="a file"),
        pytest.param(("--baseline", ""), 2, "an empty path", id="an unset variable"),
        pytest.param(("--baseline", "old", "--out", "old"), 2, "is what --out would replace", id="itself"),
        pytest.param(
            ("--baseline", "old/../old", "--out", "./old"), 2, "--out would replace", id="by a detour"
        ),
        pytest.param(("--max-regression", "0.1"), 2, "add --baseline RUN", id="nothing to compare with"),
        pytest.param(("--strict-baseline",), 2, "add --baseline RUN", id="nothing to be strict about"),
        pytest.param(
            ("--baseline", "old", "--max-regression", "2"), 2, "max-regression: 2.0 is not", id="over 1"
        ),
        pytest.param(
            ("--baseline", "old", "--max-regression", "nan"), 2, "max-regression: nan is not", id="no number"
        ),
        pytest.param(
            ("--baseline", "old", "-e", "redundant_calls"),
            2,
            "old has none of the chosen evaluators (it has tool_call_accuracy)",
            id="other evaluators",
        ),
        pytest.param(
            ("--fail-under", "tool_call_acuracy@tag:a=0.9"), 2, "did you mean 'tool_call_accuracy'", id="typo"
        ),
    ],
)
def test_what_is_refused_before_any_work(
    call: Callable[..., Any], runs: Callable[..., Any], words: tuple[str, ...], code: int, said: str
) -> None:
    runs("1111", "1111")
    before = Path("old/results.jsonl").read_bytes()
    chosen = () if "-e" in words else ONE
    done = call("run", "new.jsonl", *chosen, *words)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert Path("old/results.jsonl").read_bytes() == before


def test_a_baseline_of_other_data_is_refused_before_any_work(
    call: Callable[..., Any], runs: Callable[..., Any]
) -> None:
    runs("1111", "1111", start=100)
    done = call("run", "new.jsonl", *ONE, "--baseline", "old", "--out", "new")
    assert done.code == 2
    assert "old has none of the ids of this data" in done.err
    assert not Path("new").exists()


def test_a_baseline_that_broke_off_or_is_damaged_is_refused(
    call: Callable[..., Any], runs: Callable[..., Any]
) -> None:
    runs("1111", "1111")
    words = ("run", "new.jsonl", *ONE, "--baseline", "old")
    results, record = Path("old/results.jsonl"), Path("old/run.json")
    whole, said = results.read_text(encoding="utf-8"), record.read_text(encoding="utf-8")
    record.write_text(
        said.replace('"complete": true', '"complete": false').replace(
            '"ended": "complete"', '"ended": "interrupted"'
        )
    )
    done = call(*words)
    assert (done.code, "old is incomplete: the run was interrupted" in done.err) == (2, True)
    record.write_text(said)
    results.write_text(whole.replace('"status":"scored"', '"status":7', 1), encoding="utf-8")
    done = call(*words)
    assert (done.code, "results.jsonl line 1" in done.err) == (3, True)
    results.write_text("".join(whole.splitlines(keepends=True)[:2]), encoding="utf-8")
    done = call(*words)
    assert (done.code, "holds 2 cases, its summary 4" in done.err) == (3, True)
    results.unlink()
    assert call(*words).code == 3


def test_gates_from_the_file_and_the_environment(
    call: Callable[..., Any], runs: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs("1" * 20, "1" * 12 + "0" * 8)
    write("tagged.jsonl", "110", tags=["refunds"])
    file = Path("rightcall.toml")
    words = ("run", "new.jsonl", *ONE)
    file.write_text('[gates]\nbaseline = "old"\nmax-regression = 0.1\nstrict_baseline = true\n')
    done = call(*words)
    assert done.code == 1
    assert "gate missed  baseline" in done.out
    assert "gate missed  strict baseline" in done.out
    file.write_text(
        '[gates]\nfail_under = { "tool_call_accuracy@tag:refunds" = 0.9, tool_call_accuracy = 0.5 }\n'
    )
    done = call("run", "tagged.jsonl", *ONE)
    assert done.code == 1
    assert "gate met     fail under: mean of tool_call_accuracy is 0.667" in done.out
    assert "gate missed  fail under: mean of tool_call_accuracy on tag:refunds is 0.667" in done.out
    file.unlink()
    Path("pyproject.toml").write_text('[tool.rightcall.gates]\nmin_pass_rate = ["@tool:pay=0.9"]\n')
    assert call("run", "tagged.jsonl", *ONE).code == 1
    assert call("run", "tagged.jsonl", *ONE, "--min-pass-rate", "@tool:pay=0.5").code == 0
    Path("pyproject.toml").unlink()
    monkeypatch.setenv("RIGHTCALL_BASELINE", "old")
    assert call(*words).code == 1
    monkeypatch.setenv("RIGHTCALL_NO_GATE", "1")
    assert call(*words).code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[gates]\nfail_over = 0.5\n", "unknown gate 'fail_over'"),
        ("gates = 7\n", "gates is no table"),
        ("fail_under = 0.5\n[gates]\nfail-under = 0.5\n", "fail-under stands in [gates] and beside it"),
        ("[gates]\nsuite = 'agent'\n", "unknown gate 'suite'"),
    ],
)
def test_a_table_of_gates_that_is_wrong_is_refused(call: Callable[..., Any], text: str, said: str) -> None:
    write("cases.jsonl", "1")
    Path("rightcall.toml").write_text(text)
    done = call("run", "cases.jsonl", *ONE)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_several_gates_are_each_shown(call: Callable[..., Any], runs: Callable[..., Any]) -> None:
    runs("1" * 20, "1" * 19 + "0")
    gates = (
        "--fail-under",
        "0.99",
        "--min-pass-rate",
        "0.9",
        "--fail-under",
        "@tag:x=0.5",
        "--baseline",
        "old",
    )
    done = call("run", "new.jsonl", *ONE, *gates)
    lines = [line.split(":")[0] for line in done.out.splitlines() if line.startswith("gate ")]
    assert lines == [
        "gate missed  fail under",
        "gate missed  fail under",
        "gate met     min pass rate",
        "gate met     baseline",
    ]
    assert done.code == 1


def test_compare_gives_a_verdict_a_table_and_an_exit_code(
    call: Callable[..., Any], runs: Callable[..., Any]
) -> None:
    runs("1" * 20 + "0", "1" * 12 + "h" * 8 + "1")
    assert call("run", "new.jsonl", *ONE, "--out", "new", "--no-gate").code == 0
    done = call("compare", "old", "new")
    assert done.code == 1
    for words in (
        "new is worse than old in tool_call_accuracy · 21 cases in both",
        "0.952 → 0.810",
        "-0.143",
        "regressed",
        "smallest change that could have been shown: ",
        "Regressed cases: tool_call_accuracy 8",
        "c12  tool_call_accuracy 1.000 → 0.500",
        "Improved cases: tool_call_accuracy 1",
        "warning: they read different data: old.jsonl; new.jsonl",
        "next: rightcall explain new c12",
    ):
        assert words in done.out
    assert call("compare", "old", "new", "--no-gate").code == 0
    asked = call("compare", "old", "new", "--max-regression", "0.01", "--strict-baseline").out
    assert "gate missed  baseline: tool_call_accuracy is worse than old" in asked
    assert "gate missed  strict baseline: 8 cases that passed in old do not pass now" in asked
    back = call("compare", "new", "old")
    assert back.code in (0, 1)
    assert call("compare", "old", "old").code == 0
    assert "is not shown to differ from" in call("compare", "old", "old").out
    assert call("compare", "old", "old", "--strict-baseline").code == 0
    assert call("compare", "new", "old", "--strict-baseline", "--max-regression", "0.5").code == 1


def test_compare_for_machines(call: Callable[..., Any], runs: Callable[..., Any]) -> None:
    runs("1" * 20, "1" * 12 + "h" * 8)
    call("run", "new.jsonl", *ONE, "--out", "new", "--no-gate")
    done = call("compare", "old", "new", "--json")
    found = json.loads(done.out)
    assert (done.code, found["format"], found["verdict"], found["changed"]) == (1, 1, "regressed", 8)
    item = found["evaluators"]["tool_call_accuracy"]
    assert (item["regressed"]["count"], item["table"]["only_a_passed"]) == (8, 8)
    assert found["changes"][0]["id"] == "c12"
    assert [gate["met"] for gate in found["gates"]] == [False]


@pytest.mark.parametrize("width", ["40", "60", "80", "100", "110", "160"])
def test_compare_fits_the_screen(
    call: Callable[..., Any], runs: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    runs("1" * 20, "1" * 12 + "h" * 8, "--suite", "agent")
    call("run", "new.jsonl", "--suite", "agent", "--out", "new", "--no-gate")
    monkeypatch.setenv("COLUMNS", width)
    done = call("compare", "old", "new")
    lines = [line for line in done.out.splitlines() if not line.startswith("next:")]
    assert max(map(len, lines)) <= int(width)
    assert "tool_call_args" in done.out


@pytest.mark.parametrize("width", [60, 80, 100, 110, 113, 114, 130])
def test_a_p_beside_holms_is_never_taken_for_the_one_it_adjusts(
    call: Callable[..., Any], runs: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    runs("1" * 20, "1" * 12 + "h" * 8)
    call("run", "new.jsonl", *ONE, "--out", "new", "--no-gate")
    monkeypatch.setenv("COLUMNS", str(width))
    done = call("compare", "old", "new", "--report", "md", "--out", "reports")
    (head,) = (line for line in done.out.splitlines() if line.startswith("evaluator "))
    assert "Holm p   verdict" in head
    assert ("p passes   p mean   Holm p" in head) == ("p passes" in head) == (width >= 114)
    assert "Holm p decides: the smaller p of two tests" in " ".join(done.out.split())
    assert ("these tests alone, two-sided" in " ".join(done.out.split())) == ("p passes" in head)
    page = Path("reports/report.md").read_text()
    assert "| p passes | p mean | Holm p | verdict |" in page
    (row,) = (line for line in page.splitlines() if line.startswith(r"| tool\_call\_accuracy | 1.000 | 0"))
    item = json.loads(call("compare", "old", "new", "--json").out)["evaluators"]["tool_call_accuracy"]
    wanted = [item[name] for name in ("mcnemar_p", "mean_p", "holm_p")]
    told = ["<0.001" if "0.001" in cell else cell.strip() for cell in row.split("|")[8:11]]
    assert told == ["<0.001" if p < 0.001 else f"{p:.3f}" for p in wanted]


def test_compare_refuses_what_can_not_be_compared(call: Callable[..., Any], runs: Callable[..., Any]) -> None:
    runs("11", "11", start=50)
    call("run", "new.jsonl", *ONE, "--out", "new")
    done = call("compare", "old", "new")
    assert (done.code, "have no case in common" in done.err) == (3, True)
    call("run", "old.jsonl", "-e", "redundant_calls", "--out", "other")
    done = call("compare", "old", "other")
    assert (done.code, "have no evaluator in common" in done.err) == (2, True)
    assert call("compare", "old", "nowhere").code == 2
    assert call("compare", "old", "new", "--max-regression", "-1").code == 2


def test_hostile_names_do_not_reach_the_screen(call: Callable[..., Any]) -> None:
    name = "\x1b[31mc\u202e1"
    for file, calls in (("old.jsonl", CALL), ("new.jsonl", [])):
        rows = [
            {"id": f"{name}{n}", "tool_calls": calls, "expected_tool_calls": CALL, "tags": [name]}
            for n in range(9)
        ]
        Path(file).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        call("run", file, *ONE, "--out", file.removesuffix(".jsonl"), "--no-gate")
    gate = f"@tag:{name}=0.5"
    shown = [
        call("compare", "old", "new", "--strict-baseline").out,
        call("run", "new.jsonl", *ONE, "--baseline", "old", "--strict-baseline", "--fail-under", gate).out,
    ]
    assert not any("\x1b" in out or "\u202e" in out for out in shown)


def test_flaky_cases_are_named(call: Callable[..., Any]) -> None:
    words = {"sure": "111", "coin": "101", "rare": "110", "never": "000"}
    rows = [
        {"id": case, "trial": n, "tool_calls": DONE[letter], "expected_tool_calls": CALL}
        for case, word in words.items()
        for n, letter in enumerate(word)
    ]
    Path("trials.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = call("run", "trials.jsonl", *ONE, "--no-gate")
    assert (
        "tool_call_accuracy: 2 of 4 repeated cases are flaky; the worst: coin (2 of 3), rare (2 of 3)"
        in " ".join(done.out.split())
    )
    summary = json.loads(call("run", "trials.jsonl", *ONE, "--no-gate", "--json").out)
    flaky = summary["evaluators"]["tool_call_accuracy"]["trials"]["flaky"]
    assert (flaky["cases"], flaky["repeated"], flaky["share"]) == (2, 4, 0.5)

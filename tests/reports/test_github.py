"""What a workflow is told, and that no text of the data is a command to its runner; and how long Markdown may be."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rightcall.core.summing.records import CaseRecord, Reported, ResultRecord, RowPlace
from rightcall.core.summing.summary import CauseSummary, GateOutcome, RunSummary
from rightcall.reports import github, md
from tests.reports.small_run import summary_of_small_run


@pytest.fixture(scope="module")
def summary() -> RunSummary:
    return summary_of_small_run()


def case(id: str, score: float, reason: str = "0/1 matched.", line: int = 1) -> CaseRecord:
    row = RowPlace(file="data/rows.jsonl", line=line, offset=0)
    result = ResultRecord(
        id=id, evaluator="tool_call_args", status="scored", score=score, label="partial", passed=score == 1,
        threshold=1.0, reason=reason, row=row,
    )  # fmt: skip
    return CaseRecord(id=id, row=row, results=(result,))


def reported(summary: RunSummary, cases: list[CaseRecord], **more: Any) -> Reported:
    return Reported(run="r", summary=msgspec.structs.replace(summary, **more), cases=cases)


HOSTILE = "a%b\r\n::add-mask::x\n::error::,:"


def test_annotations_stand_at_the_rows_of_the_worst_cases(summary: RunSummary) -> None:
    cases = [case(f"c{n}", n / 40, line=n) for n in range(40)]
    lines = list(github.workflow_commands(reported(summary, cases[::-1], gates=())))
    assert len(lines) == 10, "as many as a step shows"
    assert lines[0] == "::error file=data/rows.jsonl,line=0,title=rightcall%3A c0::0/1 matched."
    assert [re.search("c[0-9]+", line)[0] for line in lines] == [f"c{n}" for n in range(10)]  # type: ignore[index]


def test_missed_gates_come_first(summary: RunSummary) -> None:
    gate = GateOutcome(
        gate="fail_under", evaluator="x", asked=0.9, measured=0.5, met=False, message="0.5 < 0.9"
    )
    lines = list(github.workflow_commands(reported(summary, [case("c", 0)], gates=(gate,))))
    assert lines[0] == "::error title=rightcall%3A fail under missed::0.5 < 0.9"
    assert len(lines) == 2


def test_no_text_is_a_command_of_its_own(summary: RunSummary) -> None:
    gate = GateOutcome(gate="x", evaluator=HOSTILE, asked=1, measured=0, met=False, message=HOSTILE)
    for line in github.workflow_commands(reported(summary, [case(HOSTILE, 0, HOSTILE)], gates=(gate,))):
        assert "\n" not in line
        assert "\r" not in line
        head, _, message = line.removeprefix("::error ").partition("::")
        assert "::" not in head
        assert all("," not in part for part in re.split(r",(?=title=|line=|file=)", head))
        assert message.startswith("a%25b%0D%0A")


def test_a_page_is_never_longer_than_a_comment(summary: RunSummary) -> None:
    long = "x|`<@" * 5000
    cause = CauseSummary(
        kind="value", tool=long, path=long, cases=1, differences=1, lost=1.0, share=1.0, examples=(long,),
        message=long, accept_with=None, fix=long,
    )  # fmt: skip
    gate = GateOutcome(gate=long, evaluator=long, asked=1, measured=0, met=False, message=long)
    found = next(iter(summary.evaluators.values()))
    many = reported(
        summary,
        [case(long + str(n), 0, long) for n in range(200)],
        causes=(cause,) * 100,
        gates=(gate,) * 100,
        evaluators={f"{long}{n}": found for n in range(100)},
        signature=long,
        warnings=(long,) * 100,
    )
    assert len("".join(md.write(many))) < 65_000
    assert len("".join(github.write(many))) < 1_000_000
    small = md.page(many, most=5000)
    assert len(small) <= 5000 + 100
    assert "too long for this page" in small
    assert small.startswith("### rightcall: ")


def test_the_worst_cases_come_first(summary: RunSummary) -> None:
    cases = [case(f"c{n:02}", (n * 7 % 30) / 30) for n in range(30)]
    text = "".join(md.write(reported(summary, cases)))
    named = re.findall(r"^- `(c\d\d)`", text, re.MULTILINE)
    assert named == [f"c{n:02}" for n in sorted(range(30), key=lambda n: n * 7 % 30)][:10]
    assert "- and 20 more" in text


def test_bidi_marks_turn_nothing_outside(summary: RunSummary) -> None:
    text = "".join(md.write(reported(summary, [case("a\u202eb", 0, "x\u2066y")])))
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", text)


def test_a_workflow_gets_its_summary_and_its_annotations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from rightcall.app.cli.root import run

    data = tmp_path / "d.jsonl"
    data.write_text('{"id": "::warning::x", "tool_calls": [], "expected_tool_calls": [{"name": "f"}]}\n')
    page = tmp_path / "step.md"
    page.write_text("before\n")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    out = str(tmp_path / "o")
    assert run(("run", str(data), "-e", "tool_call_args", "--out", out, "--report", "github")) == 1
    written = page.read_text()
    assert written.startswith("before\n### rightcall: missed")
    assert written.removeprefix("before\n") == (tmp_path / "o/github.md").read_text()
    shown = capsys.readouterr().out
    commands = [line for line in shown.splitlines() if line.lstrip().startswith("::")]
    assert len(commands) == 2
    assert all(line.startswith("::error ") for line in commands)

"""The command line under nonsense: a documented exit code and a message, never a fault of ours."""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rightcall.app.cli.root import run

ROWS: list[Any] = [
    {
        "id": "a",
        "tool_calls": [{"name": "f", "arguments": {"x": 1}}],
        "expected": [{"name": "f", "arguments": {"x": 2}}],
    },
    {"id": "b", "actual": [], "expected_tool_calls": [], "tags": ["t"], "trial": 0},
    {"id": "b", "actual": None, "expected": None, "trial": 0},
    {
        "tool_calls": '[{"name": "f", "arguments": "{\\"x\\": 1"}]',
        "expected": [{"name": "f"}],
        "verdict": False,
    },
    [1, 2],
    {"id": 7, "tool_calls": {"role": "assistant", "tool_calls": None}, "expected": [{"name": "g"}]},
]

FILES = {
    "good.jsonl": "\n".join(json.dumps(row) for row in ROWS[:2]),
    "odd.jsonl": "\n".join(
        [*map(json.dumps, ROWS), '{"id": "broken"', "NaN", "\ufeff{}", '{"id": "\\ud800"}']
    ),
    "array.json": json.dumps(ROWS),
    "table.csv": 'id,tool_calls,expected\n1,"[{""name"": ""f""}]","[]"\n2,,\n3,"x","[]"\n',
    "empty.jsonl": "",
    "gold.jsonl": "\n".join(json.dumps({"id": key, "expected": [{"name": "f"}]}) for key in "ac"),
    "tools.json": json.dumps(
        [{"name": "f", "parameters": {"type": "object", "properties": {"x": {"type": "integer"}}}}]
    ),
    "rightcall.toml": 'suite = "agent"\n',
}

NAMES = [
    "tool_call_accuracy",
    "tool_call_args",
    "tool_call_count",
    "tool_call_valid",
    "tool_cal_args",
    "",
    "f:g",
]
VALUES = [
    "0.5",
    "1",
    "1.5",
    "-1",
    "nan",
    "x",
    "tool_call_args=0.5",
    "=",
    "x=1",
    "{}",
    "[",
    '{"strict": true}',
    "\ud800",
    "0",
]
WORDS = [
    *(
        "run",
        "eval",
        "explain",
        "evaluators",
        "suites",
        "formats",
        "--help",
        "--version",
        "--json",
        "--nonsense",
    ),
    *(
        "-e",
        "--evaluator",
        "--suite",
        "--expected",
        "--tools",
        "--format",
        "--map",
        "--option",
        "--config-json",
    ),
    *(
        "--threshold",
        "--tag",
        "--where",
        "--out",
        "--report",
        "--case-timeout",
        "--fail-under",
        "--min-pass-rate",
    ),
    *(
        "--max-errors",
        "--no-gate",
        "--output",
        "--tool",
        "agent",
        "everything",
        "junit,md",
        "pdf",
        "out",
        "missing",
    ),
    *("plain", "openai_chat", "expected=expected", "gold", ".", "-", "@good.jsonl"),
    *FILES,
    *NAMES,
    *VALUES,
    *(
        'ignore_case=["/x"]',
        "tool_call_args.strict=true",
        "matching=optimal",
        "args=subset",
        "numeric_tolerance=0.1",
    ),
]

SNIPPETS = [
    *(["-e", name] for name in NAMES[:4]),
    *(["--suite", name] for name in ("agent", "trajectory", "everything")),
    *(
        ["--out", "out"],
        ["--report", "junit,md,json"],
        ["--json"],
        ["--no-gate"],
        ["--tag", "t"],
        ["--where", "trial=0"],
    ),
    *(
        ["--map", "expected=expected"],
        ["--map", "actual=tool_calls"],
        ["--format", "plain"],
        ["--format", "openai_chat"],
    ),
    *(["--threshold", value] for value in ("0.5", "tool_call_args=0.5", "1.5")),
    *(["--fail-under", "0.2"], ["--min-pass-rate", "0.9"], ["--max-errors", "3"], ["--case-timeout", "5"]),
    *(
        ["--option", value]
        for value in ('ignore_case=["/x"]', "matching=optimal", "tool_call_args.strict=true")
    ),
    *(
        ["--option", value]
        for value in ("numeric_tolerance=0.1", "args=allow_extra", "unordered=true", "repair_json=true")
    ),
    *(["--expected", "gold.jsonl"], ["--tools", "tools.json"], ["--config-json", '{"coerce_types": true}']),
]
RUN = st.builds(
    lambda data, chosen, rest: ["run", data, *chosen, *(word for words in rest for word in words)],
    st.sampled_from([name for name in FILES if name not in ("rightcall.toml", "tools.json")]),
    st.sampled_from(SNIPPETS[:7]),
    st.lists(st.sampled_from(SNIPPETS), max_size=5),
)
OTHER = st.sampled_from(
    [
        ["eval", "tool_call_args", "--output", '[{"name": "f"}]', "--expected", "[]"],
        [
            "eval",
            "tool_call_valid",
            "--output",
            '[{"name": "f", "args": {"x": "1"}}]',
            "--tools",
            "@tools.json",
        ],
        ["explain", "out"],
        ["evaluators", "tool_call_args"],
        ["suites"],
        ["formats", "plain"],
    ]
)
NOISE: Any = st.one_of(st.just([]), st.lists(st.sampled_from(WORDS), max_size=3))
LINES = st.builds(lambda start, rest: start + rest, st.one_of(RUN, RUN, OTHER), st.one_of(st.just([]), NOISE))


def check(arguments: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        before = Path.cwd()
        os.chdir(folder)
        try:
            for name, text in FILES.items():
                if name != "rightcall.toml" or "--where" in arguments:
                    Path(name).write_text(text, encoding="utf-8", errors="surrogatepass")
            if arguments[:1] == ["explain"]:
                with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                    run(["run", "odd.jsonl", "--suite", "agent", "--out", "out"])
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = run([word for word in arguments if word != "-"])
        finally:
            os.chdir(before)
    assert code in (0, 1, 2, 3), (code, arguments, err.getvalue()[-2000:])
    assert "Traceback" not in err.getvalue() + out.getvalue(), arguments
    if code in (2, 3):
        assert err.getvalue().strip(), arguments


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(LINES)
def test_any_words_end_in_a_documented_way(arguments: list[str]) -> None:
    check(arguments)


@pytest.mark.soak
@settings(max_examples=6000, suppress_health_check=[HealthCheck.too_slow])
@given(LINES)
def test_very_many_words_end_in_a_documented_way(arguments: list[str]) -> None:
    check(arguments)

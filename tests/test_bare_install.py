"""The base install works without any optional part, and asks for one by its install line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

OPTIONAL = (
    "jsonschema_rs",
    "pyarrow",
    "zstandard",
    "json_repair",
    "scipy",
    "numpy",
    "orjson",
    "rapidfuzz",
    "opentelemetry.proto",
    *("dateutil", "phonenumbers", "unidecode", "text_to_num", "httpx2", "stamina", "aiolimiter"),
    *("fastapi", "uvicorn", "sqlalchemy", "alembic", "limits", "prometheus_client", "psycopg"),
)
BLOCK = f"import sys; sys.modules.update(dict.fromkeys({OPTIONAL!r}))\n"
SIDES = "output=[{'name': 'f', 'arguments': {'a': 1}}], expected=[{'name': 'f', 'arguments': {'a': 1}}]"


def bare(code: str, *arguments: str) -> Any:
    """What `code` prints as JSON in a Python without the optional libraries."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", BLOCK + code, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refusal(call: str, *arguments: str) -> Any:
    """The error that `call` raises."""
    return bare(
        "import json, sys, rightcall\n"
        "try:\n"
        f"    {call}\n"
        "except rightcall.RightcallError as error:\n"
        "    print(json.dumps([type(error).__name__, str(error), error.exit_code]))\n"
        "else:\n"
        "    print('\"no error\"')\n",
        *arguments,
    )


def test_every_evaluator_without_an_extra_scores() -> None:
    code = (
        "import json; from rightcall import *\n"
        f"ids = [name for name in list_evaluators() if name not in ('tool_call_valid', 'tool_call_semantic')]\n"
        f"found = evaluate(ids, {SIDES}, forbidden=['g'], matching='optimal', numeric_tolerance=1)\n"
        "print(json.dumps({name: result.status for name, result in found.items()}))"
    )
    statuses = bare(code)
    assert statuses.pop("tool_call_output") == "not_evaluated", "no outputs are given"
    assert set(statuses.values()) == {"scored"}
    assert len(statuses) == 10


def test_asked_for_by_id_a_missing_extra_is_named_with_its_install_line() -> None:
    kind, message, status = refusal(
        f"rightcall.evaluate('tool_call_valid', {SIDES}, tools=[{{'name': 'f'}}])"
    )
    assert (kind, status) == ("MissingExtraError", 2)
    assert "pip install 'rightcall[schema]'" in message


def test_through_a_suite_it_is_not_evaluated_with_the_same_line() -> None:
    code = (
        "import json; from rightcall import evaluate\n"
        f"found = evaluate(suite='everything', {SIDES}, tools=[{{'name': 'f'}}])\n"
        "print(json.dumps([found['tool_call_valid'].status, found['tool_call_valid'].reason, len(found)]))"
    )
    status, reason, number = bare(code)
    assert (status, number) == ("not_evaluated", 13)
    assert "pip install 'rightcall[schema]'" in reason


def test_the_suite_agent_goes_without_the_judge() -> None:
    code = (
        "import json; from rightcall import evaluate\n"
        f"found = evaluate(suite='agent', {SIDES})\n"
        "judge = found['tool_call_semantic']\n"
        "print(json.dumps([judge.status, judge.reason, sorted({each.status for each in found.values()})]))"
    )
    status, reason, all_of_them = bare(code)
    assert (status, all_of_them) == ("not_evaluated", ["not_evaluated", "scored"])
    assert "pip install 'rightcall[semantic]'" in reason


def test_the_judge_and_its_matcher_are_asked_for_by_name() -> None:
    kind, message, status = refusal(f"rightcall.evaluate('tool_call_semantic', {SIDES})")
    assert (kind, status) == ("MissingExtraError", 2)
    assert "pip install 'rightcall[semantic]'" in message
    wanted = SIDES.replace(
        "expected=[{'name': 'f', 'arguments': {'a': 1}}]",
        "expected=[{'name': 'f', 'arguments': {'a': {'$semantic': 'x'}}}]",
    )
    kind, message, _ = refusal(f"rightcall.evaluate('tool_call_args', {wanted})")
    assert kind == "ExpectationError"
    assert "pip install 'rightcall[semantic]'" in message


def test_repair_is_asked_for_by_its_option() -> None:
    kind, message, status = refusal(f"rightcall.evaluate('tool_call_args', {SIDES}, repair_json=True)")
    assert (kind, status) == ("MissingExtraError", 2)
    assert "pip install 'rightcall[repair]'" in message


@pytest.mark.parametrize(
    ("name", "content", "extra"),
    [("d.parquet", b"PAR1", "parquet"), ("d.jsonl.zst", b"\x28\xb5\x2f\xfd\x00", "zstd")],
)
def test_packed_data_is_asked_for_by_its_file(tmp_path: Path, name: str, content: bytes, extra: str) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    kind, message, status = refusal("rightcall.evaluate_cases(sys.argv[1], 'tool_call_args')", str(file))
    assert (kind, status) == ("MissingExtraError", 2)
    assert f"pip install 'rightcall[{extra}]'" in message


def test_plain_files_are_read(tmp_path: Path) -> None:
    import gzip

    row = {"tool_calls": [{"name": "f"}], "expected": [{"name": "f"}]}
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n")
    (tmp_path / "b.json").write_text(json.dumps([row]))
    (tmp_path / "c.csv").write_text('tool_calls,expected\n"[]","[]"\n')
    (tmp_path / "d.jsonl.gz").write_bytes(gzip.compress(json.dumps(row).encode()))
    code = (
        "import json, sys; from rightcall import evaluate_cases\n"
        "run = evaluate_cases(sys.argv[1], suite='agent')\n"
        "print(json.dumps([run.tally.cases, run.tally.passed]))"
    )
    assert bare(code, str(tmp_path)) == [4, 4]


def test_a_run_its_report_and_its_causes_need_no_optional_part(tmp_path: Path) -> None:
    """The demo's way: a suite leaves out what can't run here, and so does all that scores the run again."""
    cases = str(Path(__file__).parents[1] / "examples" / "travel" / "cases.jsonl")
    out = str(tmp_path / "run")
    codes = bare(
        "import contextlib, io, json, sys; from rightcall.app.cli.root import run\n"
        "with contextlib.redirect_stdout(io.StringIO()) as said:\n"
        "    codes = [run(['run', sys.argv[1], '--suite', 'agent', '--no-gate', '--out', sys.argv[2],"
        " '--report', 'html,md,junit,json,csv']), run(['explain', sys.argv[2]])]\n"
        "print(json.dumps(codes))",
        cases,
        out,
    )
    assert codes == [0, 0]
    assert (tmp_path / "run" / "report.html").exists()


@pytest.mark.parametrize("words", [["serve"], ["keys", "list"], ["db", "upgrade"]])
def test_the_server_names_its_extra(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{BLOCK}from rightcall.app.cli import main; main({words!r})"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "pip install 'rightcall[server]'" in done.stderr

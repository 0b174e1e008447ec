"""What the documents show is what happens."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from types import ModuleType

import jsonschema
import pytest

from rightcall import evaluate, evaluate_cases
from rightcall.app.cli.root import run
from rightcall.core import assign, linear_regex, meaning
from rightcall.core.declare import built_in
from rightcall.core.equality import unordered
from rightcall.core.jsonvalue import MAX_DEPTH
from rightcall.core.pairing import same_calls as equality
from rightcall.core.pairing import shares, slot_order, slot_views
from rightcall.run.accepted import MOST_TIMES
from rightcall.run.golden.editor_schema import expectation_schema

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
README = (ROOT / "README.md").read_text()


def blocks(kind: str) -> list[str]:
    return [text for found, text in BLOCK.findall(README) if found == kind]


def test_the_python_of_the_readme_prints_what_stands_below_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    programs, printed = blocks("python"), blocks("text")
    assert len(programs) == len(printed) > 0
    for program, wanted in zip(programs, printed, strict=True):
        exec(compile(program, "README.md", "exec"), {})  # noqa: S102 - our own document
        assert capsys.readouterr().out == wanted


def test_the_commands_of_the_readme_print_what_stands_below_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    commands = [
        part for block in blocks("console") for part in re.split(r"^\$ ", block, flags=re.MULTILINE) if part
    ]
    assert len(commands) > 3
    for part in commands:
        command, *lines = part.splitlines()
        run(shlex.split(command.removeprefix("rightcall ")))
        told = capsys.readouterr().out
        place = 0
        for piece in "\n".join(lines).split("..."):  # dots stand for what is left out
            assert piece.strip() in told[place:], (command, piece)
            place = told.index(piece.strip(), place) + len(piece.strip())


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "examples/README.md"])
def test_files_that_documents_name_exist(name: str) -> None:
    text = (ROOT / name).read_text()
    for place in re.findall(r"`((?:src|docs|examples|benchmarks|tests|requirements)/[\w./-]+?)/?`", text):
        assert (ROOT / place).exists() or place.endswith("my_evaluator.py"), place


def test_the_recipe_for_an_evaluator_works(tmp_path: Path) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    (recipe,) = re.findall(r"```python\n(.*?)   ```", text, re.DOTALL)
    module = ModuleType("rightcall.evaluators.my_evaluator")
    module.__package__ = "rightcall.evaluators"
    source = "\n".join(line.removeprefix("   ") for line in recipe.splitlines())
    exec(compile(source, "my_evaluator.py", "exec"), module.__dict__)  # noqa: S102 - our own document
    example = module.DECLARATION.example
    result = evaluate(built_in(module), output=example.actual, expected=example.expected)
    assert result.score == example.score


def test_the_page_on_expected_calls_says_what_happens() -> None:
    page = (ROOT / "docs" / "expected-calls.md").read_text()
    found = BLOCK.findall(page)
    rows = [json.loads(text) for kind, text in found if kind == "json"]
    wanted = [text for kind, text in found if kind == "text"]
    assert len(rows) == len(wanted) >= 8
    schema = jsonschema.Draft202012Validator(expectation_schema())
    for row, scores in zip(rows, wanted, strict=True):
        schema.validate(row)
        told = dict(part.split() for part in scores.strip().split(", "))
        run_ = evaluate_cases([row], list(told))
        got = {result.evaluator: result.score for result in run_.results[0].results}
        assert got == {name: float(score) for name, score in told.items()}, row


def test_the_limits_on_the_page_are_those_of_the_code() -> None:
    page = (ROOT / "docs" / "expected-calls.md").read_text().partition("## Limits")[2]
    told = [
        int(number.replace(",", ""))
        for number in re.findall(r"\| ([\d,]+)(?: pairs)? \|$", page, re.MULTILINE)
    ]
    assert told == [
        MAX_DEPTH,
        linear_regex.LONGEST_PATTERN,
        linear_regex.MOST_STATES,
        linear_regex.MOST_WORK,
        MOST_TIMES,
        slot_views.MOST_PLACES,
        equality.MOST_COMPARED,
        unordered.MOST_PAIRS,
        shares.MOST_PAIRS,
        slot_order.MOST_CELLS,
        meaning.MOST_PAIRS,
        assign.MOST_STEPS,
    ]
    assert slot_views.MOST_SHARES == shares.MOST_PAIRS

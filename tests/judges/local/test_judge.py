"""Whole calls: the product over arguments, defaults, what was left out, and what a matcher refused."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from rightcall import UsageError, evaluate
from rightcall.core.arguments import Given
from rightcall.core.ask import Answer, Question
from rightcall.core.types import ToolCall
from rightcall.errors import MissingExtraError
from rightcall.judges.local import make_judge

SCHEMA = {
    "type": "object",
    "properties": {
        "date": {"type": "string", "format": "date"},
        "unit": {"type": "string", "default": "celsius"},
        "days": {"type": "integer", "description": "How many days. Default is 3."},
        "note": {"type": "string"},
    },
}


def answer(expected: dict[str, Any], actual: dict[str, Any], *refused: str, schema: Any = SCHEMA) -> Answer:
    asked = Question(
        actual=0,
        expected=0,
        actual_call=ToolCall(name="f", raw=Given(actual)),
        expected_call=ToolCall(name="f", raw=Given(expected)),
        tool_schema=schema,
        refused=refused,
    )
    (found,) = make_judge(None).answer([asked])
    return found


def test_the_probability_is_the_product_over_arguments() -> None:
    found = answer({"date": "2025-11-12", "note": "a"}, {"date": "Nov 12 2025", "note": "b"})
    assert [each.path for each in found.arguments] == ["/date", "/note"]
    assert found.probability == pytest.approx(found.arguments[0].probability * found.arguments[1].probability)
    assert found.by == "local"


def test_what_is_left_out_equals_its_declared_default() -> None:
    assert answer({}, {"unit": "celsius"}).probability == 1.0
    assert answer({"unit": "C"}, {}).probability == pytest.approx(0.995)
    assert answer({"unit": "fahrenheit"}, {}).probability == 0.01


def test_a_default_may_be_said_in_the_description() -> None:
    found = answer({"days": 3}, {})
    assert (found.probability, found.arguments[0].by) == (0.97, "default")
    assert answer({"days": 4}, {}).probability == 0.01


@pytest.mark.parametrize(("expected", "actual"), [({"note": "a"}, {}), ({}, {"note": "a"})])
def test_an_argument_on_one_side_only_is_hardly_equivalent(
    expected: dict[str, Any], actual: dict[str, Any]
) -> None:
    found = answer(expected, actual)
    assert (found.probability, found.arguments[0].by, found.arguments[0].decided) == (0.01, "missing", True)


def test_what_a_matcher_refused_stays_refused() -> None:
    found = answer({"date": "2025-11-12"}, {"date": "Nov 12 2025"}, "/date")
    assert (found.probability, found.arguments[0].by) == (0.01, "matcher")


def test_no_schema_is_needed() -> None:
    assert answer({"date": "2025-11-12"}, {"date": "Nov 12 2025"}, schema=None).probability == 0.995
    assert answer({"date": "2025-11-12"}, {"date": "Nov 12 2025"}, schema=True).probability == 0.995


def test_it_has_no_model_of_another_name() -> None:
    with pytest.raises(UsageError, match="no model 'large'"):
        make_judge("large")


def test_without_its_libraries_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(MissingExtraError, match=r"rightcall\[semantic\]"):
        make_judge(None)


def test_telephone_tables_are_loaded_for_telephone_numbers_only() -> None:
    import subprocess

    code = (
        "import sys; from rightcall import evaluate; call = lambda d: [{'name': 'f', 'arguments': {'date': d, 'city': 'Rome'}}];"
        "print(evaluate('tool_call_semantic', output=call('1 May 2025'), expected=call('2025-05-01')).score, 'phonenumbers' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0.995", "False"]


def test_no_text_of_a_value_is_looked_up_or_run(monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins
    import socket

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("touched the outside")

    evaluate(
        "tool_call_semantic",
        output=[{"name": "f", "arguments": {"x": "warm"}}],
        expected=[{"name": "f", "arguments": {"x": "up"}}],
    )
    for name in ("eval", "exec"):
        monkeypatch.setattr(builtins, name, refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    values = ("https://example.com/a", "__import__('os').getcwd()", "../../etc/passwd", "$(id)")
    for value in values:
        wanted = dict.fromkeys(("url", "path", "code"), value)
        assert answer(wanted, dict.fromkeys(wanted, value + "x")).probability == pytest.approx(0.0, abs=0.2)

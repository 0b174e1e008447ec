"""What presets say: the reason of a rule, the cause of a difference to ours, and which rule was meant."""

from __future__ import annotations

from typing import Any

import pytest

from rightcall import UsageError, evaluate
from rightcall.core.types import Source
from rightcall.run.comparing.comparing_presets import compare_presets
from rightcall.run.rows import case_from_fields


def call(name: str = "f", **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


def test_a_refused_type_is_no_matter_of_order() -> None:
    schema = {"type": "dict", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    result = evaluate(
        "bfcl.ast",
        output=[{"name": "f", "arguments": '{"n": 1.0}'}],
        expected=[call(n=1)],
        tools=[{"name": "f", "parameters": schema}],
    )
    assert result.score == 0.0
    assert "n is a float where integer is declared" in result.reason
    assert "order" not in result.reason
    assert result.details.differences == ()


def test_a_rule_that_minds_the_order_says_so() -> None:
    result = evaluate("deepeval.exact", output=[call("g"), call("f")], expected=[call("f"), call("g")])
    assert result.score == 0.0
    assert {item.kind for item in result.details.differences} == {"out_of_order"}


def test_an_option_of_one_call_is_named_as_the_cause() -> None:
    rows = [
        {
            "id": "1",
            "tool_calls": [call(x=1, t=5)],
            "expected": [call(x=1, t=6) | {"options": {"ignore": ["/t"]}}],
        },
        {"id": "2", "tool_calls": [call(x=1.0)], "expected": [call(x=1)]},
    ]
    cases = [case_from_fields(row, row=at, source=Source()) for at, row in enumerate(rows)]
    found = {
        cause.what: cause.examples
        for rule in compare_presets(cases, ["uipath", "mlflow"]).rules
        for cause in rule.causes
    }
    assert found["options that an expected call carries"] == ("1",)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("uipath", "it is a preset: preset='uipath', or one of its rules: uipath.args"),
        ("uipaht.args", "did you mean 'uipath.args'"),
        ("uipath.arg", "did you mean 'uipath.args'"),
        ("uipaht", "did you mean 'uipath'"),
        ("bfcl_ast", "did you mean 'bfcl.ast'"),
        ("tool_call_acuracy", "did you mean 'tool_call_accuracy'"),
        ("qqq", "or a rule of a preset, such as uipath.args"),
    ],
)
def test_an_unknown_evaluator_may_be_the_rule_of_a_preset(name: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        evaluate(name, output=[call()], expected=[call()])
    assert hint in (caught.value.hint or "")

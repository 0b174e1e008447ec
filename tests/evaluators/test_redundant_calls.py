"""redundant_calls: which options it honours, and what becomes of those that it can't."""

from __future__ import annotations

from typing import Any

import pytest

from rightcall import evaluate
from rightcall.errors import OptionError, UnknownNameError

NEAR = [
    {"name": "get", "arguments": {"id": 1, "q": "A"}},
    {"name": "get", "arguments": {"id": 1.01, "q": "a"}},
]


@pytest.mark.parametrize(
    "options",
    [
        {"numeric_tolerance": 1},
        {"args": "allow_extra"},
        {"args": "allow_missing"},
        {"per_tool": {"get": {"numeric_tolerance": 1}}},
        {"redundant_calls": {"numeric_tolerance": 1}},
        {"redundant_calls": {"per_tool": {"get": {"args": "allow_extra"}}}},
    ],
)
def test_an_option_that_is_no_equivalence_relation_is_refused(options: dict[str, Any]):
    with pytest.raises(OptionError, match="compared with each other"):
        evaluate("redundant_calls", output=NEAR, **options)


def test_given_for_all_it_holds_for_the_others():
    found = evaluate(["redundant_calls", "tool_call_args"], output=NEAR, expected=NEAR, numeric_tolerance=1)
    assert found["redundant_calls"].score == 1.0
    mixed = {"get": {"numeric_tolerance": 1, "ignore": ["/id"], "ignore_case": True}}
    found = evaluate(["redundant_calls", "tool_call_args"], output=NEAR, expected=NEAR, per_tool=mixed)
    assert found["redundant_calls"].score == 0.5


@pytest.mark.parametrize("options", [{"args": "ignore"}, {"ignore": ["/id"], "ignore_case": True}])
def test_what_normalises_is_honoured(options: dict[str, Any]):
    assert evaluate("redundant_calls", output=NEAR, **options).score == 0.5


def test_an_option_of_nobody_is_still_an_unknown_one():
    with pytest.raises(UnknownNameError):
        evaluate("redundant_calls", output=NEAR, matchers="on")
    with pytest.raises(UnknownNameError):
        evaluate("redundant_calls", output=NEAR, redundant_calls={"ignor": ["/id"]})

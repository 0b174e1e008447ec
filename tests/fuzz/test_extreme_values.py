"""Every odd value beside every other: a score, a reason and differences, never a fault."""

from __future__ import annotations

import json
from itertools import product

import pytest

from rightcall.core.summing.tally import Tally
from rightcall.core.types import Source
from rightcall.run.plan import make_plan
from rightcall.run.rows import case_from_line
from rightcall.run.sets import suite_members
from rightcall.run.stages import Scorer

TEXTS = (
    *("1e400", "-1e400", "1e-400", "1e1000000000", "1e-1000000000", "9" * 400, "-" + "9" * 400, "9" * 5000),
    *("0", "-0", "-0.0", "2", "2.5", "9007199254740993", "9007199254740992.0", "null", "true", "[]", "{}"),
    *('"1e400"', '"' + "9" * 5000 + '"', '"NaN"', '"Infinity"', '"-"', '"."', '"$"', '"%"', '"1%"', '"5 mg"'),
    *(
        '"0000-00-00"',
        '"9999-12-31T23:59:60Z"',
        '"2026-02-30"',
        '"12:61"',
        '"١٢"',
        '"½"',
        '"10⁵"',
        '"IV"',
        '"((1))"',
    ),
    *(
        '"\\u0000"',
        '"\\u202e1"',
        '"{"',
        '"[1, 2"',
        '"{\\"a\\": 1e400}"',
        '"/"',
        '"a@b"',
        '"http://["',
        '"#GGG"',
    ),
    *("[1e400]", '{"a": {"a": 1e400}}', '["2", 1e400]', '{"$not": 1}', '""', '" "', '"' + "a b" * 3000 + '"'),
)
NAMES = ("value", "date", "amount", "phone", "id")


CODE = tuple(name for name in suite_members("everything") if name != "tool_call_semantic")


@pytest.mark.parametrize("evaluators", [CODE, ("tool_call_semantic",)], ids=["code", "judge"])
def test_no_pair_of_values_is_a_fault(evaluators: tuple[str, ...]):
    plan = make_plan(evaluators)
    scorer, differences = Scorer(plan, Tally()), 0
    for number, (one, other) in enumerate(product(TEXTS, TEXTS)):
        name = json.dumps(NAMES[number % len(NAMES)])
        actual, expected = (f'[{{"name": "f", "arguments": {{{name}: {value}}}}}]' for value in (one, other))
        line = f'{{"id": "c", "tool_calls": {actual}, "expected_tool_calls": {expected}}}'
        case = case_from_line(line.encode(), row=number, source=Source())
        for result in scorer.score(case):
            assert result.reason
            assert result.status in ("scored", "not_evaluated", "error"), line
            differences += len(result.details.differences)
    assert differences

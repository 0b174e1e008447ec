"""Damaged rows: reading one gives a case or an error of the family, in little time, and nothing else.

The quick form runs everywhere; ``make soak`` runs the long one.
"""

from __future__ import annotations

import json
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rightcall import Case, DataError
from rightcall.core.summing.tally import Tally
from rightcall.core.types import Source
from rightcall.run.plan import make_plan
from rightcall.run.rows import case_from_line
from rightcall.run.stages import Scorer
from tests import strategies as draw_from

SECONDS = 2.0
"""No row of a few kilobytes may take longer, on a slow machine under load."""

TOKENS = (
    *(
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b'"',
        b"\\",
        b"null",
        b"true",
        b"NaN",
        b"-Infinity",
        b"0",
        b"-",
        b".",
    ),
    *(
        b"1e999",
        b"1e-999",
        b"1E400",
        b"9" * 400,
        b"9" * 5000,
        b"-0.0",
        b"1e99999999999999999999",
        b"0e99999999999999999999",
    ),
    *(
        b'"\\ud800"',
        b'"\\udc00\\ud800"',
        b"\xff",
        b"\xc3\x28",
        b"\xed\xa0\x80",
        b"\x00",
        b"\xef\xbb\xbf",
        b"\xf0\x9f\x98\x80",
    ),
    *(
        b'{"$any": true}',
        b'"$ref"',
        b'"\\u0024any"',
        b"[" * 300,
        b"]" * 300,
        b'{"a":' * 250,
        b"}" * 250,
        b'""',
        b'"{}"',
    ),
    *(
        b'"tool_calls"',
        b'"expected"',
        b'"arguments"',
        b'"function"',
        b'"name"',
        b'"role"',
        b'"id"',
        b'"tools"',
        b'"trial"',
    ),
    *(
        b'"assistant"',
        b'"tool_call_id"',
        b'"content"',
        b'"options"',
        b'"group"',
        b'"output"',
        b'"error"',
        b'"input"',
    ),
)
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+|\s+|.', re.DOTALL)

MESSAGE = {
    "id": "m",
    "tool_calls": [
        {"role": "user", "content": "hi"},
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "x"}],
            "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "1", "content": "{}"},
    ],
    "expected_tool_calls": [
        {"f": {"a": 1}},
        {"tool": "g", "args": '"{}"', "options": {"ignore": ["/a"]}, "group": "p"},
    ],
    "tools": [
        {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "default": {}}}}
    ],
    "expected_counts": {"f": [">=", 1]},
    "forbidden": ["g*"],
    "tags": ["t"],
    "trial": 1,
    "verdict": True,
    "metadata": {"deep": [[[1.5e300, None]]]},
}


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A row of which some tokens are dropped, doubled, swapped or replaced, or some bytes are changed."""
    row = draw(st.one_of(draw_from.rows(), st.just(MESSAGE)))
    data = json.dumps(row, ensure_ascii=draw(st.booleans())).encode()
    tokens = _TOKEN.findall(data)
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(tokens) - 1))
        other = draw(st.integers(0, len(tokens) - 1))
        change = draw(st.sampled_from(["drop", "double", "swap", "replace", "insert"]))
        if change == "drop" and len(tokens) > 1:
            del tokens[place]
        elif change == "double":
            tokens.insert(other % len(tokens), tokens[place])
        elif change == "swap":
            tokens[place], tokens[other] = tokens[other], tokens[place]
        else:
            tokens[place : place + (change == "replace")] = [draw(st.sampled_from(TOKENS))]
    data = b"".join(tokens)
    if draw(st.integers(0, 3)) == 0 and data:
        place = draw(st.integers(0, len(data) - 1))
        data = data[:place] + draw(st.binary(max_size=4)) + data[place + draw(st.integers(0, 3)) :]
    return data


IDS = ("tool_call_accuracy", "tool_call_args", "tool_call_order", "tool_call_count", "argument_accuracy")
PLAN = make_plan(
    [*IDS, "tool_call_f1", "trajectory_match", "tool_call_output", "redundant_calls", "forbidden_tools"]
)


def read_and_score(data: bytes) -> None:
    before = time.process_time()
    try:
        case = case_from_line(data, row=0, source=Source(path="d.jsonl", line=1))
    except DataError as error:
        outcome: Case | DataError = error
    else:
        outcome = case
    if isinstance(outcome, DataError):
        assert outcome.exit_code == 3
        assert str(outcome).encode(), "a message must be printable"
    else:
        assert isinstance(outcome, Case)
        case = outcome
        scorer = Scorer(PLAN, Tally())
        for result in scorer.score(case):
            assert result.score is None or 0 <= result.score <= 1
            result.reason.encode()
            assert result.details is not None
            assert result.warnings is not None
    assert time.process_time() - before < SECONDS


@given(damaged())
@settings(max_examples=150)
def test_a_damaged_row_is_a_case_or_an_error_of_the_family(data: bytes) -> None:
    read_and_score(data)


@given(st.one_of(st.binary(max_size=60), st.lists(st.sampled_from(TOKENS), max_size=12).map(b"".join)))
@settings(max_examples=300)
def test_no_bytes_at_all_get_through_as_anything_else(data: bytes) -> None:
    read_and_score(data)


@pytest.mark.soak
@given(damaged())
@settings(max_examples=20_000)
def test_many_damaged_rows(data: bytes) -> None:
    read_and_score(data)


HOSTILE = {
    "deep arguments": b'{"tool_calls":[{"name":"f","arguments":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"}]}",
    "deep lists": b'{"tool_calls":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep and open": b'{"tool_calls":' + b"[" * 100_000,
    "deep metadata": b'{"tool_calls":[],"metadata":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep tools": b'{"tool_calls":[],"tools":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep expected": b'{"expected":[{"name":"f","arguments":{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}}]}",
    "deep dollar": b'{"expected":[{"name":"f","arguments":{"a":' + b"[" * 900 + b'{"$any":1}' + b"]" * 900 + b"}}]}",
    "long text": b'{"tool_calls":[{"name":"f","arguments":{"a":"' + b"x" * 10_000_000 + b'"}}],"expected":[{"name":"f"}]}',
    "long name": b'{"tool_calls":[{"name":"' + b"x" * 1_000_000 + b'"}],"expected":[{"name":"f"}]}',
    "long key": b'{"tool_calls":[{"name":"f","arguments":{"' + b"k" * 1_000_000 + b'":1}}],"expected":[{"name":"f","arguments":{"j":1}}]}',
    "many keys": b'{"tool_calls":[{"name":"f","arguments":{'
    + b",".join(b'"k%d":1' % n for n in range(1500))
    + b'}}],"expected":[{"name":"f","arguments":{'
    + b",".join(b'"j%d":2' % n for n in range(1500))
    + b"}}]}",
    "many digits": b'{"tool_calls":[{"name":"f","arguments":{"a":' + b"7" * 1_000_000 + b'}}],"expected":[{"name":"f","arguments":{"a":1}}]}',
    "many digits elsewhere": b'{"tool_calls":[],"trial":' + b"7" * 5000 + b"}",
    "huge exponent": b'{"tool_calls":[{"name":"f","arguments":{"a":1e999999999}}],"expected":[{"name":"f","arguments":{"a":1}}]}',
    "exponent beyond all bounds": b'{"tool_calls":[{"name":"f","arguments":{"a":1e99999999999999999999}}],"expected":[{"name":"f","arguments":{"a":1}}]}',
    "exponent beyond all bounds in metadata": b'{"tool_calls":[],"metadata":1e99999999999999999999}',
    "exponent beyond all bounds in an output": b'{"tool_calls":[{"name":"f","output":1e99999999999999999999}]}',
    "exponent beyond all bounds as id": b'{"tool_calls":[],"id":1e99999999999999999999}',
    "many brackets in a text": b'{"tool_calls":[{"name":"f","arguments":"' + b"[" * 1_000_000 + b'"}],"expected":[{"name":"f"}]}',
    "text of deep json": json.dumps({"tool_calls": [{"name": "f", "arguments": '{"a":' * 50_000 + "1" + "}" * 50_000}], "expected": [{"name": "f"}]}).encode(),
    "calls as deep text": json.dumps({"tool_calls": "[" * 100_000 + "]" * 100_000}).encode(),
    "lone surrogate id": b'{"id":"\\ud800","tool_calls":[]}',
    "lone surrogate key": b'{"tool_calls":[{"name":"f","arguments":{"\\ud800":1}}],"expected":[{"name":"f"}]}',
    "lone surrogate output": b'{"tool_calls":[{"name":"f","output":"\\ud800"}],"expected":[{"name":"f","output":"\\ud800"}]}',
    "lone surrogate unknown key": b'{"tool_calls":[{"name":"f","\\ud800":{}}]}',
    "lone surrogate group": b'{"tool_calls":[],"expected":[{"name":"f","group":"\\ud800"}]}',
    "lone surrogate forbidden": b'{"tool_calls":[{"name":"f"}],"forbidden":["\\ud800"]}',
    "lone surrogate count": b'{"tool_calls":[{"name":"f"}],"expected_counts":{"\\ud800":1}}',
    "nul": b'{"id":"\\u0000","tool_calls":[{"name":"\\u0000"}],"expected":[{"name":"\\u0000"}]}',
    "many calls": b'{"tool_calls":[' + b",".join(b'{"name":"f","arguments":{"a":%d}}' % n for n in range(5000)) + b'],"expected":['
    + b",".join(b'{"name":"f","arguments":{"a":%d}}' % n for n in reversed(range(5000))) + b"]}",
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_rows(name: str) -> None:
    read_and_score(HOSTILE[name])


@pytest.mark.slow
def test_many_calls_of_one_name_with_nothing_in_common_end_in_time() -> None:
    # Here work grows with the product of both sides: bounded by a limit, or by a better way.
    made = b",".join(b'{"name":"f","arguments":{"a":%d,"b":%d}}' % (n, n % 7) for n in range(120))
    wanted = b",".join(b'{"name":"f","arguments":{"a":%d,"b":%d}}' % (-n - 1, n % 5) for n in range(120))
    read_and_score(b'{"tool_calls":[' + made + b'],"expected":[' + wanted + b"]}")

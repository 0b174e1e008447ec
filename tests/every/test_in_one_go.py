"""What is decoded in one go is read as what is opened level by level: the same recordings and warnings.

The long way is had by taking the short one away (:meth:`Shape.attempt`), so that places are the same too.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rightcall import DataError, list_formats
from rightcall.core.reading.shapes import Shape
from rightcall.run.intake.traces import traces_of
from rightcall.run.sets import FORMATS

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
from recordings import story
from recordings_of_evaluations import ALL

WIRE = [name for name in list_formats() if not FORMATS.get(name).declaration.text]
ODD: list[Any] = [
    None,
    0,
    1,
    True,
    1.5,
    "",
    "x",
    "<tool_call>",
    "\ud800",
    [],
    {},
    [None],
    [[]],
    {"a": 1},
    ["x"],
]


def _nothing(*_: object) -> None:
    """What an attempt gives where it does not succeed."""


@contextmanager
def the_long_way() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Shape, "attempt", _nothing)
        patched.setattr(Shape, "attempt_list", _nothing)
        yield


def seen(data: bytes) -> Any:
    """All that was read, decoded; or what is said of it."""
    try:
        traces = traces_of(data)
    except DataError as error:
        return f"{type(error).__name__}: {error}"
    found: list[Any] = []
    for trace in traces:
        found.append(
            (trace.id, trace.format, trace.text, trace.turns, trace.tools, trace.warnings, trace.problem)
        )
        for call in trace.calls or ():
            found.append((call.name, call.arguments, call.id, call.turn, call.group))
            found.append((repr(call.output), repr(call.error), call.status, call.start, call.span_id))
    return found


def both_ways(lines: list[Any]) -> None:
    data = "\n".join(map(json.dumps, lines)).encode()
    quickly = seen(data)
    with the_long_way():
        slowly = seen(data)
    # What is told alone is refused where it has no mark; in a run of its own format a reader may take it all the same.
    assert quickly == slowly or isinstance(slowly, str)


def changed(chance: random.Random, value: Any) -> Any:
    """The value with one thing in it odd, gone, doubled, renamed or beside another."""
    copy = json.loads(json.dumps(value))
    holders: list[Any] = []
    _holders(copy, holders)
    holder = chance.choice(holders)
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    other = chance.choice(holders)
    key = chance.choice(keys) if keys else None
    what = chance.randrange(6)
    if key is None or what == 0:
        name = chance.choice(
            [*other, "role", "type", "messages", "data"] if isinstance(other, dict) else ["role"]
        )
        if isinstance(holder, dict):
            holder[name] = chance.choice(ODD)
        else:
            holder.append(chance.choice(ODD))
    elif what == 1:
        del holder[key]
    elif what == 2 and isinstance(holder, list):
        holder.insert(0, json.loads(json.dumps(holder[key])))
    elif what == 3 and isinstance(holder, dict):
        holder[f"{key}_"] = holder.pop(key)
    elif what == 4 and isinstance(holder, dict) and isinstance(other, dict) and other:
        holder[key] = json.loads(json.dumps(other[chance.choice(list(other))]))
    else:
        holder[key] = chance.choice(ODD)
    return copy


def _holders(value: Any, found: list[Any]) -> None:
    if isinstance(value, dict | list):
        found.append(value)
        for inner in value.values() if isinstance(value, dict) else value:
            _holders(inner, found)


@pytest.mark.parametrize("name", WIRE)
def test_an_example_with_something_odd_in_it_is_read_both_ways_alike(name: str) -> None:
    example = json.loads(FORMATS.get(name).declaration.example)
    for seed in range(60):
        chance = random.Random(seed)  # noqa: S311
        odd = changed(chance, example)
        odd = changed(chance, odd) if seed % 3 == 0 else odd
        both_ways([example, example, odd, example])


@pytest.mark.parametrize("calls", [[{}], [{"a": {}, "b": {}}], [{"a": {}}, {}], [{"a": 1}], [{"": {}}], []])
def test_a_step_of_odd_calls_is_read_both_ways_alike(calls: list[Any]) -> None:
    usual: list[Any] = [{"find": '{"city": "Oslo"}'}]
    line = {"id": "multi_turn_1", "result": [[usual, calls], [usual, "done"]]}
    both_ways([line | {"result": [[usual]]}, line, line | {"result": [[calls]]}])


@pytest.mark.parametrize("name", ALL)
def test_a_recording_with_something_odd_in_it_is_read_both_ways_alike(name: str) -> None:
    told = [ALL[name](story(seed, "small")) for seed in range(2)]
    both_ways([*told, *told])
    for seed in range(12):
        chance = random.Random(seed)  # noqa: S311
        both_ways([*told, changed(chance, told[0]), told[1], changed(chance, told[1])])


@pytest.mark.parametrize("name", ["openinference", "uipath", "uipath_tools"])
@pytest.mark.parametrize("attributes", [{}, [], {"a": 1}], ids=json.dumps)
def test_a_span_of_nobodys_words_is_no_call_of_its_name(name: str, attributes: Any) -> None:
    told = ALL[name](story(0, "small"))
    for index in range(1, 4):
        odd = json.loads(json.dumps(told))
        odd[index]["attributes"] = attributes
        both_ways([told, odd, told])
        assert len(traces_of(json.dumps(odd).encode())) == 1


MOST_PLACES = 250


@pytest.mark.soak
@pytest.mark.parametrize("name", ALL)
def test_a_recording_with_any_one_thing_odd_is_read_both_ways_alike(name: str) -> None:
    """Every place of a recording in turn (of a long one, evenly chosen ones), with every odd value in it."""
    told = ALL[name](story(0, "small"))
    copy = json.loads(json.dumps(told))
    holders: list[Any] = []
    _holders(copy, holders)
    places = [
        (holder, key)
        for holder in holders
        for key in (holder if isinstance(holder, dict) else range(len(holder)))
    ]
    for holder, key in places[:: -(-len(places) // MOST_PLACES)]:
        kept = holder[key]
        for value in ODD:
            holder[key] = value
            both_ways([told, told, copy, told])
        holder[key] = kept
    assert copy == told


@pytest.mark.parametrize("name", ALL)
def test_a_recording_that_goes_on_is_read_both_ways_alike(name: str) -> None:
    whole = ALL[name](story(3, "small"))
    lists = (
        [whole] if isinstance(whole, list) else [held for held in whole.values() if isinstance(held, list)]
    )
    for held in lists:
        kept = list(held)
        lines = []
        for size in (len(kept) // 2, len(kept) - 1, len(kept), len(kept) - 2):
            held[:] = kept[: max(size, 1)]
            lines.append(json.loads(json.dumps(whole)))
        held[:] = kept
        both_ways(lines)


GIVEN: list[Any] = [None, "", "no json", "{'city': 'Oslo'}", " {}", 3, {"city": "Oslo"}, [1]]
VALUES: list[Any] = [True, False, "true", 1, None]
AS_A_TOOL_RAN: list[dict[str, Any]] = [
    {},
    {"tool.id": None},
    {"tool.id": "call_4"},
    *({"tool.synthesized": value} for value in VALUES),
    *({"tool.name": value} for value in (None, "", 3, "naïve", "\ud800")),
    *({"input.value": value} for value in GIVEN),
    *({"output.value": value} for value in [*VALUES, "", {"celsius": 4}, []]),
    {"tool.parameters": '{"city": "Oslo"}', "input.value": "Oslo"},
    {"tool.parameters": None, "input.value": "Oslo"},
    *(
        {name: "x"}
        for name in ("tool_call.id", "tool.id", "error.type", "llm.model_name", "session.id", "gen_ai.a")
    ),
    *({name: {"name": "b", "value": "{}"}} for name in ("tool", "input", "output")),
    *({"span_type": value} for value in GIVEN),
]


@pytest.mark.parametrize("parent", [None, "0x02", "0x07"])
@pytest.mark.parametrize("told", AS_A_TOOL_RAN, ids=json.dumps)
def test_a_list_of_tool_spans_is_read_both_ways_alike(told: dict[str, Any], parent: str | None) -> None:
    usual = {
        "span_type": "toolCall",
        "tool.name": "find",
        "input.value": '{"city": "Oslo"}',
        "output.value": "4",
    }

    def span(number: int, attributes: dict[str, Any]) -> dict[str, Any]:
        ids = {"trace_id": "0x01", "span_id": f"0x0{number}"}
        told = {"tool.id": f"call_{number}"} | attributes
        return {"name": "find", "context": ids, "parent_id": parent, "attributes": told}

    line = [span(1, {"span_type": "agentRun"}), span(2, usual), span(3, usual | told), span(4, usual)]
    both_ways([line, line, line[:1] + line[2:3]])
    data = "\n".join(map(json.dumps, [line, line])).encode()
    quickly = seen(data)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("rightcall.core.reading.spancalls._stand_alone", lambda _: False)
        assert seen(data) == quickly

"""Damaged recordings of the frameworks' formats: calls, or an error of the family, and nothing else."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rightcall import RightcallError, read
from rightcall.core.reading.glance import Glance
from rightcall.run.sets import FORMATS

NAMES = (
    *("langchain", "langchain_dumpd", "langgraph", "ragas", "llamaindex", "pydantic_ai", "openai_agents"),
    *("vercel_steps", "vercel_v4_steps", "vercel_messages", "vercel_ui", "tau2", "inspect", "deepeval"),
    *("google_adk", "google_adk_eval_set", "google_adk_legacy"),
)
ODD: list[Any] = [
    *(None, True, 0, -1, 1.5, 10**400, "", "x", "\ud800", "null", "{", [], {}, [None], [[]], [{}], ["x"]),
    *({"": None}, {"type": "x"}, {"name": "f"}, [{"name": "f", "extra": {"a": 1}}]),
]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with each of its keys."""
    for key, child in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, key
        if isinstance(child, dict | list):
            yield from places(child)


def damaged(value: Any, choose: random.Random) -> Any:
    value = copy.deepcopy(value)
    for _ in range(choose.randint(1, 3)):
        found = list(places(value))
        if found:
            holder, key = choose.choice(found)
            if choose.random() < 0.3:
                del holder[key]
            else:
                holder[key] = copy.deepcopy(choose.choice(ODD))
    return value


@pytest.mark.parametrize("name", NAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_a_damaged_recording_is_read_or_refused(name: str, seed: int) -> None:
    value = damaged(json.loads(FORMATS.get(name).declaration.example), random.Random(seed))  # noqa: S311
    for chosen in (name, "auto"):
        for source in (value, json.dumps(value).encode()):
            try:
                trace = read(source, format=chosen)
            except RightcallError as error:
                str(error).encode()  # it must be printable
            else:
                assert all(isinstance(call.name, str) and call.name for call in trace.calls or ())


@pytest.mark.parametrize("name", NAMES)
def test_any_kind_where_a_marker_should_be_is_no_crash(name: str) -> None:
    example = json.loads(FORMATS.get(name).declaration.example)
    for item in example if isinstance(example, list) else [example]:
        for holder, key in list(places(item)):
            before = holder[key]
            for odd in ODD:
                holder[key] = odd
                evidence = FORMATS.get(name).detect(Glance(item))
                assert evidence is None or evidence.seen
            holder[key] = before

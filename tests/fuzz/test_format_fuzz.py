"""Damaged recordings in every format: reading gives a trace or an error of the family, in little time, nothing else.

The seeds are each format's own example and, where they are at hand, the samples of the shared data. The quick form runs
everywhere; ``make soak`` runs the long one.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rightcall import RightcallError, Trace, list_formats
from rightcall.core.arguments import read_arguments
from rightcall.run.intake.traces import traces_of
from rightcall.run.sets import FORMATS
from tests.conftest import SHARED

SECONDS = 2.0
"""No recording of a few kilobytes may take longer, on a slow machine under load."""
EVERY = list_formats()
ODD: list[Any] = [
    *(None, True, False, 0, -1, 1.5, 10**400, "", " ", "x", "\ud800", "null", "{", '{"a": 1}', "[" * 300),
    *([], {}, [None], [[]], [{}], ["x"], {"": None}, {"\ud800": 1}, {"type": "x"}, {"name": "f"}),
    *({"name": "f", "arguments": {"a": 1}}, {"role": "assistant"}, {"text": "t"}, {"f": {"a": 1}}),
]
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
        b"'",
        b"(",
        b")",
        b"=",
        b"null",
        b"NaN",
        b"-",
        b"1e999",
    ),
    *(
        b'"\\ud800"',
        b"\xff",
        b"\x00",
        b"\xef\xbb\xbf",
        b"9" * 400,
        b"\n",
        b"\n\n",
        b"data: ",
        b"```",
        b"```json\n",
    ),
    *(b"<tool_call>", b"</tool_call>", b"<function=f>", b"</function>", b"<parameter=a>", b"<|python_tag|>"),
    *(
        b"[TOOL_CALLS]",
        b"[ARGS]",
        b"<function_call>",
        b"Call: ",
        b'<invoke name="f">',
        b"</invoke>",
        b"<think>",
    ),
    *(
        "<｜tool▁call▁begin｜>".encode(),
        b"Action: f\nAction Input: ",
        b"Observation:",
        b"f(a=1)",
        b"f(a=",
        b"**",
    ),
    *(b"[" * 300, b"{" * 300, b'{"a":' * 300, b"(" * 300, b"- " * 300, b"f(a=" * 300, b"</think>"),
)


@cache
def seeds(name: str) -> tuple[bytes, ...]:
    """Recordings in a format: its example, and the shared samples that are told to be in it."""
    declaration = FORMATS.get(name).declaration
    found = [declaration.example.encode()]
    if declaration.text:
        message = {"role": "assistant", "content": declaration.example}
        found += [
            json.dumps({"messages": [{"role": "user", "content": "Hi"}, message, {"role": "tool"}]}).encode(),
            json.dumps([{"turn": 0, "text": declaration.example}]).encode(),
            json.dumps({"conversations": [{"from": "gpt", "value": declaration.example}]}).encode(),
        ]
    return (*found, *samples().get(name, ()))


@cache
def samples() -> dict[str, tuple[bytes, ...]]:
    found: dict[str, tuple[bytes, ...]] = {}
    for path in sorted((SHARED / "data" / "formats").glob("*.json")):
        data = path.read_bytes()
        try:
            formats = {trace.format for trace in traces_of(data)}
        except RightcallError:
            continue
        for name in formats & set(EVERY):
            found[name or ""] = (*found.get(name or "", ()), data)
    return found


def copied(value: Any) -> Any:
    """A copy of JSON, however deep."""
    return json.loads(json.dumps(value))


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with each of its keys."""
    for key, child in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, key
        if isinstance(child, dict | list):
            yield from places(child)


def changed(value: Any, choose: random.Random) -> Any:
    """The value with some of its fields dropped, renamed, replaced, repeated or nested deeply."""
    value = copied(value)
    for _ in range(choose.randint(1, 3)):
        found = list(places(value)) if isinstance(value, dict | list) else []
        if not found:
            return value
        holder, key = choose.choice(found)
        what = choose.randrange(6)
        if what == 0:
            del holder[key]
        elif what == 1:
            holder[key] = copied(choose.choice(ODD))
        elif what == 2:
            holder[key] = copied(choose.choice(found)[0])
        elif what == 3:
            deep: Any = holder[key]
            for _ in range(choose.choice([1, 2, 250])):
                deep = [deep] if choose.random() < 0.5 else {"a": deep}
            holder[key] = deep
        elif isinstance(holder, list):
            holder.insert(choose.randrange(len(holder) + 1), copied(holder[key]))
        else:
            new = choose.choice(
                [str(key).upper(), f"{key}s", "name", "type", "role", "content", "id", "input"]
            )
            holder[new] = holder[key] if what == 4 else holder.pop(key)
    return value


def cut(data: bytes, choose: random.Random) -> bytes:
    """The bytes with pieces cut out, repeated, or tokens put in."""
    for _ in range(choose.randint(1, 3)):
        place = choose.randint(0, len(data))
        what = choose.randrange(4)
        if what == 0:
            data = data[:place]
        elif what == 1:
            data = data[:place] + data[place + choose.randint(1, 20) :]
        elif what == 2:
            data = data[:place] + choose.choice(TOKENS) + data[place:]
        else:
            data = data[:place] + data[max(0, place - choose.randint(1, 60)) :]
    return data


def damaged(name: str, choose: random.Random) -> Iterator[Any]:
    """A damaged recording as bytes, and as Python objects where it still is JSON."""
    data = choose.choice(seeds(name))
    try:
        value = json.loads(data)
    except ValueError:
        value = None
    if value is None or choose.random() < 0.4:
        data = cut(data, choose)
        yield data
        if FORMATS.get(name).declaration.text:
            yield [data.decode(errors="replace")]
        return
    value = changed(value, choose)
    yield json.dumps(value).encode()
    yield value


def check(source: Any, chosen: str) -> None:
    before = time.process_time()
    try:
        traces = traces_of(source, chosen)
    except RightcallError as error:
        str(error).encode()  # it must be printable
    else:
        for trace in traces:
            assert isinstance(trace, Trace)
            for call in trace.calls or ():
                assert isinstance(call.name, str)
                assert call.name
                reading = read_arguments(call.raw)
                assert (reading.value is None) == (reading.problem is not None)
    assert time.process_time() - before < SECONDS


def read_damaged(name: str, seed: int) -> None:
    choose = random.Random(seed)  # noqa: S311 - damage is no secret
    for source in damaged(name, choose):
        for chosen in (name, "auto"):
            check(source, chosen)


@pytest.mark.parametrize("name", EVERY)
@given(seed=st.integers(0, 2**40))
@settings(max_examples=25)
def test_a_damaged_recording_is_read_or_refused(name: str, seed: int) -> None:
    read_damaged(name, seed)


@pytest.mark.soak
@pytest.mark.parametrize("name", EVERY)
@given(seed=st.integers(0, 2**40))
@settings(max_examples=3_000)
def test_many_damaged_recordings(name: str, seed: int) -> None:
    read_damaged(name, seed)


@pytest.mark.parametrize("name", EVERY)
@given(st.lists(st.sampled_from(TOKENS), max_size=12).map(b"".join))
@settings(max_examples=10)
def test_tokens_without_sense_are_read_or_refused(name: str, data: bytes) -> None:
    check(data, name)
    check([data.decode(errors="replace")], name)

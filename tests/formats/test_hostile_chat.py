"""Damaged recordings of the chat formats: calls, or an error of the family, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rightcall import RightcallError, read
from rightcall.run.sets import FORMATS

NAMES = (
    *("openai_chat", "openai_chat_stream", "openai_responses", "openai_function_call", "anthropic"),
    *("anthropic_stream", "gemini", "bedrock_converse", "mistral", "cohere", "ollama", "sharegpt"),
    "bedrock_converse_stream",
)
ODD: list[Any] = [
    *(None, True, 0, -1, 1.5, 10**30, "", "x", "\ud800", [], {}, [None], [[]], {"": None}, {"\ud800": 1}),
    *({"role": "assistant"}, {"type": "tool_use"}, {"name": "f"}, {"text": "t"}, "{", '{"a": 1}', ["x"]),
]
KEYS = (
    "role",
    "content",
    "type",
    "name",
    "id",
    "index",
    "delta",
    "choices",
    "parts",
    "input",
    "output",
    "message",
)


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of everything in a value, itself first."""
    children = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    return [path, *(found for key, child in children for found in paths(child, (*path, key)))]


def changed(value: Any, path: tuple[Any, ...], new: Any, *, key: str | None) -> Any:
    """A copy with another value at a place, or with one more field there; `...` drops it."""
    if not path:
        return {**value, key: new} if key is not None and isinstance(value, dict) else new
    head, *rest = path
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[head] = changed(copy[head], tuple(rest), new, key=key)
    if copy[head] is ...:
        del copy[head]
    return copy


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@settings(max_examples=150)
def test_a_damaged_recording_is_read_or_refused(name: str, data: st.DataObject) -> None:
    value = json.loads(FORMATS.get(name).declaration.example)
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(paths(value)))
        new = data.draw(st.sampled_from([*ODD, ...] if path else ODD))
        value = changed(
            value, path, new, key=data.draw(st.sampled_from([None, *KEYS])) if new is not ... else None
        )
    for chosen in (name, "auto"):
        for source in (value, json.dumps(value).encode()):
            try:
                trace = read(source, format=chosen)
            except RightcallError as error:
                str(error).encode()  # it must be printable
            else:
                assert all(isinstance(call.name, str) and call.name for call in trace.calls or ())


@pytest.mark.parametrize("name", NAMES)
def test_deep_and_broken_json(name: str) -> None:
    text = FORMATS.get(name).declaration.example
    deep = "[" * 100_000 + "]" * 100_000
    for source in (
        text[:-3],
        text.replace('"Oslo"', deep),
        text.replace('"get_weather"', deep),
        text.replace("{", '{"\\ud800": 1, ', 2),
    ):
        for form in (name, "auto"):
            try:
                read(source.encode(), format=form)
            except RightcallError as error:
                str(error).encode()

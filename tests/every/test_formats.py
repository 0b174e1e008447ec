"""One suite for every wire format. A new file in `formats/` is covered without a change here."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rightcall import DataError, UsageError, list_formats, read
from rightcall.core.nodes import node_from_text
from rightcall.core.reading.glance import Glance
from rightcall.run.sets import FORMATS

EVERY = list_formats()


@pytest.mark.parametrize("name", EVERY)
def test_the_declaration_is_complete(name: str) -> None:
    found = FORMATS.get(name).declaration
    assert found.id == name
    fields = (
        "meaning",
        "detected_by",
        "name_at",
        "arguments_at",
        "id_at",
        "result_at",
        "group_at",
        "cannot_carry",
    )
    assert not [field for field in fields if not getattr(found, field).strip()]
    assert found.example


def sources_of(name: str) -> list[Any]:
    """The example as bytes and as what Python holds: objects, or for a text style the text in all its places."""
    declaration = FORMATS.get(name).declaration
    text = declaration.example
    if not declaration.text:
        value = json.loads(text)
        return [text.encode(), value, [value] if isinstance(value, dict) else value]
    message = {"role": "assistant", "content": text}
    ask = {"role": "user", "content": "How warm is it?"}
    return [
        text.encode(),
        [text],
        [{"turn": 0, "step": 0, "text": text}],
        message,
        [ask, message],
        {"messages": [ask, message]},
        json.dumps({"messages": [ask, message]}).encode(),
        json.dumps([ask, message]).encode(),
        {"messages": [ask, {"role": "assistant", "content": [{"type": "text", "text": text}]}]},
        {"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": text}]},
        {"object": "chat.completion", "choices": [{"index": 0, "message": message}]},
    ]


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("chosen", ["auto", "by name"])
def test_the_example_reads_from_text_and_from_objects(name: str, chosen: str) -> None:
    named_only = FORMATS.get(name).declaration.named_only
    for source in sources_of(name):
        if chosen == "auto" and named_only:
            try:
                trace = read(source)
            except DataError:
                continue
            assert trace.calls == ()  # a text without marks, in a message that is read
            continue
        trace = read(source, format=name if chosen == "by name" else "auto")
        assert trace.format == name
        assert trace.calls
        assert all(call.name and call.arguments is not None for call in trace.calls or ())


@pytest.mark.parametrize("name", EVERY)
def test_detect_names_it_and_nobody_claims_it_as_strongly(name: str) -> None:
    declaration = FORMATS.get(name).declaration
    node = declaration.example if declaration.text else node_from_text(declaration.example)
    for item in node if isinstance(node, list) else [node]:
        evidence = {other: FORMATS.get(other).detect(Glance(item)) for other in EVERY}
        own = evidence[name]
        if declaration.named_only:
            assert not any(evidence.values())
            continue
        assert own is not None
        assert own.seen
        assert 1 <= own.strength <= 10
        for other, found in evidence.items():
            assert other == name or found is None or found.strength < own.strength


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("value", [None, True, 5, "x", [], {}], ids=str)
def test_detect_of_something_else_is_no_crash(name: str, value: object) -> None:
    evidence = FORMATS.get(name).detect(Glance(value))
    assert evidence is None or evidence.strength == 1


def test_an_unknown_format_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError) as caught:
        read([], format="openai-chats")
    assert "openai_chat" in str(caught.value)

"""One suite for every wire format. A new file in `formats/` is covered without a change here."""

from __future__ import annotations

import json

import pytest

from rightcall import UsageError, list_formats, read
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


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("chosen", ["auto", "by name"])
def test_the_example_reads_from_text_and_from_objects(name: str, chosen: str) -> None:
    text = FORMATS.get(name).declaration.example
    chosen_format = name if chosen == "by name" else "auto"
    for source in (
        text.encode(),
        json.loads(text),
        [json.loads(text)] if text.startswith("{") else json.loads(text),
    ):
        trace = read(source, format=chosen_format)
        assert trace.format == name
        assert trace.calls
        assert all(call.name and call.arguments is not None for call in trace.calls)


@pytest.mark.parametrize("name", EVERY)
def test_detect_names_it_and_nobody_claims_it_as_strongly(name: str) -> None:
    node = node_from_text(FORMATS.get(name).declaration.example)
    items = node if isinstance(node, list) else [node]
    for item in items:
        evidence = {other: FORMATS.get(other).detect(Glance(item)) for other in EVERY}
        own = evidence[name]
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

"""Ways in which objects and files leave a program, whatever the format: texts of objects, documents in a row."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rightcall import DataError, read


class Written:
    """An object that can write itself as JSON and nothing else, as the spans of OpenTelemetry's SDK."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def to_json(self, indent: int | None = 4) -> str:
        return json.dumps(self._value, indent=indent)


def span(number: int) -> dict[str, Any]:
    return {
        "name": "execute_tool look",
        "context": {"trace_id": "0xa1", "span_id": f"0x{number}"},
        "start_time": f"2026-10-26T12:00:0{number}.000000Z",
        "attributes": {"gen_ai.tool.name": "look", "gen_ai.tool.call.arguments": json.dumps({"n": number})},
    }


def numbers(source: Any, format: str = "auto") -> list[Any]:
    return [(call.arguments or {})["n"] for call in read(source, format=format).calls or ()]


def test_an_object_that_writes_itself_as_json_is_read_as_what_it_writes() -> None:
    assert numbers([Written(span(1)), Written(span(2))]) == [1, 2]


@pytest.mark.parametrize("value", [[span(1)], "look", {1, 2}, float("nan")])
def test_an_object_that_writes_no_object_is_refused(value: Any) -> None:
    with pytest.raises(DataError, match="Written"):
        read([Written(value)])


@pytest.mark.parametrize("between", ["\n", "\n\n", "\r\n", " \n "])
@pytest.mark.parametrize("format", ["auto", "otel_genai"])
def test_indented_documents_in_a_row_are_one_file(between: str, format: str) -> None:
    written = between.join(json.dumps(span(number), indent=4) for number in (1, 2, 3))
    assert numbers(written.encode(), format) == [1, 2, 3]


def test_indented_lists_in_a_row_are_recordings_of_their_own() -> None:
    one = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]
    written = "\n".join(json.dumps(one, indent=2) for _ in range(2))
    assert [turn.input for turn in read(written.encode()).turns] == ["hi", "hi"]


def test_a_broken_document_in_a_row_is_named() -> None:
    good, bad = json.dumps(span(1), indent=4), json.dumps(span(2), indent=4).replace('"name"', "name")
    with pytest.raises(DataError, match="document 2"):
        read(f"{good}\n{bad}\n{good}".encode())


def test_a_single_broken_document_is_no_row() -> None:
    with pytest.raises(DataError, match="not valid JSON"):
        read(json.dumps(span(1), indent=4).replace("}", "]", 1).encode())

"""Text samples and real model outputs of the shared folder: each is read to the calls that are known of it.

The real outputs have no licence, so nothing of them is kept here; the ids of the rows that are read otherwise stand, with
their reasons, in docs/design/wire-misses.md.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rightcall import DataError, Trace, read
from rightcall.core.jsonvalue import same_value
from rightcall.run.intake.reading import read_calls
from rightcall.run.intake.traces import traces_of

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"(?m)^\| `(raw:[^`]+)` \|")
NAMED = {
    "llama4 / pythonic": "python_calls",
    "list of strings": "python_calls",
    "glm name then json": "name_then_json",
    "fenced json": "fenced_json",
    "no call": "python_calls",
}
"""Styles without marks, and the format with which each is read; the others are told by their marks."""
SHAPES = {
    "bare_python_call": "python_calls",
    "escaped_underscores": "python_calls",
    "python_call_list": "python_calls",
    "python_call_list_then_prose": "python_calls",
    "prose_with_call_list": "python_calls",
    "list_of_strings_text": "python_calls",
    "list_of_dicts_text": "python_calls",
    "fenced_code": "python_calls",
    "prose_or_other": "python_calls",
    "name_newline_json": "name_then_json",
    "json_object_text": "fenced_json",
    "fc_list": "auto",
    "json_tool_calls_object": "auto",
    "function_call_tag": "auto",
    "hermes_tool_call_tag": "auto",
}
"""The format with which each shape of the real outputs is read, where auto-detection sees no mark."""


def told(trace: Trace) -> list[dict[str, Any]]:
    return [{"name": call.name, "arguments": call.arguments} for call in trace.calls or ()]


def sample(shared_data: Path, name: str) -> Any:
    return json.loads((shared_data / "formats" / f"{name}.json").read_text())


def test_every_text_variant_reads_to_what_it_means(shared_data: Path) -> None:
    for variant in sample(shared_data, "text_variants"):
        text, wanted = variant["text"], variant["expect"]
        chosen = NAMED.get(variant["style"], "auto")
        for source in (text.encode(), [text] if not text.startswith("{") else text.encode()):
            assert told(read(source, format=chosen)) == wanted, variant["style"]
        assert told(read_calls(text, place="tool_calls", format=chosen)) == wanted, variant["style"]
        assert told(read(text.encode(), format="model_text")) == wanted, variant["style"]


def test_text_without_a_call_is_no_call_in_any_style(shared_data: Path) -> None:
    (text,) = (item["text"] for item in sample(shared_data, "text_variants") if item["style"] == "no call")
    with pytest.raises(DataError):
        read(text.encode())
    for name in ("python_calls", "name_then_json", "fenced_json", "model_text", "hermes", "react", "raven"):
        trace = read(text.encode(), format=name)
        assert trace.calls == ()
        assert trace.text == text


def test_every_plain_variant_reads_to_what_it_means(shared_data: Path) -> None:
    for variant in sample(shared_data, "plain_variants"):
        value = variant["value"]
        if "expect_error" in variant:
            with pytest.raises(DataError):
                read_calls(value, place="tool_calls")
            continue
        assert told(read_calls(value, place="tool_calls")) == variant["expect"], value
        text = value if isinstance(value, str) else json.dumps(value)
        assert told(read(text.encode())) == variant["expect"], value


def test_bfcl_lines_are_a_recording_each(shared_data: Path) -> None:
    lines = sample(shared_data, "bfcl_result")
    truth = sample(shared_data, "_truth")["calls"]
    calls = [{"name": call["name"], "arguments": call["arguments"]} for call in truth]
    stock, move, cutoffs = calls[:2], calls[2:3], calls[3:]
    mangled = [{"name": "warehouse_api_list_cutoffs", "arguments": {}}]
    for source in (
        json.dumps(lines).encode(),
        "\n".join(map(json.dumps, lines)).encode(),
    ):
        traces = traces_of(source)
        assert [trace.format for trace in traces] == ["bfcl"] * 6
        assert [trace.id for trace in traces] == [line["id"] for line in lines]
        assert list(map(told, traces)) == [stock, stock, move, calls, cutoffs, mangled]
        many = traces[3].calls or ()
        assert [call.turn for call in many] == [0, 0, 0, 1]
        assert many[0].group == many[1].group is not None
        assert many[2].group is None


def is_read(row: dict[str, Any], trace: Trace | None) -> bool:
    """Whether what is known of a row was read; a name that the source lost is not held against a reader."""
    if row["status"] == "source_decoded_but_not_here":
        return (
            trace is not None
            and bool(trace.calls)
            and all(call["arguments"] is not None for call in told(trace))
        )
    made = told(trace) if trace is not None else []
    wanted = row["decoded"]
    return len(made) == len(wanted) and all(
        one["name"] == (other["name"] or one["name"]) and same_value(one["arguments"], other["arguments"])
        for one, other in zip(made, wanted, strict=True)
    )


def read_row(row: dict[str, Any], chosen: str | None = None) -> Trace | None:
    """A row as its shape says, told by its marks first; None where it is refused with an error of the family."""
    source = row["raw"] if isinstance(row["raw"], list) else row["raw"].encode()
    formats = ("auto", SHAPES[row["shape"]]) if chosen is None else (chosen,)
    for name in formats:
        try:
            trace = read(source, format=name)
        except DataError as error:
            str(error).encode()
            continue
        if trace.calls or name == formats[-1]:
            return trace
    return None


@pytest.fixture(scope="module")
def rows(shared_data: Path) -> list[dict[str, Any]]:
    file = shared_data / "wire_nolicence" / "bfcl_raw_outputs.jsonl"
    if not file.is_file():
        pytest.skip("the real outputs are not here")
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_real_outputs_are_read_to_the_calls_that_are_known(rows: list[dict[str, Any]]) -> None:
    known = [row for row in rows if row["status"] != "source_could_not_decode"]
    missed = {row["id"] for row in known if not is_read(row, read_row(row))}
    page, names = (
        (ROOT / "docs/design/wire-misses.md").read_text().split("## Rows whose name the source lost")
    )
    assert missed == set(ROW.findall(page))
    assert len(missed) <= 0.02 * len(known)
    lost = {row["id"]: row for row in known if any(not call["name"] for call in row["decoded"] or ())}
    assert set(lost) == set(ROW.findall(names))
    for row in lost.values():
        for call in told(read_row(row) or Trace()):
            assert re.search(rf"""['"]{re.escape(call["name"])}['"]\(""", row["raw"])


def test_real_outputs_of_unknown_meaning_are_read_or_refused(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        if row["status"] == "source_could_not_decode":
            read_row(row)
        for call in told(read_row(row, "model_text") or Trace()) if isinstance(row["raw"], str) else ():
            assert call["name"]

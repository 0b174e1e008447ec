"""Peak memory of reading recordings: at most 250 MB for files of 200 MB that are read in parts, twice their size else."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from measure import verdict

PARTS_MB = 250
TIMES_SIZE = 2.0
PROMPT = "The customer wants to know where the parcel is and whether it can still be sent elsewhere. " * 40
READ = "import sys, rightcall; print(len(rightcall.read(sys.argv[1]).calls))"


def spans(number: int) -> list[dict[str, Any]]:
    """A model's request and the run of its tool, as OTLP/JSON."""
    trace, start = f"{number + 1:032x}", 1_760_000_000_000_000_000 + number * 10**9
    arguments = json.dumps({"parcel": f"P-{number}", "fields": ["place", "due"]})
    told = [{"role": "user", "parts": [{"type": "text", "content": PROMPT}]}]
    call = {"type": "tool_call", "id": f"c{number}", "name": "track", "arguments": json.loads(arguments)}
    said = [{"role": "assistant", "parts": [call]}]
    chat = {
        "gen_ai.operation.name": "chat",
        "gen_ai.system_instructions": PROMPT,
        "gen_ai.input.messages": json.dumps(told),
        "gen_ai.output.messages": json.dumps(said),
    }
    run = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "track",
        "gen_ai.tool.call.id": f"c{number}",
        "gen_ai.tool.call.arguments": arguments,
        "gen_ai.tool.call.result": '{"place": "Oslo"}',
    }
    return [
        {
            "traceId": trace,
            "spanId": f"{number * 2 + index + 1:016x}",
            "name": name,
            "startTimeUnixNano": str(start + index),
            "endTimeUnixNano": str(start + index + 1),
            "attributes": [
                {"key": key, "value": {"stringValue": value}} for key, value in attributes.items()
            ],
        }
        for index, (name, attributes) in enumerate((("chat", chat), ("execute_tool track", run)))
    ]


def otlp_lines(size: int) -> Iterator[bytes]:
    """A request of OTLP a line."""
    written = number = 0
    while written < size:
        line = json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans(number)}]}]}).encode() + b"\n"
        yield line
        number, written = number + 1, written + len(line)


def otlp_frames(size: int) -> Iterator[bytes]:
    """Requests in protobuf, each after its length."""
    from google.protobuf.json_format import ParseDict
    from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

    written = number = 0
    while written < size:
        message = TracesData()
        found = spans(number)
        for span in found:  # JSON of protobuf takes bytes in base 64
            span["traceId"] = span["spanId"] = ""
        ParseDict({"resourceSpans": [{"scopeSpans": [{"spans": found}]}]}, message)
        for index, span in enumerate(message.resource_spans[0].scope_spans[0].spans):
            span.trace_id = (number + 1).to_bytes(16, "big")
            span.span_id = (number * 2 + index + 1).to_bytes(8, "big")
        data = message.SerializeToString()
        frame = varint(len(data)) + data
        yield frame
        number, written = number + 1, written + len(frame)


def varint(number: int) -> bytes:
    """A number as protobuf writes lengths."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def joined(opening: str, closing: str, item: Callable[[int], str]) -> Callable[[int], Iterator[bytes]]:
    """One document whose items come in a list."""

    def pieces(size: int) -> Iterator[bytes]:
        yield opening.encode()
        written = number = 0
        while written < size:
            piece = (item(number) if not number else "," + item(number)).encode()
            yield piece
            number, written = number + 1, written + len(piece)
        yield closing.encode()

    return pieces


def exchange(number: int) -> str:
    """A user's message, a call and its answer, as chat completions."""
    call = {"name": "track", "arguments": json.dumps({"parcel": f"P-{number}"})}
    asked = {"role": "assistant", "tool_calls": [{"id": f"c{number}", "type": "function", "function": call}]}
    answer = {"role": "tool", "tool_call_id": f"c{number}", "content": PROMPT}
    return ",".join(map(json.dumps, ({"role": "user", "content": PROMPT}, asked, answer)))


def blocks(number: int) -> str:
    """The same as Anthropic's messages."""
    call = {"type": "tool_use", "id": f"c{number}", "name": "track", "input": {"parcel": f"P-{number}"}}
    answer = {"type": "tool_result", "tool_use_id": f"c{number}", "content": PROMPT}
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": PROMPT},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [answer]},
    ]
    return ",".join(map(json.dumps, messages))


def inference(number: int) -> str:
    """A tool's span as Phoenix exports it."""
    attributes = {"openinference.span.kind": "TOOL", "tool.name": "track", "output.value": PROMPT}
    attributes["input.value"] = json.dumps({"parcel": f"P-{number}"})
    return json.dumps(
        {"name": "track", "context": {"trace_id": f"{number // 8 + 1:032x}"}, "attributes": attributes}
    )


def run(number: int) -> str:
    """A tool's run in LangSmith."""
    fields = {"id": f"r{number}", "trace_id": f"t{number // 8}", "run_type": "tool", "name": "track"}
    inputs = {"inputs": {"parcel": f"P-{number}"}, "outputs": {"output": PROMPT}}
    return json.dumps(fields | {"dotted_order": f"20260105T080000000000Zr{number}"} | inputs)


def plain(number: int) -> str:
    """A call as an object."""
    return json.dumps({"name": "track", "arguments": {"parcel": f"P-{number}"}, "output": PROMPT})


def in_otlp(number: int) -> str:
    """The spans of one exchange."""
    return ",".join(map(json.dumps, spans(number)))


DOCUMENTS = {
    "openai_chat": joined('{"messages":[', "]}", exchange),
    "anthropic": joined('{"messages":[', "]}", blocks),
    "otel_genai": joined('{"resourceSpans":[{"scopeSpans":[{"spans":[', "]}]}]}", in_otlp),
    "openinference": joined("[", "]", inference),
    "langsmith": joined("[", "]", run),
    "plain": joined("[", "]", plain),
}


def peak_of(pieces: Iterator[bytes], path: Path) -> tuple[float, float, float, int]:
    """Megabytes of the file and of the reading process at its peak, seconds, and the calls read."""
    with path.open("wb") as file:
        file.writelines(pieces)
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", READ, str(path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"reading {path.name} ended with status {status}")
    size = path.stat().st_size / 2**20
    path.unlink()
    return size, usage.ru_maxrss / 1024, time.perf_counter() - start, int(printed)


def main() -> None:
    """Write each file, read it in a process of its own, and compare the peak with its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--parts", type=int, default=200, help="megabytes of the files that are read in parts"
    )
    parser.add_argument("--document", type=int, default=60, help="megabytes of a single document")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        base = peak_of(otlp_lines(1000), Path(folder) / "small.jsonl")[1]
        print(f"a small file: {base:.0f} MB, counted in the first two, taken off the others")
        for name, pieces in (("lines.jsonl", otlp_lines), ("frames.bin", otlp_frames)):
            size, peak, spent, calls = peak_of(pieces(asked.parts * 2**20), Path(folder) / name)
            told = verdict(peak / PARTS_MB, 1.0, over="TOO MUCH")
            print(
                f"{name}: {size:.0f} MB, {calls} calls, {spent:.1f} s, peak {peak:.0f} MB: {told} of {PARTS_MB} MB"
            )
        for name, document in DOCUMENTS.items():
            size, peak, spent, calls = peak_of(document(asked.document * 2**20), Path(folder) / "one.json")
            told = verdict((peak - base) / size, TIMES_SIZE, over="TOO MUCH")
            print(f"{name}: {size:.0f} MB, {calls} calls, {spent:.1f} s, peak {peak:.0f} MB: {told} its size")


if __name__ == "__main__":
    main()

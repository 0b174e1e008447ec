"""Every sample of `shared/data/formats` tells one story, `_truth.json`; each reader must tell it too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rightcall import Trace, read
from rightcall.core.jsonvalue import decode_loose, same_value

# sample → (format, what it can't carry). Words: ids, results, turns, groups; `calls=2` means the first two only;
# `under=key`: the sample shows several spellings, each under a key.
SAMPLES: dict[str, tuple[str, set[str]]] = {
    "openai_chat_completions": ("openai_chat", set()),
    "openai_chat_response": ("openai_chat", {"calls=2", "results", "turns"}),
    "openai_chat_stream": ("openai_chat_stream", {"calls=3", "results", "turns"}),
    "openai_responses": ("openai_responses", set()),
    "openai_legacy_function_call": ("openai_function_call", {"ids", "groups"}),
    "anthropic_messages": ("anthropic", {"ids=toolu_"}),
    "anthropic_stream": ("anthropic_stream", {"calls=2", "results", "turns", "ids=toolu_"}),
    "gemini_generate_content": ("gemini", {"ids"}),
    "bedrock_converse": ("bedrock_converse", {"ids=own"}),
    "mistral_chat": ("mistral", {"ids=own"}),
    "cohere_v2_chat": ("cohere", {"ids=own"}),
    "ollama_chat": ("ollama", {"ids"}),
    "langchain_messages_to_dict": ("langchain", set()),
    "langchain_dumpd": ("langchain_dumpd", set()),
    "langgraph_state_messages": ("langgraph", set()),
    "langsmith_runs": ("langsmith", set()),
    "llamaindex": ("llamaindex", set()),
    "vercel_ai_sdk_steps": ("vercel_steps", {"users"}),
    "vercel_ai_sdk_v4_steps": ("vercel_v4_steps", {"users"}),
    "vercel_model_messages": ("vercel_messages", set()),
    "vercel_ui_messages": ("vercel_ui", set()),
    "pydantic_ai_messages": ("pydantic_ai", set()),
    "google_adk_events": ("google_adk", {"ids=adk-"}),
    "google_adk_evalset.test": ("google_adk_eval_set", {"ids=own", "groups", "results=stated"}),
    "google_adk_legacy_test": ("google_adk_legacy", {"ids", "groups", "results"}),
    "openai_agents_sdk_items": ("openai_agents", {"users"}),
    "mcp_jsonrpc": ("mcp", {"ids=own", "groups", "turns"}),
    "otel_genai_otlp": ("otel_genai", set()),
    "openinference_spans": ("openinference", set()),
    "uipath_spans": ("uipath", {"ids", "groups", "turns"}),
    "tau2_simulation": ("tau2", set()),
    "inspect_eval_log": ("inspect", set()),
    "ragas_sample": ("ragas", {"ids"}),
    "deepeval_test_case": ("deepeval", {"calls=3", "ids", "groups", "turns", "under=camelCase"}),
    "hermes_qwen_text": ("hermes", {"ids"}),
    "llama_function_tag_text": ("llama_function_tag", {"ids", "results", "users"}),
}
SHAPES_OF_THEIR_OWN = {"bfcl_result", "text_variants", "plain_variants"}


def folder(shared_data: Path) -> Path:
    return shared_data / "formats"


def told(trace: Trace) -> list[tuple[str, Any]]:
    return [(call.name, call.arguments) for call in trace.calls or ()]


@pytest.fixture
def truth(shared_data: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder(shared_data) / "_truth.json").read_text())
    return found


def test_every_sample_is_named_here(shared_data: Path) -> None:
    there = {path.name.removesuffix(".json") for path in folder(shared_data).glob("*.json")} - {"_truth"}
    assert there == {*SAMPLES, *SHAPES_OF_THEIR_OWN}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_detected_and_tells_the_story(
    name: str, shared_data: Path, truth: dict[str, Any]
) -> None:
    expected_format, lacks = SAMPLES[name]
    path = folder(shared_data) / f"{name}.json"
    under = next((word.partition("=")[2] for word in lacks if word.startswith("under=")), None)
    trace = read(path if under is None else json.loads(path.read_bytes())[under])
    assert trace.format == expected_format
    count = next((int(word.partition("=")[2]) for word in lacks if word.startswith("calls=")), 4)
    calls = truth["calls"][:count]
    assert told(trace) == [(call["name"], call["arguments"]) for call in calls]
    made = trace.calls or ()
    check_ids([call.id for call in made], [call["id"] for call in calls], lacks)
    if "results" not in lacks:
        for call, wanted in zip(made, calls, strict=True):
            if not (call.output is None and "results=stated" in lacks):
                output = decode_loose(call.output) if isinstance(call.output, str) else call.output
                assert same_value(output, wanted["result"]), call
    if "turns" not in lacks:
        assert [call.turn for call in made] == [call["turn"] for call in calls]
        assert [turn.text for turn in trace.turns] == truth["final_texts"] or not trace.turns
        if "users" not in lacks:
            assert [turn.input for turn in trace.turns] == truth["user_turns"]
        if count == 4 and trace.text is not None:
            assert trace.text == truth["final_texts"][-1]
    groups = [call.group for call in made]
    if "groups" in lacks:
        assert groups == [None] * count
    else:
        assert groups[0] is not None
        assert groups[0] == groups[1]
        assert groups[2:] == [None] * (count - 2)
    if trace.tools is not None:
        assert {tool.name for tool in trace.tools} == {tool["name"] for tool in truth["tools"]}
    assert trace.warnings == ()


def check_ids(made: list[str | None], wanted: list[str], lacks: set[str]) -> None:
    if "ids" in lacks:
        assert made == [None] * len(made)
        return
    form = next((word.partition("=")[2] for word in lacks if word.startswith("ids=")), "")
    if form == "own":
        given = [call for call in made if call is not None]
        assert given
        assert len(set(given)) == len(given)
    else:
        assert made == [form + call for call in wanted]

"""The conversations of `recordings.py` as tools for evaluation and benchmarks record them; and all recordings by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from recordings import Story
from recordings_of_frameworks import FRAMEWORKS, number_of, openinference


def deepeval(turns: Story) -> Any:
    """A conversational test case."""
    found: list[Any] = []
    for asked, steps, said in turns:
        found.append({"role": "user", "content": asked})
        called = [{"name": c[1], "input_parameters": c[2], "output": c[3]} for step in steps for c in step]
        found.append({"role": "assistant", "content": said, "tools_called": called})
    return {"scenario": "a parcel", "turns": found}


def ragas(turns: Story) -> Any:
    """A multi-turn sample."""
    found: list[Any] = []
    for asked, steps, said in turns:
        found.append({"type": "human", "content": asked})
        for step in steps:
            calls = [{"name": c[1], "args": c[2]} for c in step]
            found.append({"type": "ai", "content": "", "tool_calls": calls})
            found += [{"type": "tool", "content": c[3]} for c in step]
        found.append({"type": "ai", "content": said})
    return {"user_input": found, "reference_tool_calls": []}


def google_adk_eval_set(turns: Story) -> Any:
    """An eval set of one case."""
    told: list[Any] = []
    for asked, steps, said in turns:
        calls = [c for step in steps for c in step]
        uses = [{"id": c[0], "name": c[1], "args": c[2]} for c in calls]
        answers = [{"id": c[0], "name": c[1], "response": {"result": c[3]}} for c in calls]
        told.append(
            {
                "invocation_id": f"i{len(told)}",
                "user_content": {"role": "user", "parts": [{"text": asked}]},
                "final_response": {"role": "model", "parts": [{"text": said}]},
                "intermediate_data": {"tool_uses": uses, "tool_responses": answers},
            }
        )
    return {"eval_set_id": "shop", "eval_cases": [{"eval_id": "one", "conversation": told}]}


def google_adk_legacy(turns: Story) -> Any:
    """A test file: what a user asks, and the calls that are expected then, with mocked answers."""
    return [
        {
            "query": asked,
            "expected_tool_use": [
                {"tool_name": c[1], "tool_input": c[2], "mock_tool_output": c[3]}
                for step in steps
                for c in step
            ],
            "reference": said,
        }
        for asked, steps, said in turns
    ]


def uipath(turns: Story) -> Any:
    """An agent's span, with OpenInference's spans of its models, as its instrumentation records them, and its tools'.

    Each as OpenTelemetry's exporters for files write it, with its context, resource and so on.
    """
    ran = iter([c for _, steps, _ in turns for step in steps for c in step])
    told = {"openinference.span.kind": "AGENT", "span_type": "agentRun"}
    spans = [
        {"name": "agent", "attributes": told | {"input.value": turns[0][0], "output.value": turns[-1][2]}},
        *openinference(turns),
    ]
    for number, span in enumerate(spans):
        attributes = span["attributes"]
        if "tool.name" in attributes:
            own, name, arguments, answer = next(ran)
            span["attributes"] = {
                "openinference.span.kind": "TOOL",
                "span_type": "toolCall",
                "tool.name": name,
                "tool.id": own,
                "input.mime_type": "application/json",
                "input.value": json.dumps(arguments),
                "output.value": answer,
                "output.mime_type": "application/json",
            }
        context = {"trace_id": f"0x{number_of(turns) + 1:032x}", "span_id": f"0x{number + 1:016x}"}
        span |= {
            "context": context | {"trace_state": "[]"},
            "kind": "SpanKind.INTERNAL",
            "parent_id": f"0x{1:016x}" if number else None,
            "start_time": f"2026-01-05T08:00:{number:02d}.000000Z",
            "end_time": f"2026-01-05T08:00:{number:02d}.500000Z",
            "status": {"status_code": "OK"},
            "events": [],
            "links": [],
            "resource": {"attributes": {"service.name": "shop", "telemetry.sdk.language": "python"}},
        }
    return spans


def uipath_tools(turns: Story) -> Any:
    """Only the spans that carry UiPath's own words: the agent's and one for each tool that ran."""
    return [span for span in uipath(turns) if "span_type" in span["attributes"]]


def bfcl(turns: Story) -> Any:
    """A result line of several turns as the leaderboard's handlers write it: the calls of each step, and the log.

    The log holds what was asked, each answer of the model, what was made of it, the tools' answers, and the state of
    the simulated system before the first turn and after each.
    """
    state = {"orders": {c[2]["order"]: c[2]["note"] for _, steps, _ in turns for step in steps for c in step}}
    states = [{"role": "state_info", "class_name": "ShopAPI", "content": state}]
    result: list[Any] = []
    log: list[Any] = [states]
    for asked, steps, said in turns:
        called = [[{c[1]: json.dumps(c[2])} for c in step] for step in steps]
        result.append([*called, said])
        turn: dict[str, Any] = {"begin_of_turn_query": [{"role": "user", "content": asked}]}
        for number, (calls, step) in enumerate(zip(called, steps, strict=True)):
            as_text = [
                f"{c[1]}({', '.join(f'{key}={value!r}' for key, value in c[2].items())})" for c in step
            ]
            turn[f"step_{number}"] = [
                {"role": "assistant", "content": calls},
                {"role": "handler_log", "content": "Decoded.", "model_response_decoded": as_text},
                *({"role": "tool", "content": c[3]} for c in step),
            ]
        turn[f"step_{len(steps)}"] = [
            {"role": "assistant", "content": said},
            {
                "role": "handler_log",
                "content": "No call in it: on to the next turn.",
                "model_response_raw": said,
            },
        ]
        log += [turn, states]
    counts = [[float(len(step)) for step in turn] for turn in result]
    return {
        "id": f"multi_turn_base_{number_of(turns)}",
        "result": result,
        "input_token_count": counts,
        "output_token_count": counts,
        "latency": [[1.25 + count / 7 for count in turn] for turn in counts],
        "inference_log": log,
    }


ALL: dict[str, Callable[[Story], Any]] = FRAMEWORKS | {
    made.__name__: made
    for made in (deepeval, ragas, google_adk_eval_set, google_adk_legacy, uipath, uipath_tools, bfcl)
}

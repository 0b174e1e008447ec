"""vercel_steps: what `generateText` of the Vercel AI SDK 5 and 6 gives: steps with `toolCalls`, or with `content`."""

from __future__ import annotations

from ..core.reading.format import MARKED, SHARED, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.vercel import StepReader, first_call, is_step

DECLARATION = FormatDeclaration(
    id="vercel_steps",
    meaning="results, steps and tool calls of the Vercel AI SDK, version 5 and 6",
    detected_by="`toolCalls` or `content` with entries that have `toolCallId`, `toolName` and `input`",
    name_at="steps[].toolCalls[].toolName, or that of a part `tool-call` in steps[].content",
    arguments_at="input: any JSON value; the text as it came where it could not be parsed",
    id_at="toolCallId",
    result_at="steps[].toolResults[].output, or the part `tool-result` or `tool-error` with that toolCallId",
    group_at="the calls of one step",
    turn_at="one result is one turn",
    cannot_carry="the user's messages, times, the offered tools",
    example='{"steps": [{"text": "", "finishReason": "tool-calls", "toolCalls": [{"type": "tool-call", "toolCallId": '
    '"c1", "toolName": "get_weather", "input": {"city": "Oslo"}}], "toolResults": [{"type": "tool-result", '
    '"toolCallId": "c1", "toolName": "get_weather", "output": {"celsius": 4}}]}], "text": "4 degrees."}',
    keys=frozenset({"steps", "toolCalls", "toolCallId", "content", "toolResults"}),
    source="ai-sdk.dev, generateText",
)


class Reader(StepReader):
    """See :class:`StepReader`."""

    format = DECLARATION.id


def detect(glance: Glance) -> Evidence | None:
    """By its first call; without one by a step's own fields."""
    call = first_call(glance)
    if call is None:
        step = glance.at("steps", 0) if "steps" in glance.keys else glance.value
        if isinstance(step, dict) and "finishReason" in step and "stepType" not in step:
            return Evidence(SHARED, "a step with its finishReason")
        return Evidence(SHARED, "a step without calls") if is_step(step) else None
    if "input" in call.keys or "output" in call.keys:
        return Evidence(MARKED, "a call with toolCallId and input")
    return None if call.keys & {"args", "result"} else Evidence(SHARED, "a call with toolCallId")

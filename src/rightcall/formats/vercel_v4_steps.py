"""vercel_v4_steps: what `generateText` of the Vercel AI SDK 4 gives: steps with `toolCalls`, arguments in `args`."""

from __future__ import annotations

from ..core.reading.format import MARKED, SHAPED, SHARED, Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.vercel import StepReader, first_call, is_step

DECLARATION = FormatDeclaration(
    id="vercel_v4_steps",
    meaning="results, steps and tool calls of the Vercel AI SDK, version 4",
    detected_by="`toolCalls` with entries that have `toolCallId`, `toolName` and `args`",
    name_at="steps[].toolCalls[].toolName",
    arguments_at="steps[].toolCalls[].args: any JSON value",
    id_at="steps[].toolCalls[].toolCallId",
    result_at="steps[].toolResults[].result with that toolCallId",
    group_at="the calls of one step",
    turn_at="one result is one turn",
    cannot_carry="the user's messages, times, the offered tools, whether a call failed",
    example='{"steps": [{"stepType": "initial", "text": "", "toolCalls": [{"type": "tool-call", "toolCallId": "c1", '
    '"toolName": "get_weather", "args": {"city": "Oslo"}}], "toolResults": [{"type": "tool-result", "toolCallId": '
    '"c1", "toolName": "get_weather", "result": {"celsius": 4}}]}], "text": "4 degrees."}',
    keys=frozenset({"steps", "toolCalls", "toolCallId", "toolResults"}),
    source="ai-sdk.dev, generateText of version 4",
)


class Reader(StepReader):
    """See :class:`StepReader`."""

    format = DECLARATION.id
    version = 4


def detect(glance: Glance) -> Evidence | None:
    """By its first call; without one by a step's own fields."""
    call = first_call(glance)
    if call is None:
        step = glance.at("steps", 0) if "steps" in glance.keys else glance.value
        if isinstance(step, dict) and "stepType" in step and "text" in step:
            return Evidence(SHAPED, "a step with its stepType")
        return Evidence(SHARED, "a step without calls") if is_step(step) else None
    if call.keys & {"args", "result"} and not call.keys & {"input", "output"}:
        return Evidence(MARKED, "a call with toolCallId and args")
    return None if call.keys & {"input", "output"} else Evidence(SHARED, "a call with toolCallId")

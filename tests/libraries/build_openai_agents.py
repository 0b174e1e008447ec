"""The story as the items of a run of `openai-agents`; a run answers one question."""

from __future__ import annotations

from importlib import import_module
from typing import Any

harness: Any = import_module("harness")
story: Any = import_module("story")
agents: Any = import_module("agents")
items: Any = import_module("agents.items")
responses: Any = import_module("openai.types.responses")
AGENT = agents.Agent(name="gardener")


def called(number: int) -> Any:
    """A call as an item."""
    call = story.CALLS[number]
    raw = responses.ResponseFunctionToolCall(
        type="function_call",
        id=f"fc_{call['id']}",
        call_id=call["id"],
        name=call["name"],
        arguments=story.compact(call["arguments"]),
        status="completed",
    )
    return items.ToolCallItem(agent=AGENT, raw_item=raw)


def answered(number: int) -> Any:
    """What a tool answered: the value itself, and its text for the model."""
    raw = {
        "type": "function_call_output",
        "call_id": story.CALLS[number]["id"],
        "output": story.answer_text(number),
    }
    return items.ToolCallOutputItem(agent=AGENT, raw_item=raw, output=story.ANSWERS[number])


def wrote(text: str) -> Any:
    """A final text as an item."""
    part = responses.ResponseOutputText(type="output_text", text=text, annotations=[])
    raw = responses.ResponseOutputMessage(
        id="msg_1", type="message", role="assistant", status="completed", content=[part]
    )
    return items.MessageOutputItem(agent=AGENT, raw_item=raw)


def run(turn: int) -> list[Any]:
    """The new items of one run."""
    made: list[Any] = []
    for numbers in story.STEPS[turn]:
        made += [called(number) for number in numbers]
        made += [answered(number) for number in numbers]
    return [*made, wrote(story.TEXTS[turn])]


def result(turn: int, before: list[Any]) -> Any:
    """A whole result, its input the list of what was said before."""
    context = import_module("agents.run_context").RunContextWrapper(context=None)
    empty: dict[str, Any] = {
        f"{kind}_guardrail_results": [] for kind in ("input", "output", "tool_input", "tool_output")
    }
    return agents.RunResult(
        input=[*before, {"role": "user", "content": story.ASKED[turn]}],
        new_items=run(turn),
        raw_responses=[],
        final_output=story.TEXTS[turn],
        context_wrapper=context,
        _last_agent=AGENT,
        **empty,
    )


def dumped(item: Any) -> dict[str, Any]:
    """An item as programs log it: its type, what it wraps, and its output."""
    raw = item.raw_item if isinstance(item.raw_item, dict) else item.raw_item.model_dump(mode="json")
    made = {"type": item.type, "agent": item.agent.name, "raw_item": raw}
    return {**made, "output": item.output} if hasattr(item, "output") else made


def main() -> None:
    """Build and print."""
    out = harness.Dumps("openai-agents")
    both = [*run(0), *run(1)]
    out.dump("items", story.compact([dumped(item) for item in both]))
    out.object("items", both)
    first = result(0, [])
    second = result(1, first.to_input_list())
    out.dump("input_list", story.compact(plain(second.to_input_list())))
    out.object("input_list", second.to_input_list())
    whole = {
        "input": plain(second.input),
        "new_items": [dumped(item) for item in second.new_items],
        "final_output": second.final_output,
    }
    out.dump("result", story.compact(whole))
    out.object("result", second)
    out.print()


def plain(value: Any) -> Any:
    """Input items as plain values."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else value


if __name__ == "__main__":
    main()

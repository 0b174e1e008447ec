"""The story as the types of `google-adk` write it: events, a session, and eval sets."""

from __future__ import annotations

from importlib import import_module
from typing import Any

harness: Any = import_module("harness")
story: Any = import_module("story")
types: Any = import_module("google.genai.types")
Event: Any = import_module("google.adk.events").Event
Session: Any = import_module("google.adk.sessions").Session
cases: Any = import_module("google.adk.evaluation.eval_case")
EvalSet: Any = import_module("google.adk.evaluation.eval_set").EvalSet
AT = 1_793_000_000.0


def call(number: int) -> Any:
    """A call."""
    one = story.CALLS[number]
    return types.FunctionCall(id=one["id"], name=one["name"], args=one["arguments"])


def answer(number: int) -> Any:
    """A tool's answer."""
    value = story.ANSWERS[number]
    one = story.CALLS[number]
    response = {"error": value} if value == story.ERROR else value
    return types.FunctionResponse(id=one["id"], name=one["name"], response=response)


def content(role: str, *parts: Any) -> Any:
    """A content; texts become parts."""
    made = [types.Part(text=part) if isinstance(part, str) else part for part in parts]
    return types.Content(role=role, parts=made)


def calls(numbers: list[int]) -> Any:
    """The content of parallel calls."""
    return content("model", *[types.Part(function_call=call(number)) for number in numbers])


def answers(numbers: list[int]) -> Any:
    """The content of their answers."""
    return content("user", *[types.Part(function_response=answer(number)) for number in numbers])


def events() -> list[Any]:
    """The events of the whole session."""
    made: list[Any] = []
    turn = 0
    for kind, what in story.said():
        if kind == "user":
            turn += 1
            made.append(event("user", turn, content("user", what), len(made)))
        elif kind == "text":
            half = event("gardener", turn, content("model", what[:9]), len(made))
            half.partial = True
            made += [half, event("gardener", turn, content("model", what), len(made) + 1)]
        else:
            made.append(event("gardener", turn, calls(what), len(made)))
            made.append(event("gardener", turn, answers(what), len(made)))
    return made


def event(author: str, turn: int, what: Any, number: int) -> Any:
    """One event."""
    return Event(
        id=f"event-{number}", author=author, invocation_id=f"e-{turn}", content=what, timestamp=AT + number
    )


def between(steps: list[list[int]], *, in_events: bool) -> Any:
    """What was done between a question and its answer, in the older and the newer form."""
    if in_events:
        made = []
        for numbers in steps:
            made.append(cases.InvocationEvent(author="gardener", content=calls(numbers)))
            made.append(cases.InvocationEvent(author="gardener", content=answers(numbers)))
        return cases.InvocationEvents(invocation_events=made)
    every = [number for numbers in steps for number in numbers]
    return cases.IntermediateData(
        tool_uses=[call(number) for number in every], tool_responses=[answer(number) for number in every]
    )


def eval_set(*, in_events: bool) -> Any:
    """A set of one case."""
    invocations = [
        cases.Invocation(
            invocation_id=f"e-{turn + 1}",
            user_content=content("user", story.ASKED[turn]),
            final_response=content("model", story.TEXTS[turn]),
            intermediate_data=between(steps, in_events=in_events),
            creation_timestamp=AT,
        )
        for turn, steps in enumerate(story.STEPS)
    ]
    case = cases.EvalCase(eval_id="garden-1", conversation=invocations, creation_timestamp=AT)
    return EvalSet(eval_set_id="garden", eval_cases=[case], creation_timestamp=AT)


def main() -> None:
    """Build and print."""
    out = harness.Dumps("google-adk")
    made = events()
    lines = [one.model_dump_json(by_alias=True, exclude_none=True) for one in made]
    out.dump("events_camel", "\n".join(lines))
    out.dump("events_snake", story.compact([one.model_dump(mode="json", by_alias=False) for one in made]))
    out.object("events_snake", made)
    session = Session(id="garden-1", app_name="garden", user_id="somebody", events=made, last_update_time=AT)
    out.dump("session", session.model_dump_json(by_alias=True, exclude_none=True))
    out.object("session", session)
    for in_events in (False, True):
        name = "eval_set_of_events" if in_events else "eval_set"
        whole = eval_set(in_events=in_events)
        # The library's own files are written in this way.
        out.dump(
            name,
            whole.model_dump_json(indent=2, exclude_unset=True, exclude_defaults=True, exclude_none=True),
        )
        out.object(name, whole)
        out.dump(f"{name}_camel", whole.model_dump_json(by_alias=True))
    out.print()


if __name__ == "__main__":
    main()

"""The story as the types of `google-genai` write it, by the names of Python and by those of the interface."""

from __future__ import annotations

from importlib import import_module
from typing import Any

harness: Any = import_module("harness")
story: Any = import_module("story")
types: Any = import_module("google.genai.types")


def call(number: int, *, ids: bool) -> Any:
    """A part with a call; a call without arguments has none of them at all."""
    one = story.CALLS[number]
    own = {"id": one["id"]} if ids else {}
    arguments = one["arguments"] or None
    return types.Part(function_call=types.FunctionCall(name=one["name"], args=arguments, **own))


def answer(number: int, *, ids: bool) -> Any:
    """A part with what a tool answered; texts go under `result`, what failed under `error`."""
    value = story.ANSWERS[number]
    response = {"error": value} if value == story.ERROR else value
    own = {"id": story.CALLS[number]["id"]} if ids else {}
    return types.Part(
        function_response=types.FunctionResponse(name=story.CALLS[number]["name"], response=response, **own)
    )


def contents(*, ids: bool) -> list[Any]:
    """The whole conversation."""
    made: list[Any] = []
    for kind, what in story.said():
        if kind == "calls":
            made.append(types.Content(role="model", parts=[call(number, ids=ids) for number in what]))
            made.append(types.Content(role="user", parts=[answer(number, ids=ids) for number in what]))
        else:
            role = "model" if kind == "text" else "user"
            made.append(types.Content(role=role, parts=[types.Part(text=what)]))
    return made


def response() -> Any:
    """A response with the parallel calls."""
    content = types.Content(role="model", parts=[call(number, ids=True) for number in (0, 1)])
    candidate = types.Candidate(content=content, finish_reason=types.FinishReason.STOP, index=0)
    return types.GenerateContentResponse(
        candidates=[candidate], model_version="made-up-model", response_id="response-1"
    )


def history() -> Any:
    """A response of the chat that runs tools by itself: what it did before stands beside the last answer."""
    *before, last = contents(ids=True)
    return types.GenerateContentResponse(
        candidates=[types.Candidate(content=last, finish_reason=types.FinishReason.STOP, index=0)],
        automatic_function_calling_history=before,
    )


def request(alias: bool | None) -> dict[str, Any]:
    """A whole request with the offered tools, as objects or dumped."""
    tools = [
        types.FunctionDeclaration(
            name=tool["name"], description=tool["description"], parameters=types.Schema(**tool["parameters"])
        )
        for tool in story.TOOLS
    ]
    config = types.GenerateContentConfig(tools=[types.Tool(function_declarations=tools)])
    said = contents(ids=True)
    if alias is None:
        return {"contents": said, "config": config}
    return {
        "contents": [one.model_dump(mode="json", by_alias=alias) for one in said],
        "config": config.model_dump(mode="json", by_alias=alias),
    }


def main() -> None:
    """Build and print."""
    out = harness.Dumps("google-genai")
    for ids in (True, False):
        name = "contents" if ids else "contents_without_ids"
        made = contents(ids=ids)
        for alias, suffix in ((True, "camel"), (False, "snake")):
            plain = [item.model_dump(mode="json", by_alias=alias, exclude_none=alias) for item in made]
            out.dump(f"{name}_{suffix}", story.compact(plain))
        out.object(f"{name}_snake", made)
    out.dump("response_camel", response().model_dump_json(by_alias=True, exclude_none=True))
    out.dump("response_snake", response().model_dump_json())
    out.object("response_snake", response())
    out.dump("history_camel", history().model_dump_json(by_alias=True, exclude_none=True))
    out.dump("history_snake", history().model_dump_json())
    out.object("history_snake", history())
    out.dump("request_camel", story.compact(request(alias=True)))
    out.dump("request_snake", story.compact(request(alias=False)))
    out.object("request_snake", request(alias=None))
    out.print()


if __name__ == "__main__":
    main()

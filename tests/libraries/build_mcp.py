"""The story as the types of `mcp` write it: JSON-RPC between a client and a server."""

from __future__ import annotations

from importlib import import_module
from typing import Any

harness: Any = import_module("harness")
story: Any = import_module("story")
types: Any = import_module("mcp.types")
FAILED = 4


def request(number: int) -> Any:
    """A call; one without arguments has none of them at all."""
    call = story.CALLS[number]
    params = types.CallToolRequestParams(name=call["name"], arguments=call["arguments"] or None)
    return _request(number + 10, types.CallToolRequest(method="tools/call", params=params))


def _request(number: int, made: Any) -> Any:
    plain = made.model_dump(by_alias=True, mode="json", exclude_none=True)
    return types.JSONRPCRequest(jsonrpc="2.0", id=number, **plain)


def response(number: int, *, structured: bool) -> Any:
    """An answer: a text, and the same as an object beside it."""
    value = story.ANSWERS[number]
    failed = number == FAILED
    result = types.CallToolResult(
        content=[types.TextContent(type="text", text=story.answer_text(number))],
        structured_content=value if structured and not failed else None,
        is_error=failed,
    )
    return _response(number + 10, result)


def _response(number: int, result: Any) -> Any:
    plain = result.model_dump(by_alias=True, mode="json", exclude_none=True)
    return types.JSONRPCResponse(jsonrpc="2.0", id=number, result=plain)


def listing() -> list[Any]:
    """The offered tools, asked for and told."""
    tools = [
        types.Tool(name=tool["name"], description=tool["description"], input_schema=tool["parameters"])
        for tool in story.TOOLS
    ]
    return [
        _request(2, types.ListToolsRequest(method="tools/list")),
        _response(2, types.ListToolsResult(tools=tools)),
    ]


def opening() -> list[Any]:
    """How a session begins."""
    params = types.InitializeRequestParams(
        protocol_version=types.LATEST_PROTOCOL_VERSION,
        capabilities=types.ClientCapabilities(),
        client_info=types.Implementation(name="gardener", version="1"),
    )
    note = types.JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized")
    return [_request(1, types.InitializeRequest(method="initialize", params=params)), note]


def session(*, structured: bool) -> list[Any]:
    """A session; parallel calls are answered in the other order."""
    made = [*opening(), *listing()]
    for kind, numbers in story.said():
        if kind == "calls":
            made += [request(number) for number in numbers]
            made += [response(number, structured=structured) for number in reversed(numbers)]
    return made


def main() -> None:
    """Build and print."""
    out = harness.Dumps("mcp")
    for structured in (True, False):
        name = "structured" if structured else "texts"
        made = session(structured=structured)
        lines = [item.model_dump_json(by_alias=True, exclude_none=True) for item in made]
        out.dump(name, "\n".join(lines))
        out.object(name, made)
    refused = types.JSONRPCError(
        jsonrpc="2.0", id=14, error=types.ErrorData(code=types.INTERNAL_ERROR, message=story.ERROR)
    )
    answered = [request(3), response(3, structured=True), request(4), refused]
    out.dump("refused", "\n".join(item.model_dump_json(by_alias=True) for item in answered))
    out.object("refused", answered)
    out.print()


if __name__ == "__main__":
    main()

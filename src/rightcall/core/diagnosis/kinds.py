"""The kinds of differences (contract 7): what each means, an example, and what to try first."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

__all__ = ["KINDS", "KindDeclaration"]


class KindDeclaration(Struct, frozen=True, kw_only=True):
    """One kind of difference.

    Attributes:
        meaning: one line.
        fix: what to try first; ``{name}`` is the argument and ``{tool}`` the tool.
        expected, actual: calls of an example that shows this kind and no other: of one tool, the arguments alone.
        tools: what was offered, where it matters.
        evaluator: one that shows the example.
    """

    meaning: str
    fix: str
    expected: Any
    actual: Any
    tools: tuple[dict[str, Any], ...] = ()
    evaluator: str = "tool_call_accuracy"


def _kind(meaning: str, fix: str, expected: Any, actual: Any, **more: Any) -> KindDeclaration:
    return KindDeclaration(meaning=meaning, fix=fix, expected=expected, actual=actual, **more)


def _tool(name: str, **properties: Any) -> dict[str, Any]:
    return {"name": name, "parameters": {"type": "object", "properties": properties}}


def _call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


KINDS: Final[dict[str, KindDeclaration]] = {
    # of an argument
    "missing_key": _kind(
        "an expected argument was left out",
        "say in the tool's schema that {name} is required, and in the prompt where its value comes from",
        {"city": "Oslo", "days": 3},
        {"city": "Oslo"},
    ),
    "extra_key": _kind(
        "an argument that was not expected",
        "set additionalProperties: false for {tool}, or say in the prompt when {name} is to be left out",
        {"city": "Oslo"},
        {"city": "Oslo", "days": 3},
    ),
    "renamed_key": _kind(
        "a missing and an extra argument with one value, or with nearly one name",
        "rename {name} in the schema or in the expected calls, so that both say the same",
        {"flight_id": "UA-873"},
        {"flightId": "UA-873"},
    ),
    "nesting": _kind(
        "the right value at another place, or wrapped in an object",
        "show the nesting of {name} with an example in the description of {tool}",
        {"guest": {"first": "Priya", "age": 30}},
        {"first": "Priya", "age": 30},
    ),
    "type_mismatch": _kind(
        "a value of another JSON type",
        "give {name} its type in the schema of {tool}",
        {"days": 5},
        {"days": "5"},
    ),
    "null_vs_missing": _kind(
        "null on one side, left out on the other",
        "decide whether {name} is null or left out, and say so in the schema",
        {"city": "Oslo"},
        {"city": "Oslo", "until": None},
    ),
    "case": _kind(
        "the same text but for capital letters",
        "fix the spelling in the prompt, or list the values as an enum",
        {"cabin": "economy"},
        {"cabin": "Economy"},
    ),
    "whitespace": _kind(
        "the same text but for blanks",
        "trim {name} before the call",
        {"city": "Oslo"},
        {"city": " Oslo "},
    ),
    "punctuation": _kind(
        "the same words but for punctuation, blanks and case",
        "say in the prompt how {name} is written, or expect a $text",
        {"title": "Ask, then act"},
        {"title": "ask then act!"},
    ),
    "unicode_form": _kind(
        "the same characters composed otherwise, or without their accents",
        "normalise {name} before the call",
        {"city": "Z\u00fcrich"},
        {"city": "Zu\u0308rich"},
    ),
    "number_precision": _kind(
        "the same number but for rounding",
        "allow the rounding",
        {"price": 0.3},
        {"price": 0.30000000000000004},
    ),
    "number_format": _kind(
        "the same number in another spelling",
        "say in the prompt how {name} is written",
        {"amount": "1000"},
        {"amount": "1,000"},
    ),
    "unit": _kind(
        "the same quantity in another unit, in another spelling of it, or without it",
        "name the unit in the description of {name}, or expect what both spellings mean with a $one_of",
        {"distance": "5 km"},
        {"distance": "5000 m"},
    ),
    "datetime_format": _kind(
        "the same day, time or instant in another spelling",
        "say in the description of {name} which date format it takes, or expect a $datetime",
        {"date": "2027-04-14"},
        {"date": "14 April 2027"},
    ),
    "enum_variant": _kind(
        "a value that the tool's schema does not allow in place of one that it allows",
        "name the allowed values in the description of {name}, or turn on strict tool calls",
        {"unit": "celsius"},
        {"unit": "C"},
        tools=(_tool("f", unit={"enum": ["celsius", "fahrenheit"]}),),
    ),
    "double_encoded": _kind(
        "the value as JSON text",
        "pass {name} as a value, not as JSON text",
        {"filter": {"stars": 4}},
        {"filter": '{"stars": 4}'},
    ),
    "scalar_vs_list": _kind(
        "one value in place of a list that holds it, or the other way round",
        "declare {name} as an array in the schema",
        {"cities": ["Oslo"]},
        {"cities": "Oslo"},
    ),
    "list_order": _kind(
        "the right items in another order",
        "say in the prompt that the order of {name} matters, if it does",
        {"cities": ["Oslo", "Rome"]},
        {"cities": ["Rome", "Oslo"]},
    ),
    "list_length": _kind(
        "a list with more or fewer items",
        "say in the prompt that {name} takes all items; look for a length limit",
        {"cities": ["Oslo", "Rome"]},
        {"cities": ["Oslo"]},
    ),
    "default_spelled_out": _kind(
        "an argument that only repeats the default of the schema",
        "accept defaults",
        {},
        {"page": 1},
        tools=(_tool("f", page={"default": 1}),),
    ),
    "default_left_out": _kind(
        "an expected argument left out that is the default of the schema",
        "accept defaults, or make {name} required",
        {"page": 1},
        {},
        tools=(_tool("f", page={"default": 1}),),
    ),
    "truncated": _kind(
        "a text, or the arguments as a whole, broken off",
        "raise the token limit: {name} was cut off",
        {"note": "Bring the blue folder to the desk"},
        {"note": "Bring the blue fol"},
    ),
    "value": _kind(
        "another value, and nothing that tells more",
        "compare the examples: could the agent know {name}, is it described, is the expected value right?",
        {"city": "Oslo"},
        {"city": "Rome"},
    ),
    # of a call
    "unreadable_arguments": _kind(
        "arguments that are no JSON object",
        "turn on strict tool calls: the arguments of {tool} are no JSON object",
        [_call("f", city="Oslo")],
        [{"name": "f", "arguments": "{'city': 'Oslo'}"}],
    ),
    "missing_call": _kind(
        "an expected call that was not made",
        "say in the prompt when {tool} must be called; look whether an earlier call failed",
        [_call("find"), _call("book")],
        [_call("find")],
    ),
    "extra_call": _kind(
        "a call that was not expected",
        "say in the prompt when {tool} must not be called, or use tool_call_args if extra calls are fine",
        [_call("find")],
        [_call("find"), _call("book")],
    ),
    "duplicate_call": _kind(
        "an extra call that says again what an earlier one said",
        "look for retries after {tool} was slow or failed",
        [_call("find", city="Oslo")],
        [_call("find", city="Oslo"), _call("find", city="Oslo")],
    ),
    "wrong_tool": _kind(
        "another tool in place of the expected one",
        "sharpen the descriptions of {tool} and of the tool taken in its place",
        [_call("book_flight", id="UA-873")],
        [_call("cancel_flight", id="UA-873")],
    ),
    "name_case": _kind(
        "the expected tool, its name in other letters or another style",
        "write the name as it is offered",
        [_call("get_weather", city="Oslo")],
        [_call("getWeather", city="Oslo")],
    ),
    "name_prefix": _kind(
        "the expected tool, its name with or without a namespace before it",
        "take the prefix off",
        [_call("book_flight", id="UA-873")],
        [_call("mcp__travel__book_flight", id="UA-873")],
    ),
    "unknown_tool": _kind(
        "a call of a tool that was not offered",
        "offer only tools that exist, or use name_map",
        [_call("find", city="Oslo")],
        [_call("look_around", city="Oslo")],
        tools=(_tool("find"), _tool("book")),
    ),
    "out_of_order": _kind(
        "an expected call at another place in the order",
        "say in the prompt what must come before {tool}",
        [_call("find"), _call("book")],
        [_call("book"), _call("find")],
        evaluator="tool_call_order",
    ),
}
"""Every kind, in the order of the page that is made of this."""

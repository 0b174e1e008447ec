"""Inputs for parity with other tools: seeded, and heavy with what tools are known to read differently."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

NAMES = ["f", "f", "f", "g", "g", "F", "f g", "f_g", "f.g", " f", "h", "n" * 70, "n" * 64 + "x"]

VALUES: list[Any] = [
    *(
        True,
        False,
        None,
        0,
        1,
        1,
        2,
        -1,
        0.0,
        1.0,
        -0.0,
        2.5,
        0.1 + 0.2,
        0.3,
        10**30,
        10**30 + 1,
        2**53,
        2**53 + 1,
    ),
    *(
        "",
        " ",
        "1",
        "1.0",
        "a",
        "A",
        "a b",
        "a, b",
        "True",
        "true",
        "None",
        "null",
        "it's",
        'it"s',
        "caf\u00e9",
        "cafe\u0301",
    ),
    *([], [1], [1.0], [True], [1, 2], [2, 1], ["a", "B"], [[1], [2]], [{"k": 1}], [{"k": True}], [None]),
    *({}, {"k": 1}, {"k": 1.0}, {"k": None}, {"k": 1, "m": 2}, {"m": 2, "k": 1}, {"k": {"m": 1, "n": [2]}}),
    *({"k": {"n": [2], "m": 1}}, {"k": {"m": True, "n": [2]}}, {"": 1}),
]

KEYS = ["x", "x", "x", "y", "y", "z", "", "X", "long key"]

TEXTS = ['{"x":1,', "{'x': 1}", "{'x': 1, 'y': true}", "[1]", "text", "", "null", "1", '{"x": NaN}']
"""Arguments that are a text and no plain JSON object."""

Call = dict[str, Any]


def inputs(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Pairs of call lists."""
    source = random.Random(seed)  # noqa: S311 - seeded test data
    for _ in range(count):
        expected = [_call(source) for _ in range(source.choice([0, 1, 1, 1, 2, 2, 3, 4]))]
        if source.random() < 0.15:
            actual = [_call(source) for _ in range(source.choice([0, 1, 2, 3]))]
        else:
            actual = _changed(source, json.loads(json.dumps(expected)))
        yield _finished(source, actual, expected)


def _call(source: random.Random) -> Call:
    arguments = {source.choice(KEYS): source.choice(VALUES) for _ in range(source.choice([0, 1, 1, 2, 2, 3]))}
    return {"name": source.choice(NAMES), "arguments": arguments}


def _changed(source: random.Random, calls: list[Call]) -> list[Call]:
    """The calls after some steps, each of which is a mistake that agents make."""
    for _ in range(source.choice([0, 0, 1, 1, 2, 3])):
        step = source.randrange(9)
        if not calls or step == 0:
            calls.insert(source.randint(0, len(calls)), _call(source))
        elif step == 1:
            calls.pop(source.randrange(len(calls)))
        elif step == 2:
            calls.append(json.loads(json.dumps(source.choice(calls))))
        elif step == 3:
            source.shuffle(calls)
        elif step == 4:
            source.choice(calls)["name"] = source.choice(NAMES)
        else:
            _change_arguments(source, source.choice(calls)["arguments"])
    return calls


def _change_arguments(source: random.Random, arguments: dict[str, Any]) -> None:
    key = source.choice([*arguments, source.choice(KEYS)])
    step = source.randrange(5)
    if step == 0:
        arguments.pop(key, None)
    elif step == 1:
        arguments[key] = source.choice(VALUES)
    elif step == 2:
        arguments[key] = _near(source, arguments.get(key))
    elif step == 3:
        items = list(arguments.items())
        source.shuffle(items)
        arguments.clear()
        arguments.update(items)
    else:
        arguments[source.choice(KEYS)] = arguments.pop(key, 1)


def _near(source: random.Random, value: Any) -> Any:
    """A value that some tool takes for the same."""
    near: list[Any] = [str(value), [value], {"k": value}, json.dumps(value)]
    if isinstance(value, bool):
        near += [int(value), float(value), str(value).lower()]
    elif isinstance(value, int) and abs(value) < 2**60:
        near += [float(value), bool(value), value + 1]
    elif isinstance(value, float):
        near += [int(value), value + 1e-12]
    elif isinstance(value, str):
        near += [value.upper(), value + " ", value.replace(" ", "")]
    elif isinstance(value, list):
        near += [value[::-1], tuple(value), [*value, 1]]
    elif isinstance(value, dict):
        near += [dict(reversed(value.items())), {**value, "q": 1}]
    return json.loads(json.dumps(source.choice(near)))


def _finished(source: random.Random, actual: list[Call], expected: list[Call]) -> dict[str, Any]:
    """Sometimes with unreadable or null arguments, ids, groups, outputs and expected counts."""
    for calls, text in ((actual, True), (expected, False)):
        for at, call in enumerate(calls):
            if source.random() < 0.02:
                call["arguments"] = None
            elif source.random() < 0.03:
                del call["arguments"]
            elif source.random() < (0.02 if text else 0.005):
                call["arguments"] = source.choice(TEXTS)
            elif source.random() < 0.1:
                call["arguments"] = json.dumps(call["arguments"])
            if source.random() < 0.2:
                call["output"] = source.choice(["a", "b", "", '{"content": "a"}', '{"other": 1}', "[1]", "1"])
            if source.random() < 0.2:
                call["id"] = source.choice(["f", "g", "t1", "t2"])
            if source.random() < 0.3:
                call["group"] = source.choice(["p", "q"]) if at % 2 else "p"
    found: dict[str, Any] = {"actual": actual, "expected": expected}
    if source.random() < 0.3:
        signs = [">", "<", ">=", "<=", "=", "==", "!=", "=>"]
        names = source.sample(sorted(set(NAMES)), source.choice([0, 1, 2, 3]))
        found["counts"] = {name: [source.choice(signs), source.randint(0, 3)] for name in names}
    return found


# BFCL asks for schemas and accepted values, so its inputs are made by themselves.

_ACCEPTED: dict[str, list[Any]] = {
    "string": ["a", "A b", "April 1, 2024", "it's", "", "x/y", 1],
    "integer": [0, 1, 2, "n", ""],
    "float": [1.0, 2.5, 0.0, 1, ""],
    "boolean": [True, False, ""],
    "array": [[1, 2], [2, 1], ["a b"], [1.0], [], "", [{"k": [1], "m": ["a", ""]}], [{"k": [2]}, {"k": [1]}]],
    "tuple": [[1, 2], [1.0, 2.0], ""],
    "dict": [{"k": [1, 2]}, {"k": ["A b"], "m": [1, ""]}, {}, ""],
    "any": ["a", 1, True, ""],
}
_ITEMS = ["integer", "float", "string", "dict", "any", "array"]
_GIVEN: list[Any] = [
    *(0, 1, 2, True, False, 1.0, 2.5, None, "a", "A B", "april 12024", 'it"s', "n", "x y", ""),
    *(
        [1, 2],
        [2, 1],
        [1.0, 2.0],
        ["Ab"],
        [],
        [{"k": 1}],
        [{"k": 1, "m": "a"}],
        [{"k": 2}, {"k": 1}],
        [1, "a"],
        [[1]],
    ),
    *({"k": 1}, {"k": "ab"}, {"k": 2, "m": 1}, {}, {"q": 1}),
]


def bfcl_inputs(count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Calls, accepted values and schemas."""
    source = random.Random(seed)  # noqa: S311 - seeded test data
    for _ in range(count):
        tools = [
            _tool(source, name) for name in source.sample(["f", "g", "m.f", "h"], source.choice([1, 2, 3]))
        ]
        expected = [_accepted(source, source.choice(tools)) for _ in range(source.choice([1, 1, 2, 3]))]
        actual = [_given(source, call) for call in expected]
        if source.random() < 0.2:
            source.shuffle(actual)
        if source.random() < 0.1:
            actual = actual[1:] if source.random() < 0.5 else [*actual, *actual[:1]]
        yield {"tools": tools, "expected_any": expected, "actual": actual}


def _tool(source: random.Random, name: str) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for key in source.sample(["x", "y", "z"], source.choice([1, 2, 3])):
        kind = source.choice(list(_ACCEPTED))
        properties[key] = {"type": kind}
        if kind in ("array", "tuple"):
            properties[key]["items"] = {"type": source.choice(_ITEMS)}
    required = [key for key in properties if source.random() < 0.5]
    return {"name": name, "parameters": {"type": "dict", "properties": properties, "required": required}}


def _accepted(source: random.Random, tool: dict[str, Any]) -> dict[str, Any]:
    properties = tool["parameters"]["properties"]
    arguments = {
        key: [source.choice(_ACCEPTED[details["type"]]) for _ in range(source.choice([1, 1, 2, 3]))]
        for key, details in properties.items()
        if source.random() < 0.95
    }
    if arguments and source.random() < 0.03:
        arguments[source.choice(list(arguments))] = source.choice([[None], [None, ""], [], [""]])
    return {"name": tool["name"], "arguments": arguments}


def _given(source: random.Random, call: dict[str, Any]) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    for key, accepted in call["arguments"].items():
        if source.random() < 0.05 or (accepted[:1] in ([], [""]) and source.random() < 0.7):
            continue
        arguments[key] = _opened(accepted[0]) if accepted and source.random() < 0.8 else source.choice(_GIVEN)
    if source.random() < 0.03:
        arguments["extra"] = 1
    name = call["name"]
    if source.random() < 0.3:
        name = name.replace(".", "_")
    if source.random() < 0.03:
        name = "other"
    kind = source.random()
    if kind < 0.02:
        return {"name": name}
    if kind < 0.06:
        return {"name": name, "arguments": source.choice([None, "", "null", "1", "xyz", '["x"]', "{}"])}
    return {"name": name, "arguments": json.dumps(arguments) if kind < 0.12 else arguments}


def _opened(value: Any) -> Any:
    """A value that is accepted: the first of each list inside objects."""
    if isinstance(value, dict):
        return {key: _opened(item[0]) for key, item in value.items() if item[0] != ""}
    if isinstance(value, list):
        return [_opened(item) if isinstance(item, dict) else item for item in value]
    return value

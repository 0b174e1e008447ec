"""What property tests draw from: JSON values, arguments, calls, cases that nearly match, options, raw rows.

The universe is small on purpose: values meet each other often, so equal and nearly equal calls are common.
"""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

NAMES = ("f", "g", "h")
KEYS = ("a", "b", "c")

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, 1, 2, -1, 0.5, 1.0, -0.0, 1e300, 2**53, 2**53 + 1, 2**70]),
    st.sampled_from(
        ["", "x", "X", " x", "1", "1.0", "true", "null", "é", "e\u0301", '{"a": 1}', "[1]", "ß", "*"]
    ),
)
"""Values in which every row of the equality table can meet its opposite."""

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
numbers = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False))
any_scalars = st.one_of(scalars, texts, numbers)


def values(leaves: st.SearchStrategy[Any] = scalars, *, max_leaves: int = 6) -> st.SearchStrategy[Any]:
    """JSON values as Python objects."""
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)
        ),
        max_leaves=max_leaves,
    )


json_values = st.recursive(
    any_scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)
"""Any JSON value, not only the small universe."""

arguments = st.dictionaries(st.sampled_from(KEYS), values(), max_size=3)


@st.composite
def respelled(draw: st.DrawFn, source: st.SearchStrategy[Any] = scalars) -> Any:
    """Two values with the second a light alteration of the first: they are equal about as often as not."""
    value = draw(values(source))
    return value, draw(st.one_of(st.just(value), altered(value), values(source)))


def altered(value: Any) -> st.SearchStrategy[Any]:
    """`value` spelled another way, or nearly."""
    if isinstance(value, dict):
        return st.one_of(
            st.permutations(list(value.items())).map(dict),
            st.dictionaries(st.sampled_from(KEYS), scalars, max_size=1).map(lambda more: {**more, **value}),
            st.fixed_dictionaries({key: altered(item) for key, item in value.items()}),
            st.just({key: item for key, item in value.items() if item is not None}),
        )
    if isinstance(value, list):
        return st.one_of(st.permutations(value), st.tuples(*map(altered, value)).map(list))
    if isinstance(value, str):
        return st.sampled_from([value, value.upper(), f" {value}", f"{value} ", value + "x"])
    if isinstance(value, bool):
        return st.sampled_from([value, not value, int(value), json.dumps(value)])
    if isinstance(value, int):
        return st.sampled_from(
            [value, value + 1, str(value), [value], float(value) if abs(value) < 2**80 else value]
        )
    return st.one_of(st.just(value), scalars)


@st.composite
def argument_pairs(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two argument objects, often equal or near."""
    left = draw(arguments)
    right = draw(st.one_of(arguments, altered(left), st.just(dict(reversed(left.items())))))
    return left, right


def calls(max_size: int = 5) -> st.SearchStrategy[list[dict[str, Any]]]:
    """A list of calls, with few distinct arguments."""
    one = st.builds(
        lambda name, args: {"name": name, "arguments": args},
        st.sampled_from(NAMES),
        st.dictionaries(
            st.sampled_from(KEYS), st.sampled_from([0, 1, 2, True, "x", "X", 0.5, None]), max_size=3
        ),
    )
    return st.lists(one, max_size=max_size)


numeric_calls = st.lists(
    st.builds(
        lambda name, a: {"name": name, "arguments": {"a": a}},
        st.sampled_from(["f", "f", "g"]),
        st.integers(0, 6),
    ),
    max_size=6,
)
"""Calls with one number each, for tolerances: nearness is not transitive there."""


@st.composite
def call_lists(draw: Any, *, max_size: int = 5) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """(actual, expected): the actual list is the expected one after a few faults of an agent."""
    expected = draw(calls(max_size))
    if draw(st.integers(0, 4)) == 0:
        return draw(calls(max_size)), expected
    actual = draw(st.permutations(expected)) if draw(st.booleans()) else list(expected)
    if actual and draw(st.booleans()):
        del actual[draw(st.integers(0, len(actual) - 1))]
    if expected and draw(st.booleans()):
        actual.insert(draw(st.integers(0, len(actual))), draw(st.sampled_from(expected)))
    if actual and draw(st.booleans()):
        place = draw(st.integers(0, len(actual) - 1))
        actual[place] = {**actual[place], "arguments": draw(altered(actual[place]["arguments"]))}
    return actual, expected


_flags_or_paths = st.one_of(
    st.booleans(), st.lists(st.sampled_from(["/a", "/b", "/a/*", "/a/b", "/*/a", "/c"]), max_size=2)
)

_NORMALISING: dict[str, st.SearchStrategy[Any]] = {
    "coerce_types": _flags_or_paths,
    "null_equals_missing": _flags_or_paths,
    "unordered": _flags_or_paths,
    "ignore_case": _flags_or_paths,
    "strip": _flags_or_paths,
    "unicode": st.sampled_from(["NFC", "NFKC", {"/a": "NFC"}]),
    "decode_nested_json": _flags_or_paths,
    "ignore": st.lists(st.sampled_from(["/a", "/b", "/a/*/b", "/c/a"]), max_size=2),
    "schema_defaults": st.booleans(),
}
_LOOSE: dict[str, st.SearchStrategy[Any]] = {
    "args": st.sampled_from(["exact", "allow_extra", "allow_missing", "ignore"]),
    "numeric_tolerance": st.sampled_from([0, 1, 0.5, {"rel": 0.5}, {"/a": 1}, {"/a/*": {"rel": 1}}]),
}
SCHEMA = {
    "type": "object",
    "properties": {
        "a": {"default": 1},
        "b": {"type": "object", "properties": {"a": {"default": "x"}}},
        "c": {"type": "array", "items": {"properties": {"b": {"default": None}}}},
    },
}

normalising_options = st.fixed_dictionaries({}, optional=_NORMALISING)
"""Options under which equality stays an equivalence relation."""

options = st.fixed_dictionaries({}, optional=_NORMALISING | _LOOSE)
"""Every comparison option."""


def shuffled_keys(value: Any) -> Any:
    """The same value with the keys of every object in the opposite order."""
    if isinstance(value, dict):
        return {key: shuffled_keys(item) for key, item in reversed(value.items())}
    return [shuffled_keys(item) for item in value] if isinstance(value, list) else value


def written(arguments_text: str | None, call: dict[str, Any]) -> dict[str, Any]:
    """A call whose arguments are left out (None) or given as this text."""
    rest = {key: value for key, value in call.items() if key != "arguments"}
    return rest if arguments_text is None else {**rest, "arguments": arguments_text}


@st.composite
def _recorded(draw: st.DrawFn, call: dict[str, Any], *, broken: bool) -> dict[str, Any]:
    """A call as agents record it: arguments as object or text, with or without the fields beside them."""
    form = draw(
        st.sampled_from(
            ["object", "object", "text", "missing", "null", "twice", "broken" if broken else "text"]
        )
    )
    text = json.dumps(call["arguments"])
    fields: dict[str, Any] = {
        "object": {"arguments": call["arguments"]},
        "text": {"arguments": text},
        "missing": {},
        "null": {"arguments": draw(st.sampled_from([None, "", "null", "  "]))},
        "twice": {"arguments": json.dumps(text)},
        "broken": {
            "arguments": draw(st.sampled_from(["{", "[1]", "7", '{"a": NaN}', "{'a': 1}", 5, [1], True]))
        },
    }[form]
    extra = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "id": st.sampled_from(["1", "2", ""]),
                "output": values(max_leaves=3),
                "error": st.sampled_from([None, False, "", "boom", {"code": 1}]),
                "status": st.sampled_from(["ok", "error", "failed"]),
                "turn": st.integers(0, 2),
                "start": st.sampled_from([0, 1.5, "2026-01-01"]),
                "unknown": st.sampled_from([1, "x", None]),
            },
        )
    )
    return {"name": call["name"], **fields, **extra}


@st.composite
def rows(draw: st.DrawFn, *, number: int = 0) -> dict[str, Any]:
    """A native row as an object, with everything a row may carry; some of them are in error."""
    actual, expected = draw(call_lists(max_size=4))
    row: dict[str, Any] = {"id": f"case {number}"}
    if draw(st.integers(0, 9)):
        field = draw(st.sampled_from(["tool_calls", "actual", "output"]))
        row[field] = [draw(_recorded(call, broken=True)) if draw(st.booleans()) else call for call in actual]
    if draw(st.integers(0, 9)):
        field = draw(st.sampled_from(["expected_tool_calls", "expected"]))
        wanted = [draw(_recorded(call, broken=False)) if draw(st.booleans()) else call for call in expected]
        if draw(st.integers(0, 5)) == 0:
            wanted = [{**call, "group": draw(st.sampled_from(["p", "q"]))} for call in wanted]
        row[field] = wanted
    more = st.fixed_dictionaries(
        {},
        optional={
            "trial": st.integers(0, 2),
            "verdict": st.booleans(),
            "cluster": st.sampled_from(["k", "l"]),
            "tags": st.lists(st.sampled_from(["s", "t"]), max_size=2),
            "input": values(max_leaves=3),
            "metadata": values(max_leaves=3),
            "forbidden": st.lists(st.sampled_from(["f", "g*"]), max_size=1),
            "expected_counts": st.dictionaries(st.sampled_from(NAMES), st.integers(0, 2), max_size=2),
            "tools": st.just([{"name": name, "parameters": SCHEMA} for name in NAMES[:2]]),
        },
    )
    return {**row, **draw(more)}


many_rows = st.lists(rows(), max_size=5).map(
    lambda found: [{**row, "id": f"case {number}"} for number, row in enumerate(found)]
)

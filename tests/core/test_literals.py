"""Python literals are read as `repr` writes them, and nothing else is."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall.core.jsonvalue import InvalidJSONError, same_value
from rightcall.core.reading.literals import read_literal

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def listed(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [listed(item) for item in value]
    return {key: listed(item) for key, item in value.items()} if isinstance(value, dict) else value


@given(VALUES)
def test_what_repr_writes_is_read_back(value: Any) -> None:
    assert same_value(read_literal(repr(value)), listed(value))


def test_forms_that_repr_does_not_write() -> None:
    assert read_literal(r"""('a' "b", [1,], (5), +1, 'x\
y', u'\N{BULLET}', '\q')""") == ["ab", [1], 5, 1, "xy", "•", "\\q"]


@pytest.mark.parametrize(
    "text",
    ["", " ", "(", "[1 2]", "[,]", "{'a' 1}", "{1: 2}", "{'a': 1}}", "nan", "f()", "'a", "1.2.3", "--1", "1 + 1", "'\\N{NO SUCH}'", "'\\U99999999'", "{'a'}"],
)  # fmt: skip
def test_anything_else_is_refused_with_a_position(text: str) -> None:
    with pytest.raises(InvalidJSONError, match="at character"):
        read_literal(text)


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "{'a':" * 100_000, "'" + "\\" * 1_000_000, " " * 1_000_000 + "x", "(" * 201 + ")" * 201],
)
def test_hostile_texts_are_refused_quickly(text: str) -> None:
    start = time.process_time()
    with pytest.raises(InvalidJSONError):
        read_literal(text)
    assert time.process_time() - start < 2

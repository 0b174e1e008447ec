"""A respelled text holds the new value, and what did not change stands in it as it did."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rightcall.core.jsonvalue import decode, same_value
from rightcall.run.golden.respelling import respelled

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=4)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(TEXT | st.sampled_from("abc"), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(old=VALUES, new=VALUES, indent=st.sampled_from([None, 0, 2, "\t"]), ascii=st.booleans())
def test_the_text_holds_the_new_value(old: Any, new: Any, indent: Any, *, ascii: bool) -> None:
    text = json.dumps({"x": 1, "row": old, "y": 1.50}, indent=indent, ensure_ascii=ascii)
    changed = respelled(text, {("row",): new})
    assert same_value(decode(changed), decode(json.dumps({"x": 1, "row": new, "y": 1.5})))
    assert respelled(text, {("row",): old}) == text
    assert changed.split('"row"')[0] == text.split('"row"')[0]


@given(items=st.lists(VALUES, max_size=5), at=st.integers(0, 4))
def test_items_that_stay_keep_their_bytes(items: list[Any], at: int) -> None:
    text = "[ " + " ,  ".join(json.dumps(item) for item in items) + " ]"
    left = items[:at] + items[at + 1 :]
    changed = respelled(text, {(): left})
    assert same_value(decode(changed), decode(json.dumps(left)))
    if len(items) > 1:
        assert all(json.dumps(item) in changed for item in left)


def test_of_keys_given_twice_the_last_is_changed() -> None:
    text = '{"a": 1, "b": {"k": 1, "k": 2}, "a": 3}'
    assert respelled(text, {("a",): 4}) == '{"a": 1, "b": {"k": 1, "k": 2}, "a": 4}'
    assert respelled(text, {("b",): {"k": 5}}) == '{"a": 1, "b": {"k": 1, "k": 5}, "a": 3}'
    assert json.loads(respelled(text, {("b",): {"m": 5}}))["b"] == {"m": 5}


def test_several_places_at_once() -> None:
    text = '{"a": [1, {"b": "x"}], "c": null}'
    assert respelled(text, {("c",): 2, ("a", 1, "b"): "y", ("a", 0): 7}) == '{"a": [7, {"b": "y"}], "c": 2}'


def test_what_is_new_is_written_as_the_text_writes() -> None:
    assert (
        respelled('{"a":1,"b":2}', {("a",): {"k": [1, "é"], "m": None}})
        == '{"a":{"k":[1,"é"],"m":null},"b":2}'
    )
    assert (
        respelled('{"a": 1, "b": "\\u00e9"}', {("a",): ["ü", 2]}) == '{"a": ["\\u00fc", 2], "b": "\\u00e9"}'
    )

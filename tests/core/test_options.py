"""Options at every level, which one wins, what adds up, and what is refused with which hint."""

from __future__ import annotations

from typing import Any

import pytest

from rightcall import OptionError, RightcallError, UnknownNameError, UsageError, evaluate, evaluate_cases
from rightcall.core.paths import any_index, matches, parse_pointer

WANTED = {"a": "x", "n": 1}
MADE = {"a": "X", "n": 1}
ON, OFF = {"ignore_case": True}, {"ignore_case": False}


def passes(
    *,
    everywhere: dict[str, Any] | None = None,
    evaluator: dict[str, Any] | None = None,
    tool: dict[str, Any] | None = None,
    call: dict[str, Any] | None = None,
    wanted: dict[str, Any] = WANTED,
    made: dict[str, Any] = MADE,
) -> bool:
    options: dict[str, Any] = dict(everywhere or {})
    own = dict(evaluator or {})
    if tool is not None:
        own["per_tool"] = {"f": tool}
    if own:
        options["tool_call_args"] = own
    expected: dict[str, Any] = {"name": "f", "arguments": wanted}
    if call is not None:
        expected["options"] = call
    result = evaluate(
        "tool_call_args", output=[{"name": "f", "arguments": made}], expected=[expected], **options
    )
    return bool(result.score == 1.0)


LEVELS = ("everywhere", "evaluator", "tool", "call")


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_can_say_it(level: str) -> None:
    assert not passes()
    assert passes(**{level: ON})
    assert not passes(**{level: OFF})


@pytest.mark.parametrize(
    ("far", "near"), [(far, near) for place, far in enumerate(LEVELS) for near in LEVELS[place + 1 :]]
)
def test_the_nearer_level_wins(far: str, near: str) -> None:
    assert passes(**{far: OFF, near: ON})
    assert not passes(**{far: ON, near: OFF})


@pytest.mark.parametrize("level", LEVELS)
def test_a_path_is_nearer_than_anything(level: str) -> None:
    assert passes(**{level: {"ignore_case": ["/a"]}})
    assert not passes(**{level: {"ignore_case": ["/n"]}})
    if level != "call":
        both: dict[str, Any] = {level: {"ignore_case": ["/a"]}, "call": OFF}
        assert passes(**both)
    tolerance: Any = {"numeric_tolerance": {"/n": 2}}
    near: Any = {"n": 2}
    loose: dict[str, Any] = {level: tolerance}
    assert passes(**loose, wanted={"n": 1}, made=near)
    exact: Any = {level: {"numeric_tolerance": {"/n": 0}}}
    assert not passes(**exact, wanted={"n": 1}, made=near)


def test_a_nearer_value_replaces_a_farther_one() -> None:
    assert not passes(
        everywhere={"numeric_tolerance": 9}, call={"numeric_tolerance": 1}, wanted={"n": 1}, made={"n": 3}
    )
    assert passes(
        everywhere={"numeric_tolerance": 1}, call={"numeric_tolerance": 9}, wanted={"n": 1}, made={"n": 3}
    )
    assert not passes(everywhere={"args": "ignore"}, tool={"args": "exact"})
    assert passes(everywhere={"args": "exact"}, tool={"args": "ignore"})
    paths: Any = {"everywhere": {"ignore_case": ["/a"]}, "call": {"ignore_case": ["/b"]}}
    assert not passes(**paths, wanted={"a": "x", "b": "x"}, made={"a": "X", "b": "X"}), "paths replace, too"


@pytest.mark.parametrize(
    ("far", "near"), [(far, near) for place, far in enumerate(LEVELS) for near in LEVELS[place + 1 :]]
)
def test_ignore_and_unordered_add_up(far: str, near: str) -> None:
    sides: Any = {"wanted": {"a": 1, "b": 1, "c": 1}, "made": {"a": 2, "b": 2, "c": 1}}
    assert passes(**{far: {"ignore": ["/a"]}, near: {"ignore": ["/b"]}}, **sides)
    assert not passes(**{far: {"ignore": ["/a"]}}, **sides)
    lists: Any = {"wanted": {"a": [1, 2], "b": [1, 2]}, "made": {"a": [2, 1], "b": [2, 1]}}
    assert passes(**{far: {"unordered": ["/a"]}, near: {"unordered": ["/b"]}}, **lists)
    assert not passes(**{near: {"unordered": ["/b"]}}, **lists)


def test_one_evaluator_alone_can_be_told() -> None:
    sides: dict[str, Any] = {
        "output": [{"name": "f", "arguments": MADE}],
        "expected": [{"name": "f", "arguments": WANTED}],
    }
    both = ["tool_call_args", "tool_call_accuracy"]
    results = evaluate(both, **sides, tool_call_args={"ignore_case": True})
    assert (results["tool_call_args"].score, results["tool_call_accuracy"].score) == (1.0, 0.5)
    results = evaluate(both, **sides, ignore_case=True, tool_call_args={"ignore_case": False})
    assert (results["tool_call_args"].score, results["tool_call_accuracy"].score) == (0.0, 1.0)


def test_options_of_a_call_hold_for_that_call_only() -> None:
    made = [{"name": "f", "arguments": {"a": "X"}}, {"name": "f", "arguments": {"a": "Y"}}]
    wanted = [{"name": "f", "arguments": {"a": "x"}, "options": ON}, {"name": "f", "arguments": {"a": "y"}}]
    assert evaluate("tool_call_args", output=made, expected=wanted).score == 0.5
    assert evaluate("tool_call_args", output=made[::-1], expected=wanted[::-1]).score == 0.5
    only = {"name": "f", "arguments": {"a": "x"}, "options": ON}
    wrapped = {"role": "assistant", "tool_calls": [{"function": {"name": "g", "arguments": "{}"}}]}
    made = [{"name": "g", "arguments": {}}, {"name": "f", "arguments": {"a": "X"}}]
    assert evaluate("tool_call_args", output=made, expected=[wrapped, only]).score == 1.0


def test_options_of_a_call_stand_beside_a_message_of_two_calls_as_well() -> None:
    pair = [{"function": {"name": name, "arguments": "{}"}} for name in "gh"]
    wanted = [
        {"role": "assistant", "tool_calls": pair},
        {"name": "f", "arguments": {"a": "x"}, "options": ON},
    ]
    made = [{"name": "g"}, {"name": "h"}, {"name": "f", "arguments": {"a": "X"}}]
    assert evaluate("tool_call_args", output=made, expected=wanted).score == 1.0


def test_options_of_a_tool_hold_for_that_tool_only() -> None:
    made = [{"name": name, "arguments": {"a": "X"}} for name in "fg"]
    wanted = [{"name": name, "arguments": {"a": "x"}} for name in "fg"]
    assert evaluate("tool_call_args", output=made, expected=wanted, per_tool={"g": ON}).score == 0.5


SIDES: dict[str, Any] = {"output": [], "expected": []}


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"args": "subset"}, "allow_extra"),
        ({"args": "superset"}, "allow_missing"),
        ({"args": "allow_extras"}, "allow_extra"),
        ({"args": True}, "exact"),
        ({"args": ["exact"]}, "exact"),
        ({"numeric_tolerance": -1}, ""),
        ({"numeric_tolerance": "0.1"}, ""),
        ({"numeric_tolerance": True}, ""),
        ({"numeric_tolerance": float("nan")}, ""),
        ({"numeric_tolerance": float("inf")}, ""),
        ({"numeric_tolerance": {"abs": 1}}, "/abs"),
        ({"numeric_tolerance": {"rel": -1}}, ""),
        ({"numeric_tolerance": {"/a": "x"}}, ""),
        ({"coerce_types": 1}, ""),
        ({"coerce_types": "yes"}, ""),
        ({"unordered": "/a"}, ""),
        ({"unordered": None}, ""),
        ({"unicode": True}, "NFC"),
        ({"unicode": "nfc"}, "NFC"),
        ({"ignore": True}, "/"),
        ({"ignore": [1]}, "/"),
        ({"ignore": ["a"]}, "'/a'"),
        ({"schema_defaults": ["/a"]}, ""),
        ({"per_tool": []}, ""),
        ({"per_tool": {"f": 1}}, ""),
        ({"per_tool": {"f": {"args": "subset"}}}, "allow_extra"),
        ({"per_tool": {"f": {"ignore": ["$.a[0].b"]}}}, "'/a/0/b'"),
        ({"name_map": ["f"]}, ""),
        ({"name_map": {"f": 1}}, ""),
        ({"strip_name_prefix": "("}, ""),
        ({"strip_name_prefix": 1}, ""),
        ({"ignore_failed": "no"}, ""),
        ({"groups": True}, "use"),
        ({"mode": "strict"}, ""),
        ({"trajectory_match": 1}, ""),
    ],
    ids=str,
)
def test_nonsense_is_refused_before_any_work(options: dict[str, Any], hint: str) -> None:
    with pytest.raises(OptionError) as caught:
        evaluate("trajectory_match", **SIDES, **options)
    assert hint in (caught.value.hint or "") or hint in caught.value.message
    assert caught.value.field is not None


@pytest.mark.parametrize(
    ("options", "nearest"),
    [
        ({"ignorecase": True}, "ignore_case"),
        ({"Coerce-Types": True}, "coerce_types"),
        ({"matching": "optimal"}, None),
        ({"trajectory_match": {"moed": "exact"}}, "mode"),
        ({"per_tool": {"f": {"strips": True}}}, "strip"),
    ],
    ids=str,
)
def test_an_option_of_no_chosen_evaluator_is_refused(options: dict[str, Any], nearest: str | None) -> None:
    with pytest.raises(UnknownNameError) as caught:
        evaluate("trajectory_match", **SIDES, **options)
    if nearest is not None:
        assert caught.value.nearest == nearest


def test_an_option_needs_one_chosen_evaluator_and_is_only_for_those_that_honour_it() -> None:
    results = evaluate(["tool_call_order", "tool_call_accuracy"], **SIDES, matching="optimal", args="ignore")
    assert {result.score for result in results.values()} == {1.0}
    with pytest.raises(UnknownNameError):
        evaluate("tool_call_order", **SIDES, args="ignore")
    with pytest.raises(OptionError):
        evaluate("tool_call_order", **SIDES, tool_call_accuracy={"matching": "optimal"})


@pytest.mark.parametrize(
    "written", [{"args": "subset"}, {"nope": 1}, {"ignore": ["a"]}, 5, [], "x", {"ignore_case": 1}]
)
def test_a_wrong_option_on_a_call_is_an_error_of_that_case(written: Any) -> None:
    rows: list[Any] = [
        {"id": "bad", "tool_calls": [], "expected": [{"name": "f", "arguments": {}, "options": written}]},
        {"id": "good", "tool_calls": [], "expected": []},
    ]
    run = evaluate_cases(rows, "tool_call_args")
    bad, good = (case.of("tool_call_args") for case in run)
    assert (bad.status, bad.score, bad.passed) == ("error", None, None)
    assert bad.error == "expectation"
    assert good.passed


@pytest.mark.parametrize("threshold", [1.5, -0.1, float("nan"), "0.5", True, None.__class__, [1]])
def test_a_threshold_is_a_number_from_zero_to_one(threshold: Any) -> None:
    with pytest.raises(OptionError):
        evaluate("tool_call_args", **SIDES, threshold=threshold)


def test_a_threshold_is_met_up_to_float_noise() -> None:
    made = [{"name": "f", "arguments": {}}] * 3
    wanted = [{"name": name, "arguments": {}} for name in "fgh"]
    third = evaluate("tool_call_args", output=made, expected=wanted, threshold=1 / 3)
    assert third.passed
    assert evaluate("tool_call_args", output=made, expected=wanted, threshold=1 / 3 + 9e-10).passed
    assert not evaluate("tool_call_args", output=made, expected=wanted, threshold=1 / 3 + 1e-8).passed


def test_requests_that_name_nothing_are_refused() -> None:
    requests: list[Any] = [
        {"evaluator": None},
        {"evaluator": []},
        {"evaluator": "tool_call_arg"},
        {"suite": "agents"},
    ]
    for wrong in requests:
        with pytest.raises(UsageError):
            evaluate(**wrong, **SIDES)
    with pytest.raises(UsageError):
        evaluate("tool_call_args", suite="agent", **SIDES)
    with pytest.raises(UsageError):
        evaluate("tool_call_args", **SIDES, preset="strict")


@pytest.mark.parametrize(
    ("written", "likely"),
    [
        ("a", "/a"),
        ("a.b", "/a/b"),
        ("a/b", "/a/b"),
        ("$.a.b", "/a/b"),
        ("$", "/"),
        ("", "/"),
        (".a", "/a"),
        ("items[0].id", "/items/0/id"),
        ("items[*].id", "/items/*/id"),
        ("items[].id", "/items/*/id"),
        ("$.items[2]", "/items/2"),
        ("#/a/b", "/a/b"),
        ("/a~2b", "/a~02b"),
        ("a~", "/a~0"),
    ],
)
def test_a_wrong_path_is_refused_with_the_likely_pointer(written: str, likely: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse_pointer(written)
    assert repr(likely) in (caught.value.hint or "")
    assert parse_pointer(likely) == likely


@pytest.mark.parametrize("written", ["/", "/a", "/a/b", "/a~1b", "/a~0b", "/a b", "/a/*/b", "/é", '/"'])
def test_a_pointer_is_taken_as_it_is(written: str) -> None:
    assert parse_pointer(written) == written


def test_pointers_lead_to_keys_of_any_spelling() -> None:
    for key, pointer in [
        ("a/b", "/a~1b"),
        ("a~b", "/a~0b"),
        ("", "/"),
        ("a.b", "/a.b"),
        ("*", "/*"),
        ("ü", "/ü"),
    ]:
        assert passes(everywhere={"ignore": [pointer]}, wanted={key: 1}, made={key: 2}), key
    assert not passes(everywhere={"ignore": ["/a"]}, wanted={"ab": 1}, made={"ab": 2})


def test_a_star_is_any_index_and_nothing_more() -> None:
    assert matches("/a/*/b", "/a/12/b")
    assert not matches("/a/*", "/a/1/2")
    assert not matches("/a/*", "/a/b")
    assert not matches("/a.*", "/a.7")
    lists: Any = {"wanted": {"a": [{"id": 1, "x": 1}]}, "made": {"a": [{"id": 2, "x": 1}]}}
    assert passes(everywhere={"ignore": ["/a/*/id"]}, **lists)
    assert passes(everywhere={"ignore": ["/a/0/id"]}, **lists)
    assert not passes(everywhere={"ignore": ["/a/1/id"]}, **lists)


def test_every_error_of_a_request_is_of_the_family() -> None:
    wanted: list[dict[str, Any]] = [{"strip_name_prefix": "(?i)mcp__"}, {"strip_name_prefix": "^mcp__"}]
    for options in wanted:
        try:
            result = evaluate(
                "tool_call_args", output=[{"name": "MCP__f"}], expected=[{"name": "f"}], **options
            )
        except RightcallError:
            continue
        assert result.score in (0.0, 1.0)


@pytest.mark.parametrize(
    ("path", "general"), [("/a/0", "/a/*"), ("/0/b/12/c", "/*/b/*/c"), ("/a1/b", "/a1/b"), ("", "")]
)
def test_a_path_with_any_index(path: str, general: str) -> None:
    assert any_index(path) == general

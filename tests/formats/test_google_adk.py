"""Google's ADK: events and sessions, eval sets, and the first test files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rightcall import CallError, Trace, read
from rightcall.run.intake.traces import traces_of


def told(trace: Trace) -> list[tuple[Any, ...]]:
    return [(call.name, call.arguments, call.id) for call in trace.calls or ()]


def event(author: str, *parts: dict[str, Any], invocation: str = "i1", **fields: Any) -> dict[str, Any]:
    role = "user" if author == "user" else "model"
    return {
        "invocationId": invocation,
        "author": author,
        "content": {"role": role, "parts": list(parts)},
        **fields,
    }


def call(id: str | None, name: str = "book", **fields: Any) -> dict[str, Any]:
    return {"functionCall": {"id": id, "name": name, **fields}}


def answer(id: str | None, response: Any, name: str = "book") -> dict[str, Any]:
    return {"functionResponse": {"id": id, "name": name, "response": response}}


def snake(value: Any) -> Any:
    """The same in the spelling of `model_dump`."""
    words = {
        "invocationId": "invocation_id",
        "functionCall": "function_call",
        "functionResponse": "function_response",
    }
    if isinstance(value, dict):
        return {words.get(key, key): snake(item) for key, item in value.items()}
    return [snake(item) for item in value] if isinstance(value, list) else value


EVENTS = [
    event("user", {"text": "Book 4A and 4B"}),
    event("agent", call("a1", args={"seat": "4A"}), call("a2", args={"seat": "4B"})),
    event("agent", answer("a2", {"ok": 2}), answer("a1", {"ok": 1})),
    event("agent", {"text": "thinking", "thought": True}, {"text": "Both booked."}),
    event("user", {"text": "Thanks, what is left?"}, invocation="i2"),
    event("helper", call("a3", "list"), invocation="i2"),
]


@pytest.mark.parametrize("spelling", ["camel", "snake"])
def test_events_and_sessions_are_read_alike_in_both_spellings(spelling: str) -> None:
    events = EVENTS if spelling == "camel" else snake(EVENTS)
    for source in (events, {"id": "s1", "appName": "seats", "events": events}):
        for given in (source, json.dumps(source).encode()):
            trace = read(given)
            assert trace.format == "google_adk"
            assert trace.id == ("s1" if isinstance(source, dict) else None)
            assert told(trace) == [
                ("book", {"seat": "4A"}, "a1"),
                ("book", {"seat": "4B"}, "a2"),
                ("list", {}, "a3"),
            ]
            assert [made.output for made in trace.calls or ()] == [{"ok": 1}, {"ok": 2}, None]
            assert [made.turn for made in trace.calls or ()] == [0, 0, 1]
            assert [made.group for made in trace.calls or ()] == ["message 1", "message 1", None]
            assert [turn.text for turn in trace.turns] == ["Both booked.", None]


def test_partial_events_of_a_stream_add_no_calls_and_no_text() -> None:
    streamed = [
        EVENTS[0],
        event("agent", {"text": "Bo"}, partial=True),
        event("agent", call("other-id", args={"seat": "4A"}), partial=True),
        event("agent", {"text": "Booking."}, call("a1", args={"seat": "4A"}), partial=False),
    ]
    trace = read(streamed)
    assert told(trace) == [("book", {"seat": "4A"}, "a1")]
    assert trace.text == "Booking."


def test_without_the_users_events_a_new_invocation_is_a_new_turn() -> None:
    trace = read([event("agent", call("1"), invocation="x"), event("agent", call("2"), invocation="y")])
    assert [made.turn for made in trace.calls or ()] == [0, 1]


def test_a_user_that_only_hands_in_a_result_begins_no_turn() -> None:
    events = [
        EVENTS[0],
        event("agent", call("a1")),
        event("user", answer("a1", {"late": True}), invocation="i9"),
    ]
    trace = read([*events, event("agent", {"text": "Now done."}, invocation="i9")])
    assert len(trace.turns) == 1
    assert (trace.calls or ())[0].output == {"late": True}
    assert trace.text == "Now done."


@pytest.mark.parametrize(
    ("response", "error"),
    [
        ({"error": "full"}, "full"),
        ({"error": {"code": 0}}, {"code": 0}),
        ({"error": None, "seats": 2}, None),
        ({"error": "", "seats": 2}, None),
        ({"error": False}, None),
        ({"seats": [{"error": "x"}]}, None),
        ("an error", None),
    ],
)
def test_an_error_in_a_response_is_the_calls_error_as_it_is_for_gemini(response: Any, error: Any) -> None:
    use = {"id": "a1", "name": "book", "args": {}}
    between = {"tool_uses": [use], "tool_responses": [{"id": "a1", "name": "book", "response": response}]}
    invocation = {"user_content": {"parts": [{"text": "x"}]}, "intermediate_data": between}
    made = [call("a1", args={}), answer("a1", response)]
    contents = [{"role": role, "parts": [part]} for role, part in zip(("model", "user"), made, strict=True)]
    for source, told_as in (
        ([event("agent", part) for part in made], "google_adk"),
        (invocation, "google_adk_eval_set"),
        (contents, "gemini"),
    ):
        for given in (source, json.dumps(source).encode()):
            trace = read(given)
            (one,) = trace.calls or ()
            assert (trace.format, one.output, one.error) == (told_as, response, error)
            assert one.failed is (error is not None)


def test_questions_of_the_framework_are_no_calls_of_a_model() -> None:
    trace = read([EVENTS[0], event("agent", call("q", "adk_request_confirmation", args={"hint": "sure?"}))])
    assert trace.calls == ()
    assert "adk_request_confirmation" in trace.warnings[0]


def test_a_transfer_to_another_agent_is_a_call() -> None:
    trace = read([event("agent", call("t", "transfer_to_agent", args={"agent_name": "helper"}))])
    assert told(trace) == [("transfer_to_agent", {"agent_name": "helper"}, "t")]


def test_sessions_are_recordings_and_one_that_goes_on_is_the_same() -> None:
    def session(name: str, events: list[dict[str, Any]]) -> bytes:
        return json.dumps({"id": name, "appName": "seats", "userId": "u", "events": events}).encode()

    lines = b"\n".join([session("s1", EVENTS[:3]), session("s1", EVENTS), session("s2", EVENTS)])
    traces = traces_of(lines)
    assert [(trace.id, len(trace.calls or ())) for trace in traces] == [("s1", 3), ("s2", 3)]
    assert [made.turn for made in traces[0].calls or ()] == [0, 0, 1]
    assert traces[0].warnings == ()


def test_a_session_without_the_users_events_counts_its_turns_again_from_the_start() -> None:
    events = [event("agent", call(name, args={}), invocation=name) for name in ("x", "y", "z")]
    (trace,) = traces_of([{"id": "s", "appName": "a", "events": events[:count]} for count in (1, 2, 3)])
    assert [(made.id, made.turn) for made in trace.calls or ()] == [("x", 0), ("y", 1), ("z", 2)]
    assert len(trace.turns) == 3


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (call("a1", ""), "without a name"),
        ({"functionCall": {"name": "book", "arguments_": {"seat": 1}}}, "arguments_"),
    ],
)
def test_what_can_not_be_read_is_an_error_with_its_place(part: dict[str, Any], message: str) -> None:
    with pytest.raises(CallError, match=message) as caught:
        read([EVENTS[0], event("agent", {"text": "x"}, part)])
    assert caught.value.field == "trace[1].content.parts[1].functionCall"


def invocation(between: dict[str, Any], text: str = "Book 4A") -> dict[str, Any]:
    said = {"user_content": {"parts": [{"text": text}]}, "final_response": {"parts": [{"text": "Done."}]}}
    return {"invocation_id": "i1", **said, "intermediate_data": between}


USES = [
    {"id": None, "name": "book", "args": {"seat": "4A"}},
    {"name": "book", "args": {"seat": "4B"}},
    {"name": "list"},
]


def test_each_case_of_an_eval_set_is_a_recording_with_an_invocation_a_turn() -> None:
    between = {"tool_uses": USES, "tool_responses": [{"name": "list", "response": {"left": 3}}]}
    cases = [
        {
            "eval_id": "one",
            "conversation": [invocation(between), invocation({"tool_uses": USES[2:]}, "And?")],
        },
        {"eval_id": "two", "conversation": [invocation({"tool_uses": []})]},
    ]
    one, two = traces_of(json.dumps({"eval_set_id": "s", "eval_cases": cases}).encode())
    assert (one.id, two.id, two.calls) == ("one", "two", ())
    assert told(one) == [
        ("book", {"seat": "4A"}, None),
        ("book", {"seat": "4B"}, None),
        ("list", {}, None),
        ("list", {}, None),
    ]
    assert [(made.turn, made.group, made.output) for made in one.calls or ()] == [
        (0, None, None),
        (0, None, None),
        (0, None, {"left": 3}),
        (1, None, None),
    ]
    assert [(turn.input, turn.text) for turn in one.turns] == [("Book 4A", "Done."), ("And?", "Done.")]


def test_invocation_events_tell_what_was_parallel_and_count_once() -> None:
    events = [
        {"author": "agent", "content": {"parts": [call("a1", args={"seat": "4A"}), call("a2", args={})]}},
        {"author": "agent", "content": {"parts": [answer("a1", {"ok": 1})]}},
    ]
    uses = [{"id": "a1", "name": "book", "args": {"seat": "4A"}}, {"name": "book", "args": {}}]
    for between in ({"invocation_events": events}, {"invocation_events": events, "tool_uses": uses}):
        trace = read({"eval_id": "e", "conversation": [invocation(between)]})
        assert trace.format == "google_adk_eval_set"
        assert told(trace) == [("book", {"seat": "4A"}, "a1"), ("book", {}, "a2")]
        assert [made.group for made in trace.calls or ()] == ["message 1", "message 1"]
        assert (trace.calls or ())[0].output == {"ok": 1}


def test_eval_sets_in_camel_case() -> None:
    case = {
        "evalId": "e",
        "conversation": [
            {
                "invocationId": "i",
                "userContent": {"parts": [{"text": "Book"}]},
                "finalResponse": {"parts": [{"text": "Done."}]},
                "intermediateData": {"toolUses": USES, "toolResponses": [{"name": "list", "response": 3}]},
            }
        ],
    }
    trace = read({"evalSetId": "s", "evalCases": [case]})
    assert trace.id == "e"
    assert len(trace.calls or ()) == 3
    assert (trace.calls or ())[2].output == 3
    assert trace.text == "Done."


def test_the_place_in_an_eval_set_is_told() -> None:
    case = {"eval_id": "e", "conversation": [invocation({"tool_uses": [{"name": "a"}, {"args": {}}]})]}
    with pytest.raises(CallError) as caught:
        read({"eval_cases": [case]})
    assert caught.value.field == "trace.eval_cases[0].conversation[0].intermediate_data.tool_uses[1]"


def test_entries_of_the_first_test_files_are_turns_and_sessions_recordings() -> None:
    entries = [
        {
            "query": "Book",
            "expected_tool_use": [{"tool_name": "book", "tool_input": {"seat": 1}}] * 2,
            "reference": "ok",
        },
        {"query": "Thanks", "expected_tool_use": [], "reference": "welcome"},
        {"query": "Left?", "expected_tool_use": [{"tool_name": "list", "mock_tool_output": {"left": 2}}]},
    ]
    trace = read(entries)
    assert trace.format == "google_adk_legacy"
    # The same call twice in one list is two calls: nothing was repeated.
    assert [(made.name, made.arguments, made.turn, made.group) for made in trace.calls or ()] == [
        ("book", {"seat": 1}, 0, None),
        ("book", {"seat": 1}, 0, None),
        ("list", {}, 2, None),
    ]
    assert (trace.calls or ())[2].output == {"left": 2}
    assert [turn.text for turn in trace.turns] == ["ok", "welcome", None]
    sessions: list[Any] = [{"name": name, "data": entries, "initial_session": {}} for name in ("a", "b")]
    assert [(found.id, len(found.calls or ())) for found in traces_of(json.dumps(sessions).encode())] == [
        ("a", 3),
        ("b", 3),
    ]

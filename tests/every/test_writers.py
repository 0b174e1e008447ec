"""One suite for every form that recordings are written in: read after write gives the same recording."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rightcall import UnknownNameError
from rightcall.core.arguments import Given, read_arguments
from rightcall.core.jsonvalue import same_value
from rightcall.core.types import ToolCall, ToolSpec, Trace, Turn
from rightcall.core.writing import CARRIED
from rightcall.run.convert import convert
from rightcall.run.intake.traces import traces_of
from rightcall.run.sets import FORMATS, WRITERS

EVERY = WRITERS.ids()
TEXTS = st.text('abc é"\\\n{}<', min_size=1, max_size=8).filter(lambda text: bool(text.strip()))
NAMES = st.sampled_from(["find_order", "refund", "ns.tool", "größe", "a-b"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(-1e6, 1e6) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.dictionaries(TEXTS.filter(lambda key: not key.startswith("$")), VALUES, max_size=3)


@st.composite
def recordings(draw: Any) -> Trace:
    """Recordings as any reader could give them: turns in order, parallel calls beside each other."""
    calls: list[ToolCall] = []
    turns: list[Turn] = []
    groups = 0
    for number in range(draw(st.integers(1, 3))):
        turns.append(Turn(draw(TEXTS), draw(TEXTS)))
        for _ in range(draw(st.integers(0, 2))):
            size = draw(st.integers(1, 3))
            groups += size > 1
            for _ in range(size):
                calls.append(
                    ToolCall(
                        name=draw(NAMES),
                        raw=Given(draw(ARGUMENTS)),
                        id=f"c{len(calls)}",
                        turn=number,
                        group=f"message {groups}" if size > 1 else None,
                        raw_output=draw(st.none() | TEXTS),
                    )
                )
    tools = draw(
        st.none() | st.just((ToolSpec(name="refund", schema={"type": "object"}, description="Pays."),))
    )
    return Trace(id="t-1", calls=tuple(calls), turns=tuple(turns), text=turns[-1].text, tools=tools)


def without(trace: Trace, form: str) -> Trace:
    """The recording without what the form can't hold."""
    carries = WRITERS.get(form).declaration.carries
    calls = tuple(
        replace(
            call,
            id=call.id if "ids" in carries else None,
            turn=call.turn if "turns" in carries else None,
            group=call.group if "groups" in carries else None,
            raw_output=call.output if "outputs" in carries else None,
        )
        for call in trace.calls or ()
    )
    return replace(trace, calls=calls, tools=trace.tools if "tools" in carries else None)


def facts(trace: Trace) -> list[tuple[Any, ...]]:
    """What must come back of the calls; groups by who belongs together, since their names are free."""
    order = {
        group: number for number, group in enumerate(dict.fromkeys(call.group for call in trace.calls or ()))
    }
    return [
        (call.name, call.id, call.turn, order[call.group] if call.group else None, said(call.output))
        for call in trace.calls or ()
    ]


def said(output: Any) -> Any:
    """An output; ADK keeps only objects, and puts anything else under `result`."""
    return output["result"] if isinstance(output, dict) and set(output) == {"result"} else output


@pytest.mark.parametrize("form", EVERY)
@given(trace=recordings())
def test_read_after_write_gives_the_same_recording(form: str, trace: Trace) -> None:
    declaration = WRITERS.get(form).declaration
    wanted = without(trace, form)
    made = convert([wanted], form)
    assert not made.refused
    (back,) = traces_of(made.data, declaration.reads_back)
    carries = declaration.carries
    if "turns" not in carries:
        back = replace(back, calls=tuple(replace(call, turn=None) for call in back.calls or ()))
    if "ids" not in carries:
        back = replace(back, calls=tuple(replace(call, id=None) for call in back.calls or ()))
    assert facts(back) == facts(wanted)
    for call, other in zip(back.calls or (), wanted.calls or (), strict=True):
        assert same_value(read_arguments(call.raw).value, read_arguments(other.raw).value)
    if {"inputs", "texts", "turns"} <= carries:
        assert back.turns == wanted.turns
    if "texts" in carries:
        assert back.text == wanted.text
    if "tools" in carries:
        assert back.tools == wanted.tools
    if "trace id" in carries:
        assert back.id == wanted.id


@pytest.mark.parametrize("form", EVERY)
def test_what_is_written_is_detected_as_what_reads_it(form: str) -> None:
    call = ToolCall(
        name="refund", raw=Given({"order_id": "K-77", "amount": 39.9}), id="c1", turn=0, raw_output="paid"
    )
    trace = Trace(calls=(call,), turns=(Turn("Refund K-77.", "Done."),), text="Done.")
    made = convert([trace, replace(trace, id="t-2")], form)
    assert made.written == 2
    back = traces_of(made.data)
    assert [found.format for found in back] == [WRITERS.get(form).declaration.reads_back] * 2
    assert [call.name for found in back for call in found.calls or ()] == ["refund", "refund"]


@pytest.mark.parametrize("form", EVERY)
def test_the_declaration_names_what_there_is(form: str) -> None:
    declaration = WRITERS.get(form).declaration
    assert declaration.id == form
    assert declaration.meaning
    assert declaration.carries <= set(CARRIED)
    assert declaration.reads_back in FORMATS


@pytest.mark.parametrize("form", EVERY)
def test_unreadable_arguments_are_kept_or_refused_but_never_lost(form: str) -> None:
    broken = Trace(id="broken", calls=(ToolCall(name="f", raw=msgspec.Raw(b'"{oops"'), id="c1"),))
    whole = Trace(id="whole", calls=(ToolCall(name="g", raw=Given({"a": 1}), id="c2"),))
    made = convert([broken, whole], form)
    back = traces_of(made.data, WRITERS.get(form).declaration.reads_back)
    names = [call.name for trace in back for call in trace.calls or ()]
    if made.refused:
        assert names == ["g"]
        assert "broken" in str(made.refused[0])
        assert "'f'" in str(made.refused[0])
    else:
        assert names == ["f", "g"]
        assert (back[0].calls or ())[0].arguments is None


def test_what_a_form_cannot_hold_is_told() -> None:
    call = ToolCall(name="f", id="c1", turn=1, group="g", raw_output=1, start=2.0, error="no")
    trace = Trace(id="t", calls=(call,), turns=(Turn("q", None), Turn("r", "s")), tools=(ToolSpec(name="f"),))
    assert convert([trace], "native").lost == ()
    assert set(convert([trace], "bfcl").lost) == {
        "ids",
        "outputs",
        "errors",
        "texts",
        "inputs",
        "tools",
        "times",
    }


def test_an_unknown_form_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="openai_chat"):
        convert([], "openai-chats")


@pytest.mark.parametrize("form", EVERY)
def test_turns_whose_question_is_unknown_stay_apart_or_are_told(form: str) -> None:
    calls = tuple(ToolCall(name=name, turn=turn) for name, turn in (("a", 0), ("b", 0), ("c", 1), ("d", 3)))
    trace = Trace(id="t", calls=calls, turns=(Turn(), Turn(), Turn(None, "done"), Turn()))
    made = convert([trace], form)
    (back,) = traces_of(made.data, WRITERS.get(form).declaration.reads_back)
    assert ("turns" in made.lost) is ("turns" not in WRITERS.get(form).declaration.carries)
    assert "turns" in made.lost or [call.turn for call in back.calls or ()] == [0, 0, 1, 3]


def test_what_a_form_changes_is_told() -> None:
    trace = Trace(id="t", calls=(ToolCall(name="a", raw_output="ok"),))
    assert any("no object" in lost for lost in convert([trace], "google_adk_eval_set").lost)
    given = Trace(id="t", calls=(ToolCall(name="a", raw_output={"result": "ok"}),))
    assert not any("no object" in lost for lost in convert([given], "google_adk_eval_set").lost)
    assert any("nothing was said" in lost for lost in convert([Trace(calls=())], "agentevals").lost)

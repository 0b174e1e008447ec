"""tool_call_semantic: which pairs are judged, how they are paired, and what is told about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall import evaluate, evaluate_cases
from rightcall.core.ask import Answer, ArgumentAnswer, Question
from rightcall.errors import UnknownNameError

ID = "tool_call_semantic"


def call(name: str = "f", **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


def score(actual: list[Any], expected: list[Any], **more: Any) -> Any:
    return evaluate(ID, output=actual, expected=expected, **more)


def test_equal_calls_are_exactly_one_and_no_judge_is_asked() -> None:
    found = score([call(a=1, b="x")], [call(b="x", a=1.0)])
    assert (found.score, found.passed, found.probabilities) == (1.0, True, (1.0,))


def test_a_call_of_another_tool_is_nothing() -> None:
    found = score([call("cancel_order", id="A1")], [call("create_order", id="A1")])
    assert (found.score, found.passed, found.probabilities) == (0.0, False, (0.0,))


def test_names_are_one_after_their_map() -> None:
    found = score([call("g", date="Nov 12 2025")], [call("f", date="2025-11-12")], name_map={"g": "f"})
    assert found.score == pytest.approx(0.995)


@pytest.mark.parametrize(
    ("actual", "expected", "score_"), [([], [], 1.0), ([call()], [], 0.0), ([], [call()], 0.0)]
)
def test_empty_sides(actual: list[Any], expected: list[Any], score_: float) -> None:
    assert score(actual, expected).score == score_


def test_the_score_is_the_mean_and_the_smallest_decides() -> None:
    found = score(
        [call(date="Nov 12 2025"), call("g", n=1)], [call(date="2025-11-12"), call("g", n=1), call("h")]
    )
    assert found.score == pytest.approx((0.995 + 1.0 + 0.0) / 3)
    assert found.probabilities == pytest.approx((0.995, 1.0, 0.0))
    assert found.passed is False
    assert score([call(date="Nov 12 2025")], [call(date="2025-11-12")]).passed is True


def test_one_actual_call_never_serves_two_expected_ones() -> None:
    found = score([call(date="Nov 12 2025")], [call(date="2025-11-12"), call(date="12 November 2025")])
    assert sorted(found.probabilities) == pytest.approx([0.0, 0.995])


def test_pairs_are_those_of_the_greatest_total() -> None:
    # The first would take the second expected call as well; the total is greater the other way.
    found = score(
        [call(city="Chicago, IL"), call(city="Chicago")],
        [call(city="Chicago"), call(city="Chicago, Illinois")],
    )
    assert {(pair.actual, pair.expected) for pair in found.details.pairs} == {(0, 1), (1, 0)}
    assert (found.score or 0.0) > 0.95


def test_details_say_what_decided_and_the_reason_says_it_in_words() -> None:
    found = score([call(date="Nov 12 2025", n=2)], [call(date="2025-11-12", n=3)])
    (judged,) = found.details.measures["judged"]
    assert (judged["actual"], judged["expected"], judged["by"]) == (0, 0, "local")
    assert [(each["path"], each["by"]) for each in judged["arguments"]] == [
        ("/date", "date"),
        ("/n", "number"),
    ]
    assert "date: the same day, other format (0.995)" in found.reason
    assert "n: other numbers (0.01)" in found.reason


def test_what_an_option_accepts_is_no_difference() -> None:
    found = score(
        [call(date="Nov 12 2025", city="PARIS")], [call(date="2025-11-12", city="Paris")], ignore_case=True
    )
    (judged,) = found.details.measures["judged"]
    assert [each["path"] for each in judged["arguments"]] == ["/date"]


def test_matchers_that_refuse_can_not_be_overturned() -> None:
    found = score([call(a="5", date="Nov 12 2025")], [call(a={"$range": [6, 9]}, date="2025-11-12")])
    (judged,) = found.details.measures["judged"]
    assert {each["path"]: each["by"] for each in judged["arguments"]} == {"/a": "matcher", "/date": "date"}
    assert found.score < 0.01


def test_the_matcher_semantic_takes_what_the_judge_takes() -> None:
    wanted = [call(date={"$semantic": "Nov 12 2025"}, n=1)]
    for name in (ID, "tool_call_args", "tool_call_accuracy"):
        assert evaluate(name, output=[call(date="2025-11-12", n=1)], expected=wanted).score == 1.0
        missed = evaluate(name, output=[call(date="2025-11-13", n=1)], expected=wanted)
        assert missed.score is not None
        assert missed.score < 0.6


def test_optional_calls_leave_the_denominator_when_they_were_not_made() -> None:
    wanted = [call(date="2025-11-12"), {**call("g", n=1), "optional": True}]
    assert score([call(date="Nov 12 2025")], wanted).score == pytest.approx(0.995)
    assert score([call(date="Nov 12 2025"), call("g", n=2)], wanted).score == pytest.approx(0.995)


def test_alternatives_are_one_place() -> None:
    wanted = [{**call("f", date="2025-11-12"), "alternatives": [call("g", day="2025-11-12")]}]
    for made in (call("f", date="Nov 12 2025"), call("g", day="Nov 12 2025")):
        found = score([made], wanted)
        assert (found.score, len(found.probabilities)) == (pytest.approx(0.995), 1)


def test_counts_are_that_many_calls() -> None:
    wanted = [{**call(date="2025-11-12"), "count": {"min": 2, "max": 3}}]
    assert score([call(date="Nov 12 2025"), call(date="12 November 2025")], wanted).score == pytest.approx(
        0.995
    )
    assert score([call(date="Nov 12 2025")], wanted).score == pytest.approx(0.4975)


def test_declared_defaults_are_equal() -> None:
    tools = [
        {
            "name": "f",
            "parameters": {"type": "object", "properties": {"unit": {"type": "string", "default": "km"}}},
        }
    ]
    assert score([call()], [call(unit="kilometers")], tools=tools).score == pytest.approx(0.995)
    assert score([call()], [call(unit="miles")], tools=tools).score == pytest.approx(0.01)


def test_unreadable_arguments_are_not_judged() -> None:
    assert score([{"name": "f", "arguments": '{"a": '}], [call(a=1)]).score == 0.0


@pytest.mark.parametrize(
    ("actual", "expected", "least", "most"),
    [
        (
            call("meet", start="2026-03-01T09:00:00Z"),
            call("meet", start="2026-03-01T09:00:00+00:00"),
            0.5,
            1.0,
        ),
        (call("plot", metric="soma radius", n=5), call("plot", n=5, metric="soma radius"), 1.0, 1.0),
        (call("cancel_order", id="A1"), call("create_order", id="A1"), 0.0, 0.49),
        (call("transfer", amount=100), call("transfer", amount=1000), 0.0, 0.1),
    ],
)
def test_known_cases(actual: Any, expected: Any, least: float, most: float) -> None:
    assert least <= score([actual], [expected]).score <= most


class Scripted:
    """A judge that says what it was told, and keeps what it was asked."""

    name = "scripted:1"

    def __init__(self, *answers: Answer) -> None:
        self.answers = answers
        self.asked: list[Question] = []
        self.times = 0

    def answer(self, questions: Sequence[Question]) -> list[Answer]:
        self.times += 1
        self.asked += questions
        return [self.answers[place % len(self.answers)] for place in range(len(questions))]


def test_what_nobody_can_say_is_not_evaluated_and_never_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Scripted(Answer(probability=None, by="scripted:1", not_judged="it refused"))
    monkeypatch.setattr("rightcall.run.stages.judge_of", lambda *_, **__: judge)
    found = score([call(a="x")], [call(a="y")])
    assert (found.status, found.score) == ("not_evaluated", None)
    assert "it refused" in found.reason


def test_what_fell_back_to_the_local_judge_is_said_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    argument = ArgumentAnswer(path="/a", probability=0.6, by="features", words="alike")
    judge = Scripted(Answer(probability=0.6, arguments=(argument,), not_judged="timeout"))
    monkeypatch.setattr("rightcall.run.stages.judge_of", lambda *_, **__: judge)
    found = score([call(a="x")], [call(a="y")])
    assert (found.score, found.details.measures["not_judged"]) == (0.6, 1)
    assert "1 pair not judged" in found.reason


def test_equal_questions_of_a_batch_are_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Scripted(Answer(probability=0.7, by="scripted:1"))
    monkeypatch.setattr("rightcall.run.stages.judge_of", lambda *_, **__: judge)
    rows = [
        {"id": str(n), "tool_calls": [call(a="x")], "expected_tool_calls": [call(a="y")]} for n in range(20)
    ]
    found = evaluate_cases(rows, ID)
    assert (
        [each.score for each in found.results_of(ID)] == [0.7] * 20 if hasattr(found, "results_of") else True
    )
    assert (judge.times, len(judge.asked)) == (1, 1)


def test_an_unknown_judge_is_refused_with_the_nearest_and_code_evaluators_take_any() -> None:
    with pytest.raises(UnknownNameError, match="local"):
        score([call()], [call()], model="locla")
    assert evaluate("tool_call_args", output=[call()], expected=[call()], model="gpt-9").score == 1.0


def test_a_hundred_calls_of_one_tool_are_judged_and_thousands_are_refused_with_a_reason() -> None:
    found = score([call(n=n) for n in range(60)], [call(n=n + 1000) for n in range(60)])
    assert found.score == pytest.approx(0.01)
    many = evaluate_cases(
        [
            {
                "tool_calls": [call(n=n) for n in range(300)],
                "expected_tool_calls": [call(n=n + 1000) for n in range(300)],
            }
        ],
        ID,
    )
    (result,) = many.results[0].results
    assert result.status == "error"
    assert "too many calls of one tool" in result.reason


WORDS = "words of the local stage"


class Locally:
    """A local stage that says of each pair what its expected call holds."""

    name = "local"

    def answer(self, questions: Sequence[Question]) -> list[Answer]:
        found = []
        for each in questions:
            chance = (each.expected_call.arguments or {})["local"]
            told = ArgumentAnswer(path="/local", probability=chance, by="features", words=WORDS)
            found.append(Answer(probability=chance, arguments=(told,)))
        return found


chances = st.floats(0.06, 0.94).map(lambda value: round(value, 3))
said = st.one_of(chances, st.just("refusal"))


@given(st.lists(st.tuples(chances, said), min_size=1, max_size=3))
def test_the_reason_tells_whose_probability_stands(pairs: list[tuple[float, float | str]]) -> None:
    from rightcall.judges.fake import scripted
    from rightcall.run.judging.judges import remote_judge

    judge = remote_judge(scripted([[answer for _, answer in pairs]]), local=Locally())
    found = score(
        [call(f"f{place}", local="made") for place in range(len(pairs))],
        [call(f"f{place}", local=local) for place, (local, _) in enumerate(pairs)],
        model=judge,
    )
    stand = [local if isinstance(answer, str) else answer for local, answer in pairs]
    assert found.probabilities == pytest.approx(stand)
    assert f"smallest {min(stand):.3g}." in found.reason
    for place, (local, answer) in enumerate(pairs):
        judged = found.details.measures["judged"][place]
        if isinstance(answer, str):
            told = f"f{place}: local: {WORDS} ({local:.3g})"
            assert (judged["by"], judged["not_judged"], "local" in judged) == ("local", answer, False)
        else:
            told = f"f{place}: judged {answer:.3g} by fake:script (locally {local:.3g}: local: {WORDS})"
            assert (judged["by"], judged["probability"], judged["local"]) == ("fake:script", answer, local)
        assert told in found.reason
    lost = sum(isinstance(answer, str) for _, answer in pairs)
    assert ("not judged by the judge that was asked (refusal): the local prob" in found.reason) == (lost > 0)


def test_a_judge_without_a_local_stage_is_named_too() -> None:
    class Own:
        name = "own"

        def answer(self, questions: Sequence[Question]) -> list[Answer]:
            return [Answer(probability=0.25, by="own") for _ in questions]

    assert "f: judged 0.25 by own." in score([call(a=1)], [call(a=2)], model=Own()).reason


@pytest.mark.parametrize("order", [1, -1])
def test_how_an_optional_call_was_made_is_no_reason(order: int) -> None:
    wanted = {**call(q={"$contains": "lamps"}), "count": {"min": 1, "max": 3}}
    found = score([call(q="chairs"), call(q="red lamps")][::order], [wanted])
    assert found.score == 1.0
    assert found.reason == "1 of 1 expected call made equal; mean probability 1, smallest 1."
    found = score([call(q="chairs"), call(q="beds")][::order], [wanted])
    assert found.score == pytest.approx(0.01)
    assert found.reason.count("refused by the matcher") == 1

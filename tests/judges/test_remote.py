"""Remote judges against a server that behaves, and one that does not."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from rightcall.core.ask import Answer
from rightcall.errors import JudgeError
from rightcall.judging.calibration import Calibration, sigmoid
from tests.judges.conftest import MakeJudge
from tests.judges.server import JudgeServer
from tests.judges.standin import question, questions

BACKENDS = ("jev", "openai_decisions", "openai_chat")


def fallen_back(answer: Answer, why: str) -> bool:
    return answer.probability == 0.5 and answer.by == "local" and (answer.not_judged or "").startswith(why)


@pytest.mark.parametrize("id", BACKENDS)
def test_an_undecided_pair_gets_the_probability_of_the_judge(id: str, make: MakeJudge) -> None:
    judge = make(id)
    alike, apart = judge.answer(
        [question({"n": "1 2"}, {"n": "12"}), question({"n": "1 2"}, {"n": "13"}, number=1)]
    )
    assert alike.probability == pytest.approx(0.9)
    assert apart.probability == pytest.approx(0.2)
    assert alike.by == f"{id}:jev-1.13.0"
    assert alike.not_judged is None
    assert alike.tokens > 0
    assert judge.spent.judged == judge.spent.asked == 2


@pytest.mark.parametrize("id", BACKENDS)
def test_what_the_local_stage_decides_is_never_asked(id: str, make: MakeJudge, server: JudgeServer) -> None:
    judge = make(id)
    told = judge.answer(
        [
            question({"local": 0.05}, {"x": 1}),
            question({"local": 0.95}, {"x": 1}),
            question({"local": 0.3, "decided": True}, {"x": 1}),
            question({"local": 0.5}, {"x": 1}, refused=("/x",)),
        ]
    )
    assert [each.probability for each in told] == [0.05, 0.95, 0.3, 0.5]
    assert not server.seen
    assert all(each.not_judged is None for each in told)


def test_a_request_holds_200_pairs_at_most_and_nothing_twice(make: MakeJudge, server: JudgeServer) -> None:
    judge = make("jev")
    judge.answer([*questions(450), *questions(450)])
    assert sorted(len(body["state"]["pairs"]) for _, _, body in server.seen) == [50, 200, 200]


def test_several_requests_are_underway_and_never_more_than_allowed(
    make: MakeJudge, server: JudgeServer
) -> None:
    server.delay = 0.1
    make("openai_chat", concurrency=3).answer(questions(6))
    assert server.most == 3


def test_requests_keep_to_the_rate(make: MakeJudge, server: JudgeServer) -> None:
    make("openai_chat", rate=20.0).answer(questions(5))
    assert len(server.times) == 10  # both orders
    gaps = [b - a for a, b in zip(server.times, server.times[1:], strict=False)]
    assert sum(gaps) > 9 / 20 * 0.8


GETS_BETTER = ("429", "429-ms", "429-date", "500", "503", "cut", "closed")


@pytest.mark.parametrize("id", BACKENDS)
@pytest.mark.parametrize("fault", GETS_BETTER)
def test_a_fault_that_passes_is_asked_again(
    id: str, fault: str, make: MakeJudge, server: JudgeServer
) -> None:
    server.faults = [fault]
    (told,) = make(id).answer(questions(1))
    assert told.probability == pytest.approx(0.9)
    assert len(server.seen) == (3 if id == "openai_chat" else 2)  # chat is asked in both orders


def test_the_server_says_how_long_to_wait(make: MakeJudge, server: JudgeServer) -> None:
    server.faults = ["429", "429-ms"]
    make("jev", wait=0.0).answer(questions(1))
    first, second, third = server.times
    assert second - first >= 1.0
    assert 0.12 <= third - second < 0.6


def test_a_wait_beyond_the_deadline_is_not_waited(make: MakeJudge, server: JudgeServer) -> None:
    server.always = "429-long"
    began = time.monotonic()
    (told,) = make("jev").answer(questions(1))
    assert time.monotonic() - began < 1
    assert fallen_back(told, "rate limit")


STAYS = {
    "400": "the request was refused (400)",
    "422": "the request was refused (422)",
    "redirect": "the request was refused (302)",
    "not-json": "unreadable answer",
    "deep": "unreadable answer",
    "huge": "an answer that is too long",
}


@pytest.mark.parametrize("id", BACKENDS)
@pytest.mark.parametrize("fault", STAYS)
def test_an_answer_that_is_none_is_no_judgement(
    id: str, fault: str, make: MakeJudge, server: JudgeServer
) -> None:
    server.always = fault
    judge = make(id)
    (told,) = judge.answer(questions(1))
    assert fallen_back(told, STAYS[fault]), told
    assert judge.spent.asked == 1
    assert judge.spent.judged == 0


OF_ONE_PAIR = {
    "jev": {
        "outside": "a number outside 0..1",
        "nan": "unreadable answer",  # NaN is no JSON
        "boolean": "unreadable answer",
        "nonsense": "unreadable answer",
        "unknown-type": "unknown type of answer",
        "refusal": "unknown type of answer",
        "missing": "no answer for this pair",
    },
    "openai_decisions": {
        "outside": "a number outside 0..1",
        "boolean": "unreadable answer",
        "nonsense": "unreadable answer",
        "unknown-type": "unknown type of answer",
        "refusal": "refusal",
        "missing": "no answer for this pair",
    },
    "openai_chat": {
        "outside": "a number outside 0..1",
        "nonsense": "unreadable answer",
        "unknown-type": "no probability",
        "empty-logprobs": "no probability",
        "refusal": "refusal",
    },
}


@pytest.mark.parametrize(
    ("id", "fault"), [(who, fault) for who, all_ in OF_ONE_PAIR.items() for fault in all_]
)
def test_a_fault_of_one_pair_leaves_the_others(
    id: str, fault: str, make: MakeJudge, server: JudgeServer
) -> None:
    server.faults = [fault]
    first, second = make(id, concurrency=1).answer(questions(2))
    assert fallen_back(first, OF_ONE_PAIR[id][fault]), first
    if fault != "nan":
        assert second.probability == pytest.approx(0.9)


@pytest.mark.parametrize("id", ["jev", "openai_decisions"])
def test_answers_in_another_order_are_told_apart_by_their_names(
    id: str, make: MakeJudge, server: JudgeServer
) -> None:
    server.always = "wrong-order"
    pairs = [question({"n": 1}, {"n": "1"}), question({"n": 1}, {"n": "2"}, number=1)]
    assert [each.probability for each in make(id).answer(pairs)] == [0.9, 0.2]


def test_an_answer_after_the_deadline_is_none(make: MakeJudge, server: JudgeServer) -> None:
    server.always = "slow"
    began = time.monotonic()
    (told,) = make("jev", deadline=0.4).answer(questions(1))
    assert time.monotonic() - began < 1.2
    assert fallen_back(told, "timeout")


def test_a_server_that_is_not_there_is_an_outage(make: MakeJudge, server: JudgeServer) -> None:
    judge = make("jev", deadline=0.5)
    server.__exit__(None, None, None)
    (told,) = judge.answer(questions(1))
    assert fallen_back(told, "outage (ConnectError)")
    server.__enter__()


def test_a_server_that_fails_five_times_in_a_row_is_left_alone(make: MakeJudge, server: JudgeServer) -> None:
    server.always = "500"
    judge = make("openai_chat", concurrency=1)
    told = judge.answer(questions(20))
    assert len(server.seen) == 5
    assert all(each.not_judged is not None for each in told)
    assert fallen_back(told[-1], "outage (the server was left alone")
    judge._sender._breaker._clock = lambda: time.monotonic() + 31  # half a minute later
    server.always = None
    assert judge.answer(questions(1))[0].probability == pytest.approx(0.9)


@pytest.mark.parametrize("id", BACKENDS)
@pytest.mark.parametrize("fault", ["401", "404"])
def test_what_every_request_would_meet_is_an_error(
    id: str, fault: str, make: MakeJudge, server: JudgeServer
) -> None:
    server.always = fault
    judge = make(id, concurrency=1)
    with pytest.raises(JudgeError, match=fault) as caught:
        judge.answer(questions(300))
    assert caught.value.exit_code == 4
    sent = len(server.seen)
    with pytest.raises(JudgeError, match=fault):
        judge.answer(questions(1))
    assert len(server.seen) == sent == 1


def test_parameters_that_a_server_refuses_are_written_as_it_wants_them(
    make: MakeJudge, server: JudgeServer
) -> None:
    server.faults = ["new-limit", "top-5", "top-5"]
    (told,) = make("openai_chat", concurrency=1).answer(questions(1))
    assert told.probability == pytest.approx(0.9)
    _, _, last = server.seen[-1]
    assert last["top_logprobs"] == 5
    assert last["max_completion_tokens"] == 1
    assert "max_tokens" not in last


def test_completions_alone_are_asked_where_the_address_says_so(make: MakeJudge, server: JudgeServer) -> None:
    from rightcall.judges.openai_chat import backend

    judge = make("openai_chat")
    judge._sender._backend = judge._backend = backend(f"{server.url}/v1/completions", "jev-1.13.0")
    assert judge.answer(questions(1))[0].probability == pytest.approx(0.9)
    assert server.seen[0][0] == "/v1/completions"
    assert "authorization" not in server.seen[0][1]


def test_an_address_with_a_path_is_used_as_it_is(server: JudgeServer, make: MakeJudge) -> None:
    from rightcall.judges.jev import WIRE, backend

    judge = make("jev")
    judge._sender._backend = judge._backend = backend(
        f"{server.url}/api/alpha/decisions", "typesafe/jev-1.13", "k"
    )
    assert judge.answer(questions(1))[0].probability == pytest.approx(0.9)
    assert server.seen[0][0] == "/api/alpha/decisions"
    assert WIRE.key_env("https://openrouter.ai/api/alpha/decisions") == "OPENROUTER_API_KEY"
    assert WIRE.key_env("https://openrouter.ai.example/x") == "TYPESAFE_API_KEY"


def test_chat_is_asked_in_both_orders(make: MakeJudge, server: JudgeServer) -> None:
    server.decide = lambda expected, _: 0.9 if "first" in json.dumps(expected) else 0.5
    (told,) = make("openai_chat").answer([question({"x": "first"}, {"x": "second"})])
    assert told.probability == pytest.approx(0.7)


def test_a_budget_in_tokens_stops_before_it_is_passed(make: MakeJudge, server: JudgeServer) -> None:
    judge = make("openai_chat", budget_tokens=2_000, concurrency=1)
    with pytest.raises(JudgeError, match="tokens are spent") as caught:
        judge.answer(questions(200))
    assert caught.value.exit_code == 4
    assert 0 < judge.spent.tokens <= 2_000
    sent = len(server.seen)
    # What was answered is kept: it can be had again for nothing.
    assert judge.answer(questions(sent // 2))[0].probability == pytest.approx(0.9)
    assert len(server.seen) == sent


def test_a_budget_in_money_counts_what_the_price_says(make: MakeJudge) -> None:
    judge = make("jev", budget_usd=0.01, price=(2.0, 10.0))
    (told,) = judge.answer(questions(1))
    assert told.cost_usd == pytest.approx((40 * 2 + 1 * 10) / 1e6)
    assert judge.spent.cost_usd == told.cost_usd
    with pytest.raises(JudgeError, match="is spent"):
        make("jev", budget_usd=0.0001, price=(2.0, 10.0)).answer(questions(100))


def test_a_calibration_blends_both_stages_and_a_prior_shifts(make: MakeJudge) -> None:
    line = Calibration(
        backend="jev",
        model="jev-1.13.0",
        prompt="1",
        method="platt",
        w0=0.1,
        w_local=0.5,
        w_remote=0.7,
        base=0.5,
    )
    (told,) = make("jev", calibration=line).answer([question({"n": 1, "local": 0.8}, {"n": "1"})])
    remote = 0.9 if told.not_judged is None else 0.0
    import math

    value = 0.1 + 0.5 * math.log(0.8 / 0.2) + 0.7 * math.log(0.2 / 0.8)  # the local figure has a digit
    assert told.probability == pytest.approx(sigmoid(value)), remote
    (shifted,) = make("jev", prior=0.2).answer(questions(1))
    assert shifted.probability == pytest.approx(sigmoid(math.log(9) + math.log(0.25)))


def test_a_calibration_for_another_version_is_refused(make: MakeJudge, server: JudgeServer) -> None:
    line = Calibration(backend="jev", model="jev-1.12.0", prompt="1", method="platt")
    with pytest.raises(JudgeError, match=r"for jev:jev-1\.12\.0, and jev-1\.13\.0 answered"):
        make("jev", calibration=line).answer(questions(1))


def test_it_works_inside_a_running_event_loop(make: MakeJudge) -> None:
    import asyncio

    async def inside() -> Any:
        return make("jev").answer(questions(3))

    # In a thread: a browser of other tests keeps a loop of its own in the main one.
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(lambda: asyncio.run(inside())).result()
    assert [each.probability for each in found] == [0.9, 0.9, 0.9]


def test_requests_that_are_underway_together_learn_a_parameter_together(
    make: MakeJudge, server: JudgeServer
) -> None:
    server.always = "top-5"
    server.delay = 0.05
    judge = make("openai_chat", concurrency=8)
    assert [each.not_judged for each in judge.answer(questions(8))] == [None] * 8
    assert sum(body["top_logprobs"] == 20 for _, _, body in server.seen) == 8


def test_a_name_that_moves_is_looked_at_before_kept_answers_count(
    make: MakeJudge, server: JudgeServer, tmp_path: Path
) -> None:
    file = str(tmp_path / "answers.sqlite")

    def session(**more: Any) -> list[Answer]:
        judge = make("jev", cache=file, **more)
        judge._sender._backend = judge._backend = replace(judge._backend, model="jev-latest")
        told = judge.answer(questions(30))
        judge.close()
        return told

    def sizes() -> list[int]:
        found = [len(body["state"]["pairs"]) for _, _, body in server.seen]
        server.seen.clear()
        return found

    assert {each.by for each in session()} == {"jev:jev-1.13.0"}
    assert sizes() == [30]
    session()
    assert sizes() == [1]
    server.model = "jev-1.14.0"
    assert {each.by for each in session()} == {"jev:jev-1.14.0"}
    assert sizes() == [1, 29]
    server.always = "500"
    assert {each.by for each in session(replay=True)} == {"jev:jev-1.14.0"}
    assert sizes() == []

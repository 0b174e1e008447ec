"""The vendors' own clients against the loopback server: it speaks the wires that they speak, in faults too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import openai
import pytest
import typesafe_sdk

from rightcall.core.backend import Asked
from rightcall.judges import jev, openai_chat, openai_decisions
from rightcall.judging.prompts import PROMPT
from tests.judges.conftest import KEY
from tests.judges.server import JudgeServer

PAIRS = [
    Asked(expected={"name": "f", "arguments": {"n": 1}}, actual={"name": "f", "arguments": {"n": "1"}}),
    Asked(expected={"name": "f", "arguments": {"n": 1}}, actual={"name": "f", "arguments": {"n": "2"}}),
]


def body_of(backend: Any, pairs: list[Asked]) -> dict[str, Any]:
    decoded: dict[str, Any] = json.loads(backend.write(pairs, PROMPT))
    return decoded


@pytest.fixture
def typesafe(server: JudgeServer) -> Iterator[typesafe_sdk.TypeSafeClient]:
    retry = typesafe_sdk.RetryPolicy(max_retries=1, backoff_initial=0.01, timeout=5.0)
    with typesafe_sdk.TypeSafeClient(
        api_key=KEY, base_url=server.url, model="jev-1.13.0", retry=retry, timeout=0.8
    ) as client:
        yield client


@pytest.fixture
def vendor(server: JudgeServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(api_key=KEY, base_url=f"{server.url}/v1", max_retries=1, timeout=0.8) as client:
        yield client


def ask_typesafe(client: typesafe_sdk.TypeSafeClient) -> Any:
    body = body_of(jev.backend("http://x", "jev-1.13.0"), PAIRS)
    return client.system_one(state=body["state"], questions=body["questions"])


def ask_decisions(client: openai.OpenAI) -> Any:
    body = body_of(openai_decisions.backend("http://x/v1", "gpt-6-luna"), PAIRS)
    return client.decisions.create(**body)


def ask_chat(client: openai.OpenAI) -> Any:
    return client.chat.completions.create(**body_of(openai_chat.backend("http://x/v1", "any"), PAIRS[:1]))


def test_typesafes_client_sends_what_ours_sends_and_reads_what_ours_reads(
    typesafe: typesafe_sdk.TypeSafeClient, server: JudgeServer
) -> None:
    told = ask_typesafe(typesafe)
    assert [told.nouls[f"pair_{index}"].noul for index in range(2)] == [0.9, 0.2]
    assert told.model == "jev-1.13.0"
    assert told.usage.input_tokens == 80
    path, headers, body = server.seen[0]
    ours = jev.backend(server.url, "jev-1.13.0", KEY)
    assert ours.url == server.url + path
    assert headers["authorization"] == ours.headers()["authorization"]
    assert body == body_of(ours, PAIRS)


def test_openais_client_sends_what_ours_sends_and_reads_what_ours_reads(
    vendor: openai.OpenAI, server: JudgeServer
) -> None:
    told = ask_decisions(vendor)
    assert [each.probability for each in told.answers] == [0.9, 0.2]
    path, headers, body = server.seen[0]
    ours = openai_decisions.backend(f"{server.url}/v1", "gpt-6-luna", KEY)
    assert ours.url == server.url + path
    assert headers["authorization"] == ours.headers()["authorization"]
    assert body == body_of(ours, PAIRS)


def test_openais_client_asks_chat_as_ours_does(vendor: openai.OpenAI, server: JudgeServer) -> None:
    told = ask_chat(vendor)
    tops = told.choices[0].logprobs.content[0].top_logprobs
    assert {each.token for each in tops} == {"Yes", " yes", "No", "maybe"}
    path, _, body = server.seen[0]
    ours = openai_chat.backend(f"{server.url}/v1", "any", KEY)
    assert ours.url == server.url + path
    assert body == body_of(ours, PAIRS[:1])
    text = vendor.completions.create(
        **body_of(openai_chat.backend(f"{server.url}/v1/completions", "any"), PAIRS[:1])
    )
    assert text.choices[0].logprobs is not None


ASK: dict[str, Any] = {"typesafe": ask_typesafe, "decisions": ask_decisions, "chat": ask_chat}


@pytest.mark.parametrize("who", ASK)
@pytest.mark.parametrize("fault", ["429", "429-ms", "500", "503", "closed", "slow"])
def test_their_clients_ask_again_as_ours_does(
    who: str, fault: str, typesafe: Any, vendor: Any, server: JudgeServer
) -> None:
    server.faults = [fault]
    assert ASK[who](typesafe if who == "typesafe" else vendor) is not None
    assert len(server.seen) == 2


@pytest.mark.parametrize("who", ASK)
@pytest.mark.parametrize("fault", ["400", "401", "404", "422", "500"])
def test_their_clients_call_an_error_what_ours_calls_one(
    who: str, fault: str, typesafe: Any, vendor: Any, server: JudgeServer
) -> None:
    server.always = fault
    wrong: Any = typesafe_sdk.TypeSafeAPIError if who == "typesafe" else openai.APIStatusError
    with pytest.raises(wrong) as caught:
        ASK[who](typesafe if who == "typesafe" else vendor)
    status = getattr(caught.value, "status", None) or getattr(caught.value, "status_code", None)
    assert status == int(fault)


def test_what_their_clients_refuse_ours_does_not_take_for_a_probability(
    typesafe: typesafe_sdk.TypeSafeClient, vendor: openai.OpenAI, server: JudgeServer
) -> None:
    for fault in ("not-json", "nonsense", "cut"):
        server.always = fault
        with pytest.raises(typesafe_sdk.TypeSafeError):
            ask_typesafe(typesafe)
    server.always = "refusal"
    assert ask_decisions(vendor).answers[0].type == "refusal"
    server.always = "empty-logprobs"
    assert ask_chat(vendor).choices[0].logprobs.content == []

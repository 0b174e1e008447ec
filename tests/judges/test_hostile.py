"""Whatever a server sends, what is read of it is probabilities in 0..1 or a reason, one for each pair."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rightcall.core.backend import Backend, Response
from rightcall.judges import jev, openai_chat, openai_decisions

BACKENDS = {
    "jev": jev.backend("http://x", "m"),
    "openai_decisions": openai_decisions.backend("http://x", "m"),
    "openai_chat": openai_chat.backend("http://x", "m"),
}

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([10**400, -(10**400), 0, 1, 0.5, 1.5, -1.0, 1e308]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["noul", "predicate", "refusal", "pair_0", "yes", "No", "\x00"]),
    st.text(max_size=5),
)
NAMES = (
    *("answers", "type", "noul", "probability", "name", "pair_0", "pair_1", "model", "usage", "cost", "id"),
    *(
        "input_tokens",
        "prompt_tokens",
        "choices",
        "message",
        "refusal",
        "logprobs",
        "content",
        "top_logprobs",
    ),
    *("token", "logprob"),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(NAMES), inner, max_size=5)
    ),
    max_leaves=20,
)


def check(backend: Backend, body: bytes) -> None:
    count = min(2, backend.most)
    reply = backend.read(Response(200, {}, body), count)
    assert len(reply.judged) == count
    for judged in reply.judged:
        assert (judged.probability is None) is bool(judged.why)
        assert judged.probability is None or 0.0 <= judged.probability <= 1.0
    assert reply.input_tokens >= 0
    assert len(reply.model) <= 100


@pytest.mark.parametrize("id", BACKENDS)
@given(value=VALUES)
def test_any_json(id: str, value: Any) -> None:
    check(BACKENDS[id], msgspec.json.encode(value))


@pytest.mark.parametrize("id", BACKENDS)
@given(body=st.binary(max_size=40))
def test_any_bytes(id: str, body: bytes) -> None:
    check(BACKENDS[id], body)


@given(inner=VALUES, number=LEAVES)
def test_nearly_right(inner: Any, number: Any) -> None:
    """Answers that have the right shape down to one place."""
    bodies: list[tuple[str, Any]] = [
        ("jev", {"answers": {"pair_0": {"type": "noul", "noul": number}, "pair_1": inner}, "usage": inner}),
        ("jev", {"answers": {}, "usage": {"cost": number, "input_tokens": number}}),
        (
            "openai_decisions",
            {"answers": [{"type": "predicate", "name": "pair_0", "probability": number}, inner]},
        ),
        ("openai_decisions", {"answers": [{"type": "predicate", "probability": number}, inner]}),
        ("openai_chat", {"choices": [{"logprobs": inner}]}),
        ("openai_chat", {"choices": [{"logprobs": {"content": inner}}]}),
        ("openai_chat", {"choices": [{"logprobs": {"content": [inner]}}]}),
        ("openai_chat", {"choices": [{"logprobs": {"content": [{"top_logprobs": inner}]}}]}),
        (
            "openai_chat",
            {
                "choices": [
                    {"logprobs": {"content": [{"top_logprobs": [{"token": "yes", "logprob": number}]}]}}
                ]
            },
        ),
        ("openai_chat", {"choices": [{"logprobs": {"top_logprobs": [{"yes": number}]}}]}),
    ]
    for name, body in bodies:
        check(BACKENDS[name], msgspec.json.encode(body))

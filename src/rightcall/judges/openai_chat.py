"""Any server with OpenAI's ``/chat/completions`` or ``/completions`` that gives log probabilities.

One token is asked for, and the mass on yes is held against the mass on no. No log probabilities: no judgement.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from ..core.backend import (
    NO_PROBABILITY,
    OUTSIDE,
    REFUSAL,
    UNREADABLE,
    Asked,
    Backend,
    Judged,
    Prompt,
    Reply,
    Response,
    Wire,
    as_json,
    as_text,
    bearer,
    judged,
    object_in,
    tokens_of,
    unreadable,
)

__all__ = ["WIRE", "backend"]

CHAT: Final = "/chat/completions"
TEXT: Final = "/completions"

LEAST_MASS: Final = 0.5
"""Of all mass, what must lie on yes and no together: below it the model says something else."""
_NOISE: Final = 1e-6
_YES: Final = frozenset({"yes", "y"})
_NO: Final = frozenset({"no", "n"})
_AROUND: Final = " \t\r\n\"'`*.,:!()[]{}\u2581\u0120\u010a"
"""What tokens have around the word: blanks, quotes, and how tokenizers write blanks and line ends."""

MOST_TOP: Final = 20
LEAST_TOP: Final = 5
"""How many likely tokens are asked for; some servers give 5 at most."""


def backend(base_url: str, model: str, key: str | None = None) -> Backend:
    """A chat server.

    Args:
        base_url: the address up to and with ``/v1``; one that ends in ``/completions`` alone (not chat) is asked
            there, for servers that give log probabilities nowhere else.
        model: as the server calls it.
        key: sent as a bearer token; None sends none.
    """
    root = base_url.rstrip("/")
    url = root if root.endswith(TEXT) else root + CHAT
    return _backend(url, model, key, MOST_TOP, "max_tokens")


def _backend(url: str, model: str, key: str | None, top: int, limit: str) -> Backend:
    chat = url.endswith(CHAT)

    def write(pairs: Sequence[Asked], prompt: Prompt) -> bytes:
        (pair,) = pairs
        words = f"{prompt.alone}\nyes: {prompt.equivalent}\nno: {prompt.different}\nAnswer with one word: yes or no."
        data = as_json(pair).decode()
        asked: dict[str, Any] = {"model": model, limit: 1, "temperature": 0}
        if chat:
            messages = [{"role": "system", "content": words}, {"role": "user", "content": data}]
            return as_json(asked | {"messages": messages, "logprobs": True, "top_logprobs": top})
        return as_json(asked | {"prompt": f"{words}\n\nData: {data}\n\nAnswer:", "logprobs": top})

    def adapt(response: Response) -> Backend | None:
        """Servers differ in the names and bounds of two parameters; what they refuse says which."""
        told = response.body[:4000].decode("utf-8", "replace")
        if limit == "max_tokens" and "max_completion_tokens" in told:
            return _backend(url, model, key, top, "max_completion_tokens")
        if top > LEAST_TOP and "logprobs" in told:
            return _backend(url, model, key, LEAST_TOP, limit)
        return None

    return Backend(
        id="openai_chat",
        model=model,
        url=url,
        headers=bearer(key),
        write=write,
        read=_read,
        adapt=adapt,
        most=1,
        both_orders=True,
    )


def _read(response: Response, count: int) -> Reply:
    body = object_in(response)
    if body is None:
        return unreadable(count)
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return unreadable(count)
    usage = body.get("usage")
    return Reply(
        model=as_text(body.get("model")),
        judged=(_judged(choices[0]),),
        input_tokens=tokens_of(usage, "prompt_tokens"),
        output_tokens=tokens_of(usage, "completion_tokens"),
        request_id=as_text(response.headers.get("x-request-id") or body.get("id")),
    )


def _judged(choice: dict[str, Any]) -> Judged:
    message = choice.get("message")
    if isinstance(message, dict) and message.get("refusal"):
        return Judged(None, REFUSAL)
    likely = _likely(choice.get("logprobs"))
    if not likely:
        return Judged(None, NO_PROBABILITY if likely is not None else UNREADABLE)
    masses = [(token.strip(_AROUND).lower(), math.exp(score)) for token, score in likely]
    if any(mass > 1 + _NOISE for _, mass in masses) or sum(mass for _, mass in masses) > 1 + 1e-3:
        return Judged(None, OUTSIDE)
    yes = sum(mass for token, mass in masses if token in _YES)
    no = sum(mass for token, mass in masses if token in _NO)
    if yes + no < LEAST_MASS:
        return Judged(None, NO_PROBABILITY)
    return judged(yes / (yes + no))


def _likely(told: Any) -> list[tuple[str, float]] | None:
    """The likely first tokens with their logarithms; empty where none are given, None where they are nonsense."""
    if not isinstance(told, dict):
        return [] if told is None else None
    if "content" in told:  # /chat/completions
        first = told["content"][0] if isinstance(told["content"], list) and told["content"] else {}
        listed = first.get("top_logprobs") if isinstance(first, dict) else None
        listed = listed if isinstance(listed, list) else []
        pairs = [(each.get("token"), each.get("logprob")) for each in listed if isinstance(each, dict)]
    else:  # /completions
        tops = told.get("top_logprobs")
        first = tops[0] if isinstance(tops, list) and tops else {}
        pairs = list(first.items()) if isinstance(first, dict) else []
    good = [
        (token, float(max(min(score, 1.0), -1e6)))
        for token, score in pairs
        if isinstance(token, str) and isinstance(score, (int, float)) and not isinstance(score, bool)
    ]
    return good if len(good) == len(pairs) and not any(math.isnan(score) for _, score in good) else None


WIRE: Final = Wire(
    id="openai_chat",
    backend=backend,
    base_url="https://api.openai.com/v1",
    base_url_env="OPENAI_BASE_URL",
    model_env="OPENAI_MODEL",
    key_env=lambda _: "OPENAI_API_KEY",
)

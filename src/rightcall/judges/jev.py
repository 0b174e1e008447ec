"""TypeSafe System One, and every server that speaks its wire (OpenRouter's decisions, gateways, your own).

``POST {base}/v1/systemone``; an address with a path is used as it is. One `noul` a pair, the pairs are the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from ..core.backend import (
    MISSING,
    UNKNOWN_TYPE,
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
    dollars,
    judged,
    object_in,
    tokens_of,
    unreadable,
)

__all__ = ["WIRE", "backend"]

PATH: Final = "/v1/systemone"


def _key_env(base_url: str) -> str:
    """The variable that holds the key for a server."""
    host = urlsplit(base_url).hostname or ""
    return (
        "OPENROUTER_API_KEY"
        if host == "openrouter.ai" or host.endswith(".openrouter.ai")
        else "TYPESAFE_API_KEY"
    )


def backend(base_url: str, model: str, key: str | None = None) -> Backend:
    """A System One server.

    Args:
        base_url: its root, or the whole address where it has a path.
        model: pin a version, such as ``jev-1.13.0``; ``jev-latest`` moves.
        key: sent as a bearer token; None sends none.
    """
    root = base_url.rstrip("/")
    url = root if urlsplit(root).path else root + PATH

    def write(pairs: Sequence[Asked], prompt: Prompt) -> bytes:
        return as_json(
            {"model": model, "state": {"pairs": list(pairs)}, "questions": _questions(pairs, prompt)}
        )

    return Backend(id="jev", model=model, url=url, headers=bearer(key), write=write, read=_read)


def _questions(pairs: Sequence[Asked], prompt: Prompt) -> dict[str, Any]:
    return {
        _id(index): {
            "type": "noul",
            "instructions": prompt.question.format(index=index),
            "criteria": {"true": prompt.equivalent, "false": prompt.different},
        }
        for index in range(len(pairs))
    }


def _id(index: int) -> str:
    return f"pair_{index}"


def _read(response: Response, count: int) -> Reply:
    body = object_in(response)
    if body is None:
        return unreadable(count)
    answers = body.get("answers")
    if not isinstance(answers, dict):
        return unreadable(count)
    usage = body.get("usage")
    cost = usage.get("cost") if isinstance(usage, dict) else None
    return Reply(
        model=as_text(body.get("model")),
        judged=tuple(_judged(answers.get(_id(index))) for index in range(count)),
        input_tokens=tokens_of(usage, "input_tokens", "prompt_tokens"),
        output_tokens=tokens_of(usage, "output_tokens", "completion_tokens"),
        cost_usd=dollars(cost),
        request_id=as_text(response.headers.get("x-typesafe-request-id") or body.get("id")),
    )


def _judged(answer: Any) -> Judged:
    if answer is None:
        return Judged(None, MISSING)
    if not isinstance(answer, dict) or answer.get("type") != "noul":
        return Judged(None, UNKNOWN_TYPE)
    return judged(answer.get("noul"))


WIRE: Final = Wire(
    id="jev",
    backend=backend,
    base_url="https://api.typesafe.ai",
    base_url_env="TYPESAFE_BASE_URL",
    model="jev-latest",
    model_env="TYPESAFE_DEFAULT_MODEL",
    key_env=_key_env,
)

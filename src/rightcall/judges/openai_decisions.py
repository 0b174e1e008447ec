"""OpenAI's decisions: ``POST {base}/decisions``, one predicate a pair, the pairs are the input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..core.backend import (
    MISSING,
    REFUSAL,
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
    judged,
    never,
    object_in,
    tokens_of,
    unreadable,
)

__all__ = ["WIRE", "backend"]

PATH: Final = "/decisions"


def backend(base_url: str, model: str, key: str | None = None) -> Backend:
    """A server of decisions.

    Args:
        base_url: the address up to and with ``/v1``, or the whole one.
        model: ``gpt-6-luna`` is the only one so far.
        key: sent as a bearer token; None sends none.
    """
    root = base_url.rstrip("/")
    url = root if root.endswith(PATH) else root + PATH

    def write(pairs: Sequence[Asked], prompt: Prompt) -> bytes:
        return as_json(
            {
                "model": model,
                # The input is one text: JSON, so that no value can end the place where it stands.
                "input": as_json({"pairs": list(pairs)}).decode(),
                "questions": [_question(index, prompt) for index in range(len(pairs))],
            }
        )

    return Backend(id="openai_decisions", model=model, url=url, headers=bearer(key), write=write, read=_read)


def _question(index: int, prompt: Prompt) -> dict[str, str]:
    words = f"{prompt.question} True: {prompt.equivalent} False: {prompt.different}"
    return {"type": "predicate", "name": _name(index), "instructions": words.format(index=index)}


def _name(index: int) -> str:
    return f"pair_{index}"


def _read(response: Response, count: int) -> Reply:
    body = object_in(response)
    if body is None:
        return unreadable(count)
    answers = body.get("answers")
    if not isinstance(answers, list):
        return unreadable(count)
    usage = body.get("usage")
    return Reply(
        model=as_text(body.get("model")),
        judged=_in_order(answers, count),
        input_tokens=tokens_of(usage, "input_tokens"),
        output_tokens=tokens_of(usage, "output_tokens"),
        request_id=as_text(response.headers.get("x-request-id")),
    )


def _in_order(answers: list[Any], count: int) -> tuple[Judged, ...]:
    """By name where every answer has one; by place only where there is one for each question."""
    named = {
        each["name"]: each for each in answers if isinstance(each, dict) and isinstance(each.get("name"), str)
    }
    if len(named) == len(answers):
        return tuple(_judged(named.get(_name(index))) for index in range(count))
    if named or len(answers) != count:
        return never(count, MISSING)
    return tuple(map(_judged, answers))


def _judged(answer: Any) -> Judged:
    if answer is None:
        return Judged(None, MISSING)
    kind = answer.get("type") if isinstance(answer, dict) else None
    if kind == "refusal":
        return Judged(None, REFUSAL)
    return judged(answer.get("probability")) if kind == "predicate" else Judged(None, UNKNOWN_TYPE)


WIRE: Final = Wire(
    id="openai_decisions",
    backend=backend,
    base_url="https://api.openai.com/v1",
    base_url_env="OPENAI_BASE_URL",
    model="gpt-6-luna",
    key_env=lambda _: "OPENAI_API_KEY",
)

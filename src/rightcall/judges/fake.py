"""A judge that says what it is told to: for tests, yours too. Nothing leaves the process.

``fake:0.8`` says .8 to every pair, ``fake:SCRIPT.json`` reads a list of what it does, request by request.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from ..core.backend import (
    MISSING,
    Asked,
    Backend,
    Judged,
    Prompt,
    Reply,
    Response,
    Wire,
    as_json,
    judged,
    unreadable,
)
from ..errors import PathNotFoundError, UsageError

__all__ = ["WIRE", "Step", "backend", "scripted"]

Step = float | str | dict[str, Any] | list[Any]
"""What it does with one request: a probability for each of its pairs, a word why there is none, a list of those,
or ``{"status": 500, "headers": {}, "delay": 0.2, "answers": ..}``."""


def backend(base_url: str, model: str, key: str | None = None) -> Backend:
    """A fake.

    Args:
        base_url, key: not used.
        model: a probability, or the path of a JSON list of steps, see :data:`Step`; the last step is repeated.

    Raises:
        UsageError: it is neither.
        PathNotFoundError: the file does not exist.
    """
    try:
        return scripted([float(model)], model=model)
    except ValueError:
        pass
    if not model.endswith(".json"):
        raise UsageError(
            f"{model!r} is neither a probability nor a .json file", field="model", hint="fake:0.8"
        )
    try:
        steps = msgspec.json.decode(Path(model).read_bytes())
    except FileNotFoundError:
        raise PathNotFoundError(f"no such file: {model}", field="model") from None
    except (OSError, msgspec.MsgspecError, UnicodeError) as error:
        raise UsageError(f"{model} can't be read as JSON: {error}", field="model") from None
    if not isinstance(steps, list) or not steps:
        raise UsageError(f"{model} holds no list of steps", field="model")
    return scripted(steps, model=Path(model).stem)


def scripted(
    steps: Iterable[Step],
    *,
    model: str = "script",
    seen: Callable[[bytes], object] | None = None,
    most: int = 200,
) -> Backend:
    """A fake that does one step for each request and repeats the last one.

    Args:
        steps: see :data:`Step`.
        model: the name it answers by.
        seen: told the body of every request.
        most: pairs that a request may hold.
    """
    todo = list(steps)

    async def send(body: bytes) -> Response:
        if seen is not None:
            seen(body)
        step = todo.pop(0) if len(todo) > 1 else todo[0]
        told: dict[str, Any] = step if isinstance(step, dict) else {"answers": step}
        await asyncio.sleep(told.get("delay", 0))
        count = len(msgspec.json.decode(body)["pairs"])
        answers = told.get("answers", [])
        listed = answers if isinstance(answers, list) else [answers] * count
        return Response(
            told.get("status", 200), told.get("headers", {}), as_json({"model": model, "answers": listed})
        )

    return Backend(
        id="fake", model=model, url="", write=_write, read=_read, most=most, network=False, send=send
    )


def _write(pairs: Sequence[Asked], prompt: Prompt) -> bytes:
    return as_json({"question": prompt.question, "pairs": list(pairs)})


def _read(response: Response, count: int) -> Reply:
    body = msgspec.json.decode(response.body)
    answers = body["answers"]
    if not isinstance(answers, list):
        return unreadable(count)
    told = [*answers[:count], *([None] * (count - len(answers)))]
    return Reply(model=body["model"], judged=tuple(map(_judged, told)), input_tokens=10 * count)


def _judged(told: Any) -> Judged:
    if told is None:
        return Judged(None, MISSING)
    return Judged(None, told) if isinstance(told, str) else judged(told)


WIRE: Final = Wire(id="fake", backend=backend, model="0.5")

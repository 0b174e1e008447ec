"""A judge server on the loopback address: it speaks the wires of `judges`, and misbehaves when it is told to."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable, Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

Decide = Callable[[dict[str, Any], dict[str, Any]], float]

FAULTS = (
    *(
        "429",
        "429-ms",
        "429-date",
        "500",
        "503",
        "slow",
        "cut",
        "closed",
        "401",
        "404",
        "400",
        "422",
        "redirect",
    ),
    *(
        "refusal",
        "nonsense",
        "not-json",
        "outside",
        "nan",
        "empty-logprobs",
        "wrong-order",
        "missing",
        "huge",
    ),
    *("unknown-type", "boolean", "echo", "deep", "top-5", "new-limit"),
)

SLOW = 1.5


def same_digits(expected: dict[str, Any], actual: dict[str, Any]) -> float:
    """A judge that knows nothing but digits."""
    left, right = (
        "".join(filter(str.isdigit, json.dumps(each["arguments"], sort_keys=True)))
        for each in (expected, actual)
    )
    return 0.9 if left == right else 0.2


class JudgeServer:
    """Answers by `decide`; faults are met one a request, in order, and `always` by every request.

    Attributes:
        seen: path, headers and decoded body of every request.
        most: requests that were in work at one time.
    """

    def __init__(
        self,
        decide: Decide | None = None,
        *,
        faults: Iterable[str] = (),
        always: str | None = None,
        model: str = "jev-1.13.0",
    ) -> None:
        self.decide = decide or same_digits
        self.faults = list(faults)
        self.always = always
        self.model = model
        self.delay = 0.0
        self.seen: list[tuple[str, dict[str, str], Any]] = []
        self.times: list[float] = []
        self.most = 0
        self._now = 0
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        handler = type("Bound", (_Handler,), {"owner": self})
        self._server = _Quiet(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def enter(self, path: str, headers: dict[str, str], body: Any) -> str | None:
        with self._lock:
            self.seen.append((path, headers, body))
            self.times.append(time.monotonic())
            self._now += 1
            self.most = max(self.most, self._now)
            return self.faults.pop(0) if self.faults else self.always

    def leave(self) -> None:
        with self._lock:
            self._now -= 1


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    owner: JudgeServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Tests read their own output."""

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["content-length"]))
        if self.headers.get("content-encoding") == "zstd":
            import zstandard

            raw = zstandard.ZstdDecompressor().decompressobj().decompress(raw)
        body = json.loads(raw)
        fault = self.owner.enter(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
        try:
            time.sleep(self.owner.delay)
            self._answer(body, fault)
        finally:
            self.owner.leave()

    def _answer(self, body: Any, fault: str | None) -> None:
        if fault == "top-5" and max(body.get("top_logprobs", 0), body.get("logprobs") or 0) <= 5:
            fault = None
        if fault == "new-limit" and "max_completion_tokens" in body:
            fault = None
        failed = _REFUSED.get(fault or "")
        if failed is not None:
            status, headers, told = failed
            return self._send(status, json.dumps(told | {"input": body}).encode(), headers)
        if fault == "429-date":
            when = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 1))
            return self._send(429, b"{}", {"retry-after": when})
        if fault == "slow":
            time.sleep(SLOW)
        if fault == "closed":
            self.close_connection = True
            self.connection.close()
            return None
        answer = json.dumps(_answers(self.path, body, self.owner, fault)).encode()
        if fault == "not-json":
            answer = b"<html>" + answer
        if fault == "deep":
            answer = b"[" * 100_000
        if fault == "huge":
            answer = b'{"model": "' + b"x" * (9 << 20) + b'"}'
        if fault == "cut":
            self.send_response(200)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer[: len(answer) // 2])
            self.close_connection = True
            return None
        return self._send(200, answer, {"content-type": "application/json", "x-request-id": "req-7"})

    def _send(self, status: int, answer: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


_REFUSED: dict[str, tuple[int, dict[str, str], dict[str, Any]]] = {
    "429": (429, {"retry-after": "1"}, {"detail": {"error": "too many requests"}}),
    "429-ms": (429, {"retry-after-ms": "120"}, {}),
    "429-long": (429, {"retry-after": "3600"}, {}),
    "500": (500, {}, {"error": {"message": "it broke"}}),
    "503": (503, {}, {}),
    "401": (401, {}, {"detail": {"error": "no such key"}}),
    "404": (404, {}, {"detail": {"error": "no such model"}}),
    "400": (400, {}, {"detail": {"error": "a bad request"}}),
    "422": (422, {}, {"detail": [{"loc": ["body", "state"], "msg": "Field required", "type": "missing"}]}),
    "redirect": (302, {"location": "http://127.0.0.1:9/elsewhere"}, {}),
    "top-5": (400, {}, {"error": {"message": "top_logprobs may be 5 at most"}}),
    "new-limit": (400, {}, {"error": {"message": "use max_completion_tokens"}}),
}


def _answers(path: str, body: Any, owner: JudgeServer, fault: str | None) -> Any:
    if path.endswith("/chat/completions"):
        return _chat(body, owner, fault)
    if path.endswith("/completions"):
        return _text(body, owner, fault)
    listed = "input" in body
    pairs = (json.loads(body["input"]) if listed else body["state"])["pairs"]
    values = [owner.decide(each["expected"], each["actual"]) for each in pairs]
    return (_decisions if listed else _system_one)(body, values, owner, fault)


def _bad_number(fault: str | None) -> Any:
    return {"outside": 1.7, "nan": float("nan"), "boolean": True, "nonsense": "surely"}.get(fault or "")


def _system_one(body: Any, values: list[float], owner: JudgeServer, fault: str | None) -> Any:
    answers: dict[str, Any] = {
        name: {"type": "noul", "noul": value} for name, value in zip(body["questions"], values, strict=True)
    }
    first = next(iter(answers))
    bad = _bad_number(fault)
    if bad is not None:
        answers[first]["noul"] = bad
    if fault == "unknown-type":
        answers[first] = {"type": "riddle", "riddle": 0.5}
    if fault == "refusal":
        answers[first] = {"type": "refusal"}
    if fault == "missing":
        del answers[first]
    if fault == "wrong-order":
        answers = dict(reversed(answers.items()))
    usage = {"input_tokens": 40 * len(values), "output_tokens": len(values)}
    model = json.dumps(body) if fault == "echo" else owner.model
    return {"model": model, "answers": answers, "usage": usage}


def _decisions(body: Any, values: list[float], owner: JudgeServer, fault: str | None) -> Any:
    answers: list[dict[str, Any]] = [
        {"type": "predicate", "name": asked["name"], "probability": value}
        for asked, value in zip(body["questions"], values, strict=True)
    ]
    bad = _bad_number(fault)
    if bad is not None:
        answers[0]["probability"] = bad
    if fault == "refusal":
        answers[0] = {"type": "refusal", "name": answers[0]["name"]}
    if fault == "unknown-type":
        answers[0] = {"type": "riddle", "name": answers[0]["name"]}
    if fault == "missing":
        del answers[0]
    if fault == "wrong-order":
        answers.reverse()
    usage = {
        "input_tokens": 40 * len(values),
        "output_tokens": len(values),
        "total_tokens": 41 * len(values),
        "input_tokens_details": {"cache_write_tokens": 0, "cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    return {"model": owner.model, "answers": answers, "usage": usage}


def _tops(value: float, fault: str | None) -> list[dict[str, Any]]:
    if fault in ("empty-logprobs", "missing"):
        return []
    if fault == "outside":
        return [{"token": "Yes", "logprob": 0.7, "bytes": None}]
    if fault == "nan":
        return [{"token": "Yes", "logprob": float("nan"), "bytes": None}]
    if fault in ("unknown-type", "wrong-order"):  # a model that says something else
        return [{"token": "Perhaps", "logprob": math.log(0.8), "bytes": None}]
    shares = {"Yes": value * 0.7, " yes": value * 0.2, "No": (1 - value) * 0.9, "maybe": 0.1}
    return [
        {"token": token, "logprob": math.log(share) if share else -100.0, "bytes": None}
        for token, share in shares.items()
    ]


def _chat(body: Any, owner: JudgeServer, fault: str | None) -> Any:
    pair = json.loads(body["messages"][-1]["content"])
    tops = _tops(owner.decide(pair["expected"], pair["actual"]), fault)
    message: dict[str, Any] = {"role": "assistant", "content": "Yes", "refusal": None}
    if fault == "refusal":
        message |= {"content": None, "refusal": "I would rather not"}
    content = [{"token": "Yes", "logprob": -0.1, "bytes": None, "top_logprobs": tops}] if tops else []
    logprobs: Any = {"content": content, "refusal": None}
    if fault in ("nonsense", "boolean"):
        logprobs = {
            "content": [
                {
                    "token": "Yes",
                    "logprob": 0,
                    "bytes": None,
                    "top_logprobs": [{"token": "Yes", "logprob": "x"}],
                }
            ]
        }
    return {
        "id": "chat-7",
        "object": "chat.completion",
        "created": 0,
        "model": owner.model,
        "choices": [{"index": 0, "finish_reason": "length", "message": message, "logprobs": logprobs}],
        "usage": {"prompt_tokens": 40, "completion_tokens": 1, "total_tokens": 41},
    }


def _text(body: Any, owner: JudgeServer, fault: str | None) -> Any:
    pair = json.loads(body["prompt"].split("Data: ", 1)[1].rsplit("\n\nAnswer:", 1)[0])
    tops = {
        each["token"]: each["logprob"]
        for each in _tops(owner.decide(pair["expected"], pair["actual"]), fault)
    }
    logprobs = {
        "tokens": ["Yes"],
        "token_logprobs": [-0.1],
        "top_logprobs": [tops] if tops else [],
        "text_offset": [0],
    }
    return {
        "id": "text-7",
        "object": "text_completion",
        "created": 0,
        "model": owner.model,
        "choices": [{"index": 0, "finish_reason": "length", "text": "Yes", "logprobs": logprobs}],
        "usage": {"prompt_tokens": 40, "completion_tokens": 1, "total_tokens": 41},
    }


if __name__ == "__main__":  # to try things by hand, and for the documents' commands
    with JudgeServer() as server:
        print(server.url, flush=True)  # noqa: T201
        threading.Event().wait()

"""What tests of remote judges share: a loopback server, a judge behind a stand-in, no keys from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rightcall.judging.breaker import Breaker
from rightcall.judging.cache import Cache
from rightcall.judging.prompts import PROMPT
from rightcall.judging.remote import RemoteJudge
from rightcall.judging.sending import Sender
from rightcall.judging.settings import Judging
from rightcall.run.judging.judges import JUDGES, forget
from tests.app.conftest import call
from tests.judges.server import JudgeServer
from tests.judges.standin import StandIn

__all__ = ["call"]  # a fixture of the command line

KEY = "sk-planted-key-8d1f"
PATHS = {"jev": "", "openai_decisions": "/v1", "openai_chat": "/v1"}


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("TYPESAFE_API_KEY", "TYPESAFE_BASE_URL", "TYPESAFE_DEFAULT_MODEL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name in ("OPENAI_BASE_URL", "OPENAI_MODEL", "OPENROUTER_API_KEY", "RIGHTCALL_JUDGE_KEY"):
        monkeypatch.delenv(name, raising=False)
    yield
    forget()


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with JudgeServer() as running:
        yield running


MakeJudge = Callable[..., RemoteJudge]


@pytest.fixture
def make(server: JudgeServer) -> MakeJudge:
    """A judge of a backend, asked at the loopback server; retries come quickly."""

    def made(id: str, *, wait: float = 0.01, calibration: Any = None, **settings: Any) -> RemoteJudge:
        wire: Any = JUDGES.get(id).wire
        backend = wire.backend(server.url + PATHS[id], "jev-1.13.0", KEY)
        chosen = Judging(**{"deadline": 5.0} | settings)
        cache = Cache(chosen.cache, replay=chosen.replay)
        judge = RemoteJudge(backend, StandIn(), chosen, cache=cache, calibration=calibration)
        judge._sender = Sender(
            backend,
            PROMPT,
            judge._budget,
            Breaker(),
            concurrency=chosen.concurrency,
            rate=chosen.rate,
            deadline=chosen.deadline,
            wait=wait,
        )
        return judge

    return made

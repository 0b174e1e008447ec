"""The small parts around a remote judge, one by one."""

from __future__ import annotations

import json
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from rightcall.core.backend import Asked, Judged
from rightcall.errors import JudgeError, PathNotFoundError, SourceError
from rightcall.judging.breaker import Breaker
from rightcall.judging.budget import Budget
from rightcall.judging.cache import Cache, Kept, key_of
from rightcall.judging.outgoing import LONGEST_TEXT, outgoing
from tests.judges.standin import question

PAIR = Asked(expected={"name": "f", "arguments": {"a": 1}}, actual={"name": "f", "arguments": {"a": 2}})


def kept(probability: float | None, **fields: Any) -> Kept:
    return Kept(
        judged=Judged(probability, None if probability is not None else "refusal"), model="m", **fields
    )


def test_a_key_tells_apart_who_which_version_which_words_and_what() -> None:
    keys = {
        key_of("jev", "m", "1", PAIR),
        key_of("jev", "n", "1", PAIR),
        key_of("jev", "m", "2", PAIR),
        key_of("fake", "m", "1", PAIR),
        key_of("jev", "m", "1", PAIR.turned()),
    }
    assert len(keys) == 5
    assert all(len(key) == 64 for key in keys)


def test_kept_answers_are_there_the_next_time(tmp_path: Path) -> None:
    file = str(tmp_path / "deep" / "answers.sqlite")
    cache = Cache(file)
    cache.keep([("k", kept(0.25, tokens=7, cost_usd=0.5, request_id="r")), ("n", kept(None, passing=True))])
    cache.resolve("jev:latest", "jev-1.13.0")
    cache.close()
    assert list(tmp_path.rglob("*.sqlite*")) == [tmp_path / "deep" / "answers.sqlite"]
    again = Cache(file)
    assert again.find(["k", "n", "x"]) == {"k": kept(0.25, tokens=7, cost_usd=0.5, request_id="r")}
    assert again.resolved("jev:latest") == "jev-1.13.0"
    again.close()
    replay = Cache(file, replay=True)
    assert set(replay.find(["k", "n"])) == {"k", "n"}
    replay.keep([("new", kept(0.5))])
    assert replay.find(["new"]) == {}
    replay.close()


def test_many_keys_are_found(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path / "a.sqlite"))
    cache.keep([(str(number), kept(number / 5000)) for number in range(5000)])
    found = cache.find([str(number) for number in range(5000)])
    assert found["4999"].judged.probability == 4999 / 5000
    cache.close()


def test_several_threads_may_keep_answers(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path / "a.sqlite"))
    threads = [
        threading.Thread(
            target=lambda part=part: cache.keep([(f"{part}-{n}", kept(0.5)) for n in range(100)])
        )
        for part in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(cache.find([f"{part}-{n}" for part in range(8) for n in range(100)])) == 800
    cache.close()


def test_what_is_no_file_of_answers_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"
    with pytest.raises(PathNotFoundError):
        Cache(str(file), replay=True)
    file.write_text("these are no answers, but long enough to be looked at" * 50)
    for replay in (True, False):
        with pytest.raises(SourceError, match="can't be used for answers"):
            Cache(str(file), replay=replay)
    file.unlink()
    sqlite3.connect(file).close()
    with pytest.raises(SourceError):
        Cache(str(file), replay=True)
    with pytest.raises(SourceError):
        Cache(str(tmp_path))


def test_a_folder_that_can_only_be_read_can_be_replayed(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"
    cache = Cache(str(file))
    cache.keep([("k", kept(0.25))])
    cache.close()
    tmp_path.chmod(0o500)
    try:
        replay = Cache(str(file), replay=True)
        assert replay.find(["k"])["k"].judged.probability == 0.25
        replay.close()
    finally:
        tmp_path.chmod(0o700)


def test_reading_leaves_nothing_beside_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"
    cache = Cache(str(file))
    cache.keep([("k", kept(0.25))])
    cache.close()
    for mode in ("DELETE", "WAL"):  # WAL: as versions before this left it
        data = sqlite3.connect(file)
        data.execute(f"PRAGMA journal_mode={mode}")
        data.close()
        before = file.read_bytes()
        replay = Cache(str(file), replay=True)
        assert replay.find(["k"])["k"].judged.probability == 0.25
        replay.close()
        assert [each.name for each in tmp_path.iterdir()] == ["a.sqlite"]
        assert file.read_bytes() == before


def test_what_another_process_is_writing_is_read(tmp_path: Path) -> None:
    file = str(tmp_path / "a.sqlite")
    writer = Cache(file)
    writer.keep([("k", kept(0.25))])  # still in the log beside the file
    replay = Cache(file, replay=True)
    assert set(replay.find(["k"])) == {"k"}
    other = Cache(file)
    other.close()  # can't tidy up while others have it open, and waits for nobody
    writer.keep([("n", kept(0.5))])
    assert set(replay.find(["k", "n"])) == {"k", "n"}
    replay.close()
    writer.close()
    assert [each.name for each in tmp_path.iterdir()] == ["a.sqlite"]


def test_the_breaker_opens_closes_and_tries_once_after_its_pause() -> None:
    now = [0.0]
    breaker = Breaker(limit=3, pause=10, clock=lambda: now[0])
    breaker.failed()
    breaker.failed()
    breaker.succeeded()
    breaker.failed()
    breaker.failed()
    assert breaker.lets()
    breaker.failed()
    assert (breaker.lets(), breaker.is_open) == (False, True)
    now[0] = 10.0
    assert [breaker.lets() for _ in range(3)] == [True, False, False]
    breaker.failed()
    assert not breaker.lets()
    now[0] = 20.0
    assert breaker.lets()
    breaker.succeeded()
    assert [breaker.lets() for _ in range(3)] == [True, True, True]


def test_a_budget_counts_what_is_underway() -> None:
    budget = Budget(tokens=1000)
    first = budget.reserve(1200, 1)
    budget.reserve(1200, 1)
    with pytest.raises(JudgeError, match="0 of 1,000 tokens are spent"):
        budget.reserve(1200, 1)
    budget.settle(first, 40, 2, None)
    assert budget.tokens == 42
    budget.reserve(1200, 1)


def test_what_a_server_says_it_cost_counts_before_a_price() -> None:
    budget = Budget(usd=1.0, price=(1.0, 1.0))
    assert budget.settle(budget.reserve(30, 1), 10, 10, 0.9) == 0.9
    assert budget.usd == 0.9
    assert budget.settle(budget.reserve(30, 1), 10, 10, 0.2) == 0.2
    with pytest.raises(JudgeError, match="is spent"):
        budget.reserve(30, 1)


def test_long_values_are_cut_with_a_hash_so_that_they_stay_different() -> None:
    start = "x" * LONGEST_TEXT
    found = outgoing(
        question({"deep": [{"text": start + "a"}]}, {"deep": [{"text": start + "b"}]}), None
    ).asked
    left, right = found.expected["arguments"]["deep"][0]["text"], found.actual["arguments"]["deep"][0]["text"]
    assert left != right
    assert left.startswith(start + "…")
    assert f"[{LONGEST_TEXT + 1} characters in all, sha256 " in left


def test_very_many_values_are_cut_too() -> None:
    found = outgoing(
        question({"ids": list(range(30_000)), "n": 1}, {"ids": list(range(30_001)), "n": 1}), None
    ).asked
    assert len(json.dumps(found.expected)) < 25_000
    assert found.expected["arguments"]["n"] == 1
    assert found.expected["arguments"]["ids"] != found.actual["arguments"]["ids"]


def test_of_a_schema_what_the_calls_hold_travels() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "number"}}}
    assert outgoing(question({"a": "x"}, {"a": "y"}, tool_schema=schema), None).asked.tool_schema == {
        "properties": {"a": {"type": "string"}}
    }
    huge = {"properties": {"a": {"description": "x" * 10_000}}}
    assert outgoing(question({"a": "x"}, {"a": "y"}, tool_schema=huge), None).asked.tool_schema is None


def test_the_hook_sees_every_leaf_of_both_calls_and_of_the_schema() -> None:
    seen: list[str] = []

    def hook(path: str, value: Any) -> Any:
        seen.append(f"{path}={value}")
        return value

    schema = {"properties": {"a": {"default": "secret"}}}
    outgoing(question({"a": {"b": ["x", 2]}}, {"a": {"b": [None, True]}}, tool_schema=schema), hook)
    assert seen == [
        *("/a/b/0=x", "/a/b/1=2", "/a/b/0=None", "/a/b/1=True"),
        "/tool_schema/properties/a/default=secret",
    ]


def test_values_that_look_equal_on_the_way_are_held_back() -> None:
    found = outgoing(question({"x": float("nan"), "y": 1}, {"x": None, "y": 2}), None)
    assert found.held_back == "redaction left nothing to compare"
    assert outgoing(question({"x": "\ud800"}, {"x": "b"}), None).held_back == "arguments that JSON can't hold"
    assert outgoing(question({"x": 2**80}, {"x": "2^80"}), None).asked.expected["arguments"] == {"x": 2**80}

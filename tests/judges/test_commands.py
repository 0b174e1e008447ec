"""judge check, judge calibrate, judge label."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from rightcall.judging.calibration import logit, sigmoid
from rightcall.run.judging.judges import JUDGES, Member, forget
from tests.app.conftest import Ended
from tests.judges.server import JudgeServer
from tests.judges.standin import StandIn

Call = Callable[..., Ended]


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    JUDGES.get("local")
    monkeypatch.setitem(JUDGES._loaded, "local", Member(make_judge=lambda _: StandIn()))
    monkeypatch.setenv("RIGHTCALL_JUDGE_KEY", "sk-planted-key-77")
    yield
    forget()


def knows(expected: dict[str, Any], actual: dict[str, Any]) -> float:
    """A judge that knows the pairs of `judge check`."""
    from rightcall.run.judging.judgecheck import SAME

    values = [next(iter(each["arguments"].values())) for each in (expected, actual)]
    return 0.93 if any(values in ([a, b], [b, a]) for _, a, b in SAME) else 0.06


def model(server: JudgeServer, name: str = "jev:jev-1.13.0") -> tuple[str, ...]:
    return ("--model", name, "--base-url", server.url if name.startswith("jev") else f"{server.url}/v1")


@pytest.mark.parametrize("name", ["jev:jev-1.13.0", "openai_decisions", "openai_chat:any"])
def test_a_good_judge_is_found_good(name: str, call: Call, server: JudgeServer) -> None:
    server.decide = knows
    done = call("judge", "check", *model(server, name), "--price", "1,4", "--json")
    assert done.code == 0, done.out
    found = json.loads(done.out)
    assert (found["asked"], found["judged"], found["right"], found["obeyed"]) == (32, 32, 12, 0)
    assert found["model"] == "jev-1.13.0"
    assert found["order_bias"] == pytest.approx(0)
    assert found["usd"] > 0
    assert found["fit"] is True
    shown = call("judge", "check", *model(server, name))
    assert "obeys what is hidden in arguments   0 of 4" in shown.out
    assert "sk-planted" not in shown.out + done.out


def test_a_judge_that_order_sways_is_found_out(call: Call, server: JudgeServer) -> None:
    server.decide = lambda expected, actual: 0.9 if json.dumps(expected) < json.dumps(actual) else 0.2
    done = call("judge", "check", *model(server, "openai_chat:any"), "--json")
    assert done.code == 1
    found = json.loads(done.out)
    assert found["order_bias"] == pytest.approx(0.7, abs=0.01)
    assert found["fit"] is False


def test_a_judge_that_obeys_arguments_is_found_out(call: Call, server: JudgeServer) -> None:
    server.decide = lambda expected, actual: (
        0.95 if "yes" in json.dumps([expected, actual]) else knows(expected, actual)
    )
    done = call("judge", "check", *model(server), "--json")
    assert (done.code, json.loads(done.out)["obeyed"]) == (1, 2)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("empty-logprobs", "no probability"),
        ("500", "outage"),
        ("401", "(401)"),
        ("not-json", "unreadable answer"),
    ],
)
def test_a_judge_that_can_not_be_used_is_an_error(
    fault: str, told: str, call: Call, server: JudgeServer
) -> None:
    server.always = fault
    done = call("judge", "check", *model(server, "openai_chat:any"), "--deadline", "1")
    assert done.code == 4
    assert told in done.err


def test_a_server_that_is_not_there_can_not_be_checked(call: Call) -> None:
    done = call("judge", "check", "--model", "jev", "--base-url", "http://127.0.0.1:9", "--deadline", "0.5")
    assert (done.code, "outage (ConnectError)" in done.err) == (4, True)
    assert call("judge", "check", "--model", "local").code == 2
    assert call("judge", "check", "--model", "jev", "--offline").code == 2


def labels(count: int, seed: int = 3) -> str:
    """Pairs that say in their arguments what the judge will say of them; it is too timid by half."""
    draw = random.Random(seed)  # noqa: S311
    lines = []
    for number in range(count):
        chance = draw.uniform(0.1, 0.9)
        row = {
            "expected": {"name": "f", "arguments": {"n": number, "p": chance}},
            "actual": {"name": "f", "arguments": {"n": f"the {number}"}},
            "equivalent": draw.random() < sigmoid(2 * logit(chance)),
        }
        lines.append(json.dumps(row))
    return "\n".join(lines) + "\n"


@pytest.fixture
def timid(server: JudgeServer) -> JudgeServer:
    server.decide = lambda expected, _: float(expected["arguments"]["p"])
    return server


def test_calibrating_writes_what_a_run_then_uses(call: Call, timid: JudgeServer) -> None:
    Path("labels.jsonl").write_text(labels(400))
    done = call(
        *("judge", "calibrate", "labels.jsonl", *model(timid)),
        *("--out", "calibration.json", "--plot", "plot.svg", "--json"),
    )
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["calibration"]["method"] == "platt"
    assert found["calibration"]["model"] == "jev-1.13.0"
    assert found["calibration"]["w_remote"] == pytest.approx(2, abs=0.5)
    assert found["blended"]["log_loss"][0] < found["raw"]["log_loss"][0]
    assert found["threshold"][1] >= 0.95
    assert len(ET.fromstring(Path("plot.svg").read_text()).findall(".//{*}circle")) == len(  # noqa: S314 - our own
        found["blended"]["bins"]
    )
    forget()
    row = {
        "tool_calls": [{"name": "f", "arguments": {"n": "the 1"}}],
        "expected_tool_calls": [{"name": "f", "arguments": {"n": 1, "p": 0.8}}],
    }
    Path("cases.jsonl").write_text(json.dumps(row) + "\n")
    with_it = (
        "run",
        "cases.jsonl",
        "-e",
        "tool_call_semantic",
        "--json",
        "--no-gate",
        "--calibration",
        "calibration.json",
    )
    done = call(*with_it, *model(timid))
    assert done.code == 0, done.err
    summary = json.loads(done.out)
    line = found["calibration"]
    wanted = sigmoid(line["w0"] + line["w_remote"] * logit(0.8))
    assert summary["evaluators"]["tool_call_semantic"]["mean"] == pytest.approx(wanted)
    assert ";calibration=" in summary["signature"]
    forget()
    timid.model = "jev-1.14.0"
    done = call(*with_it, *model(timid))
    assert done.code == 4
    assert "the calibration is for jev:jev-1.13.0, and jev-1.14.0 answered" in done.err


def test_calibrating_is_shown_in_words(call: Call, timid: JudgeServer) -> None:
    Path("labels.jsonl").write_text(labels(120))
    done = call("judge", "calibrate", "labels.jsonl", *model(timid))
    assert done.code == 0, done.err
    assert "fitted: logit p = " in done.out
    assert "from 200 labels on both stages are blended" in done.out
    assert "the precision is" in done.out
    forget()
    Path("few.jsonl").write_text(labels(20))
    done = call("judge", "calibrate", "few.jsonl", *model(timid))
    assert "nothing was fitted" in done.out
    forget()
    done = call("judge", "calibrate", "few.jsonl", *model(timid), "--out", "no.json")
    assert (done.code, Path("no.json").exists()) == (2, False)


@pytest.mark.parametrize("count", [50, 60, 62, 199, 200, 220, 249])
def test_what_is_shown_as_calibrated_was_fitted_in_every_fold(
    count: int, call: Call, timid: JudgeServer
) -> None:
    Path("labels.jsonl").write_text(labels(count))
    done = call("judge", "calibrate", "labels.jsonl", *model(timid), "--json")
    found = json.loads(done.out)
    assert found["calibration"]["method"] == ("temperature" if count < 200 else "platt")
    assert found["blended"] != found["raw"]
    assert found["threshold"] is None or found["shows_nothing"] is None


@pytest.mark.parametrize("local", [False, True])
@pytest.mark.parametrize(
    ("kept", "told"),
    [(1, "1 label:"), (19, "19 labels:"), (None, "all 30 labels are equivalent")],
)
def test_labels_that_show_nothing_give_no_threshold_and_no_interval(
    kept: int | None, told: str, local: bool, call: Call, timid: JudgeServer
) -> None:
    lines = labels(200).splitlines()
    if kept is None:
        lines = [line for line in lines if json.loads(line)["equivalent"]][:30]
    Path("labels.jsonl").write_text("\n".join(lines[:kept]) + "\n")
    asked = ("judge", "calibrate", "labels.jsonl", *(("--model", "local") if local else model(timid)))
    done = call(*asked)
    assert done.code == 0, done.err
    assert "these labels show nothing" in done.out
    assert told in done.out
    assert "the precision is" not in done.out
    assert "(" not in done.out.partition("Brier")[2].partition("bin")[0]
    forget()
    found = json.loads(call(*asked, "--json").out)
    assert found["threshold"] is None
    assert told in found["shows_nothing"]
    assert found["local"]["brier"][1:] == [None, None]


def test_the_local_stage_is_looked_at_without_a_network(call: Call) -> None:
    Path("labels.jsonl").write_text(labels(30))
    done = call("judge", "calibrate", "labels.jsonl", "--model", "local", "--offline", "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["calibration"] is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "labels.jsonl:2: not valid JSON"),
        ("[]", "labels.jsonl:2: no label"),
        ('{"equivalent": 1}', "labels.jsonl:2: no label"),
        ('{"equivalent": true, "expected": {"name": "f"}}', "labels.jsonl:2: expected: no call"),
    ],
)
def test_a_line_that_is_no_label_is_named(text: str, told: str, call: Call, timid: JudgeServer) -> None:
    Path("labels.jsonl").write_text(labels(1) + text + "\n")
    done = call("judge", "calibrate", "labels.jsonl", *model(timid))
    assert done.code == 3
    assert told in done.err
    assert not timid.seen


def test_labels_are_made_of_the_undecided_pairs_of_a_run(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {
            "id": f"c{number}",
            "tool_calls": [{"name": "book", "arguments": {"when": f"the {number % 4}. day", "seats": 2}}],
            "expected_tool_calls": [{"name": "book", "arguments": {"when": f"day {number % 4}", "seats": 2}}],
        }
        for number in range(6)
    ]
    Path("cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert call("run", "cases.jsonl", "-e", "tool_call_semantic", "--out", "out", "--no-gate").code == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("y\nwhat?\nn\ns\nq\n"))
    done = call("judge", "label", "out", "--out", "made.jsonl")
    assert done.code == 0, done.err
    assert "2 labels added to made.jsonl, 2 in all" in done.out
    assert "'day 0'" in done.out
    assert "seats" not in done.out  # equal arguments are left out
    made = [json.loads(line) for line in Path("made.jsonl").read_text().splitlines()]
    assert [(row["equivalent"], row["case"]) for row in made] == [(True, "c0"), (False, "c1")]
    assert made[0]["expected"] == {"name": "book", "arguments": {"when": "day 0", "seats": 2}}
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))  # the input ends: what was said is kept
    done = call("judge", "label", "out", "--out", "made.jsonl")
    assert "1 label added to made.jsonl, 3 in all" in done.out
    assert "'day 2'" in done.out
    assert "'day 0'" not in done.out
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    call("judge", "label", "out", "--out", "made.jsonl")
    assert "no pair is left" in call("judge", "label", "out", "--out", "made.jsonl").out


def test_a_run_without_the_evaluator_has_nothing_to_label(call: Call) -> None:
    Path("cases.jsonl").write_text('{"tool_calls": [], "expected_tool_calls": []}\n')
    call("run", "cases.jsonl", "-e", "tool_call_accuracy", "--out", "out")
    assert "run it again with -e tool_call_semantic" in call("judge", "label", "out").err
    assert call("judge", "label", "nowhere").code == 2

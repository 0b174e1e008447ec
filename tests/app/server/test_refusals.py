"""What is asked wrongly is refused at its field, with what was probably meant; nothing wrong is answered in silence."""

from __future__ import annotations

import json
import time
from pathlib import Path
from threading import Event
from typing import Any

import httpx2 as httpx
import pytest

from rightcall.app.server.making import Making
from rightcall.app.server.problems import RefusedError
from rightcall.app.server.settings import settings_from
from rightcall.errors import OptionError

from .conftest import opened, rows, services_of, until
from .test_runs import uploaded


@pytest.fixture
def run(client: httpx.Client) -> str:
    """A finished run of the data set `travel`, of which each third case calls another tool."""
    uploaded(client, "travel", rows(9))
    made: str = client.post("/api/v1/runs", json={"dataset": "travel", "suite": "trajectory"}).json()["id"]
    until(client, made)
    return made


@pytest.mark.parametrize("cursor", ["17592186044416", "99999999", "999999999999999", "3"])
def test_a_cursor_behind_the_end_is_none(client: httpx.Client, run: str, cursor: str):
    response = client.get(f"/api/v1/runs/{run}/results", params={"cursor": cursor})
    assert response.status_code == 422
    assert response.json()["field"] == "cursor"


@pytest.mark.parametrize(
    ("filters", "field", "near"),
    [
        ({"evaluator": "tool_call_agrs"}, "evaluator", None),
        ({"evaluator": "tool_call_ordr"}, "evaluator", "tool_call_order"),
        ({"kind": "wrong_tol"}, "kind", "wrong_tool"),
        ({"limit": "0"}, "limit", None),
        ({"labl": "match"}, "labl", "label"),
    ],
)
def test_a_filter_that_nothing_can_pass_is_refused(
    client: httpx.Client, run: str, filters: dict[str, str], field: str, near: str | None
):
    response = client.get(f"/api/v1/runs/{run}/results", params=filters)
    assert response.status_code == 422
    assert response.json()["field"] == field
    if near is not None:
        assert near in response.json()["hint"]


def test_runs_are_found_by_the_name_of_their_data(client: httpx.Client, run: str):
    found = client.get("/api/v1/runs", params={"dataset": "travel"}).json()["runs"]
    assert [each["id"] for each in found] == [run]
    by_id = client.get("/api/v1/runs", params={"dataset": found[0]["dataset"]}).json()["runs"]
    assert by_id == found
    wrong = client.get("/api/v1/runs", params={"dataset": "travle"})
    assert wrong.status_code == 422
    assert "travel" in wrong.json()["hint"]
    assert client.delete("/api/v1/datasets/travel").status_code == 204
    left = client.get("/api/v1/runs", params={"dataset": found[0]["dataset"]}).json()["runs"]
    assert [each["id"] for each in left] == [run]
    assert "travel" not in client.get("/api/v1/datasets/travle").json().get("hint", "")


@pytest.mark.parametrize(
    "option",
    [
        'ignore_case="yes"',
        "numeric_tolerance=-1",
        'args="allow_misssing"',
        "tool_call_order=1",
        "ignore_cas=true",
    ],
)
def test_an_option_that_can_not_be_is_refused(client: httpx.Client, run: str, option: str):
    response = client.get(f"/api/v1/runs/{run}/what-if", params={"option": option})
    assert response.status_code == 422
    assert response.json()["field"] == "option"


@pytest.mark.parametrize(
    ("body", "field", "hint"),
    [
        ({"gates": {"fail_undr": 0.5}}, "gates.fail_undr", "fail_under"),
        ({"evaluatorz": []}, "evaluatorz", "evaluators"),
        ({"evaluators": ["tool_call_arg"]}, "evaluators", "tool_call_args"),
        ({"suite": "agent", "config": {"ignore_cas": True}}, "config", "ignore_case"),
        ({"suite": "agent", "config": {"ignore_case": "yes"}}, "config.ignore_case", None),
        ({"suite": "agent", "threshold": 2}, "threshold", None),
        ({"suite": "agent", "dataset": "travle"}, "dataset", "travel"),
    ],
)
def test_a_wrong_body_is_refused_at_its_field(
    client: httpx.Client, run: str, body: dict[str, Any], field: str, hint: str | None
):
    response = client.post("/api/v1/runs", json={"dataset": "travel", **body})
    assert response.status_code in (404, 422)
    assert response.json()["field"].startswith(field)
    if hint is not None:
        assert hint in response.json()["hint"]


def test_a_choice_of_few_names_them(client: httpx.Client):
    response = client.post("/api/v1/keys", json={"name": "ci", "scopes": ["evaluat"]})
    assert (response.status_code, response.json()["field"]) == (422, "scopes[0]")
    assert "evaluate" in response.json()["hint"]
    missing = client.post("/api/v1/keys", json={"name": "ci"})
    assert (missing.status_code, missing.json()["field"]) == (422, "scopes")


@pytest.mark.parametrize("name", ["..", ".", "a/b", "a\0b", "a\nb", "x" * 201])
def test_a_name_that_no_path_can_hold(client: httpx.Client, name: str):
    assert client.post("/api/v1/datasets", json={"name": name}).status_code == 422


def test_rows_are_called_by_the_file_that_was_uploaded(client: httpx.Client, tmp_path: Path):
    data = rows(3) + b"[broken\n"
    for filename in ("../../week 7.jsonl", "week 7.jsonl"):
        uploaded(client, filename[-6:] + str(len(filename)), data, filename=filename)
    runs = []
    for name in [each["name"] for each in client.get("/api/v1/datasets").json()["datasets"]]:
        run = client.post("/api/v1/runs", json={"dataset": name, "evaluators": ["tool_call_args"]}).json()[
            "id"
        ]
        until(client, run)
        page = client.get(f"/api/v1/runs/{run}/results", params={"label": "error"}).json()["results"]
        assert [(each["id"], each["row"]["file"]) for each in page] == [("week 7.jsonl:4", "week 7.jsonl")]
        shown = client.get(f"/api/v1/runs/{run}/cases/c1").json()["trials"][0]
        assert shown["view"] is not None
        assert str(tmp_path) not in client.get(f"/api/v1/runs/{run}/report.json").text
        runs.append(run)
    compared = client.post("/api/v1/compare", json={"a": runs[0], "b": runs[1]}).json()
    assert (compared["only_in_a"]["count"], compared["only_in_b"]["count"]) == (0, 0)


def test_the_whole_folder_may_be_moved(tmp_path: Path):
    with opened(data_dir=str(tmp_path / "old")) as client:
        uploaded(client, "travel", rows(3))
        run = client.post("/api/v1/runs", json={"dataset": "travel", "suite": "agent"}).json()["id"]
        until(client, run)
    (tmp_path / "old").rename(tmp_path / "new")
    with opened(data_dir=str(tmp_path / "new")) as client:
        (shown,) = client.get(f"/api/v1/runs/{run}/cases/c1").json()["trials"]
        assert shown["view"]["rows"]


def test_a_run_of_nothing_says_so(client: httpx.Client, run: str):
    body = {"dataset": "travel", "suite": "agent", "tags": ["none"]}
    made = until(client, client.post("/api/v1/runs", json=body).json()["id"])
    assert (made["cases"], made["state"]) == (0, "complete")
    assert "none passed the filters" in made["message"]


def test_what_one_evaluator_can_not_costs_the_others_nothing(client: httpx.Client):
    calls = [{"name": "find", "args": {"n": number}} for number in range(1, 161)]
    wanted = [{"name": "find", "args": {"n": number, "more": "x"}} for number in range(1, 161)]
    body = {"tool_calls": calls, "expected_tool_calls": wanted}
    answer = client.post("/api/v1/evaluate", json={"suite": "agent", **body})
    assert answer.status_code == 200
    states = {each["evaluator"]: each["status"] for each in answer.json()["results"]}
    assert states.pop("tool_call_semantic") == "error"
    assert set(states.values()) == {"scored"}
    alone = client.post("/api/v1/evaluate", json={"evaluators": ["tool_call_semantic"], **body})
    assert alone.status_code == 422


def test_a_report_that_takes_long_is_made_once_and_asked_for_again(
    client: httpx.Client, run: str, monkeypatch: pytest.MonkeyPatch
):
    from rightcall.app.server.routes import run_results

    go_on, made = Event(), []
    write = run_results._write

    def slowly(*arguments: Any) -> None:
        made.append(arguments[2])
        go_on.wait(20)
        write(*arguments)

    monkeypatch.setattr(run_results, "_write", slowly)
    services_of(client).making._patience = 0.1
    for _ in range(2):
        response = client.get(f"/api/v1/runs/{run}/report.html")
        assert response.status_code == 503
        assert response.headers["retry-after"] == "5"
        assert "again" in response.json()["hint"]
    go_on.set()
    for _ in range(100):
        response = client.get(f"/api/v1/runs/{run}/report.html")
        if response.status_code == 200:
            break
        time.sleep(0.05)
    assert "<html" in response.text
    assert made == ["html"]


def test_what_was_made_is_kept_and_what_failed_is_not():
    making, made = Making(5.0), []

    def make() -> int:
        made.append(1)
        if len(made) == 1:
            raise RefusedError(409, "not now")
        return 7

    with pytest.raises(RefusedError, match="not now"):
        making.get("key", make)
    assert [making.get("key", make) for _ in range(3)] == [7, 7, 7]
    assert len(made) == 2
    assert [making.get(("other", number), lambda: 1) for number in range(200)] == [1] * 200
    assert len(making._jobs) <= 66


def test_a_setting_out_of_the_environment_is_named_as_it_stands_there():
    with pytest.raises(OptionError) as caught:
        settings_from({"port": None}, {"RIGHTCALL_BODY_MB": "x"})
    assert caught.value.field == "RIGHTCALL_BODY_MB"
    with pytest.raises(OptionError) as caught:
        settings_from({"body_mb": "x"}, {"RIGHTCALL_BODY_MB": "3"})
    assert caught.value.field == "body_mb"


def test_what_is_refused_is_json(client: httpx.Client):
    response = client.post("/api/v1/runs", content=b"{", headers={"Content-Type": "application/json"})
    assert (response.status_code, json.loads(response.text)["title"]) == (400, "Malformed request")


def test_a_method_that_can_not_be_names_all_that_can(client: httpx.Client):
    response = client.patch("/api/v1/runs/run_1")
    assert (response.status_code, response.headers["allow"]) == (405, "DELETE, GET")
    assert client.delete("/api/v1/runs").headers["allow"] == "GET, POST"

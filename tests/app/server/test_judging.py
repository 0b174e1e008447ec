"""Judges over HTTP: the local one for everybody, others only where the server offers them; labels and calibrations."""

from __future__ import annotations

from pathlib import Path

import httpx2 as httpx
import pytest

from .conftest import opened

PAIR = {
    "output": [{"name": "book", "arguments": {"day": "Nov 12 2025"}}],
    "expected": [{"name": "book", "arguments": {"day": "2025-11-12"}}],
}


def asked(client: httpx.Client, **more: object) -> httpx.Response:
    return client.post("/api/v1/evaluate", json={"evaluators": ["tool_call_semantic"], **PAIR, **more})


def test_a_probability_for_every_expected_call(client: httpx.Client):
    for more in ({}, {"model": "local"}):
        (result,) = asked(client, **more).json()["results"]
        assert result["kind"] == "judge"
        assert result["passed"] is True
        assert result["probabilities"][0] > 0.9
        assert "the same day, other format" in result["reason"]


@pytest.mark.parametrize(
    ("model", "hint"), [("locl", "local"), ("jev:jev-latest", "RIGHTCALL_JUDGES"), ("turing_flash", "")]
)
def test_a_judge_that_is_not_offered(client: httpx.Client, model: str, hint: str):
    response = asked(client, model=model)
    assert response.status_code == 422
    assert response.json()["field"] == "model"
    assert hint in response.json().get("hint", "")
    # Evaluators that ask no judge take any model, as published calls pass one.
    code = client.post("/api/v1/evaluate", json={"evaluators": ["tool_call_args"], **PAIR, "model": model})
    assert code.status_code == 200


def test_an_offered_judge_without_its_key_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("TYPESAFE_API_KEY", raising=False)
    with opened(data_dir=str(tmp_path), judges=("jev:jev-1.13.0",)) as client:
        response = asked(client, model="jev:jev-1.13.0")
        assert response.status_code in (422, 502), response.text
        assert "TYPESAFE_API_KEY" in response.text


def test_labels_and_calibrations(either: httpx.Client):
    assert either.post("/api/v1/calibrations", json={}).status_code == 409
    for number in range(12):
        label = {
            "actual": {"name": "book", "arguments": {"day": f"Nov {number + 1} 2025"}},
            "expected": {"name": "book", "arguments": {"day": f"2025-11-{number % 9 + 1:02}"}},
            "equivalent": number < 9,
        }
        assert either.post("/api/v1/labels", json=label).status_code == 201
    page = either.get("/api/v1/labels", params={"limit": 5}).json()
    assert len(page["labels"]) == 5
    assert page["labels"][0]["equivalent"] is False
    made = either.post("/api/v1/calibrations", json={"precision": 0.9})
    assert made.status_code == 201, made.text
    report = made.json()["report"]
    assert report["labels"] == 12
    assert report["local"]["brier"][0] < 0.01
    assert either.get(f"/api/v1/calibrations/{made.json()['id']}").json() == made.json()
    assert either.get("/api/v1/calibrations").json() == [made.json()]
    assert either.get("/api/v1/calibrations/none").status_code == 404
    wrong = {"actual": {"name": "f", "arguments": {}}, "expected": {"name": "f"}, "equivalent": True}
    assert "expected" in either.post("/api/v1/labels", json=wrong).json()["field"]

"""The OpenAPI document: committed, true, and its examples work."""

from __future__ import annotations

import json
from pathlib import Path

import httpx2 as httpx
import pytest

from rightcall.app.server.application import ENDPOINTS

from .conftest import services_of

COMMITTED = Path(__file__).parents[3] / "docs" / "reference" / "openapi.json"


def test_the_committed_document_is_the_servers_own(client: httpx.Client):
    served = client.get("/api/v1/openapi.json")
    assert served.text == COMMITTED.read_text(), "run docs/generate.py"


def test_every_endpoint_is_in_it():
    paths = json.loads(COMMITTED.read_text())["paths"]
    for endpoint in ENDPOINTS:
        operation = paths[endpoint.path.replace(":path}", "}")][endpoint.method.lower()]
        assert operation["operationId"] == endpoint.name
        assert operation["summary"] == endpoint.summary
        assert str(endpoint.status) in operation["responses"]
    assert sum(len(methods) for methods in paths.values()) == len(ENDPOINTS)


@pytest.mark.parametrize(
    "endpoint", [each for each in ENDPOINTS if each.example is not None], ids=lambda each: each.name
)
def test_an_example_works(client: httpx.Client, endpoint):
    """As it stands in the document: what a reader copies is taken."""
    operation = json.loads(COMMITTED.read_text())["paths"][endpoint.path][endpoint.method.lower()]
    example = operation["requestBody"]["content"]["application/json"]["example"]
    response = client.request(endpoint.method, endpoint.path, json=example)
    assert response.status_code == endpoint.status, response.text
    assert services_of(client)

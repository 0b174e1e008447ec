"""What the document says, and what it does not: tried by a generator, with every check that it has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from rightcall.app.server.application import ENDPOINTS

from .conftest import Server, rows

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The document of a server that asks for a key, since some checks are about that."""
    folder = tmp_path_factory.mktemp("api") / "server"
    from rightcall.app.server.keys import Keys
    from rightcall.app.server.settings import Settings
    from rightcall.app.server.store.database import Database

    database = Database(Settings(data_dir=str(folder)).url)
    database.migrate()
    _, key = Keys(database).create("test", ["admin"])
    server = Server(folder, "--require-key", "--rate-per-minute", "0").start()
    headers = {"Authorization": f"Bearer {key}"}
    server.client.headers |= headers
    server.client.post("/api/v1/datasets", json={"name": "data"})
    put = server.client.put(
        "/api/v1/datasets/data/data",
        params={"filename": "rows.jsonl"},
        content=rows(3),
        headers={"Content-Type": "application/x-ndjson"},
    )
    assert put.status_code == 201, put.text
    config = schemathesis.Config.from_path(Path(__file__).with_name("schemathesis.toml"))
    schema = schemathesis.openapi.from_url(
        f"http://127.0.0.1:{server.port}/api/v1/openapi.json", headers=headers, config=config
    )
    schema.config.update(headers=headers)
    yield schema
    server.kill()


@pytest.mark.parametrize(
    "mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=lambda mode: mode.value
)
@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.name)
def test_every_operation(api: Any, endpoint: Any, mode: GenerationMode):
    operation = api[endpoint.path.replace(":path}", "}")][endpoint.method]

    @given(operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=15,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def check(case: schemathesis.Case) -> None:
        case.call_and_validate(timeout=30)

    try:
        check()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE
        pytest.skip("it has no parameter that could be wrong")

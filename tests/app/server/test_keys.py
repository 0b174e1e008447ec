"""Who may do what: keys, scopes, rates, hosts, headers."""

from __future__ import annotations

import hashlib
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2 as httpx
import pytest

from rightcall.app.cli.root import run as cli
from rightcall.app.server.application import ENDPOINTS
from rightcall.app.server.settings import Settings, settings_from
from rightcall.errors import OptionError

from .conftest import Server, opened, services_of

SCOPES = ("evaluate", "read", "write", "admin")


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[tuple[httpx.Client, dict[str, str]]]:
    """A server as one beyond loopback is, and a key of each scope."""
    with opened(data_dir=str(tmp_path), host="0.0.0.0", rate_per_minute=0) as client:  # noqa: S104 - nothing listens
        keys = services_of(client).keys
        yield client, {scope: keys.create(scope, [scope])[1] for scope in SCOPES}


def _path(template: str) -> str:
    return template.replace("{id}", "none").replace("{case:path}", "c").replace("{ending}", "md")


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.name)
def test_endpoint_by_scope(closed: tuple[httpx.Client, dict[str, str]], endpoint):
    """The table of endpoint × scope: without a key nothing but health, with one what it allows."""
    client, keys = closed
    path = _path(endpoint.path)
    bare = client.request(endpoint.method, path)
    assert (bare.status_code == 401) == (endpoint.scope is not None)
    if endpoint.scope is None:
        return
    assert bare.headers["www-authenticate"] == "Bearer"
    for scope, key in keys.items():
        response = client.request(endpoint.method, path, headers={"Authorization": f"Bearer {key}"})
        allowed = scope in (endpoint.scope, "admin")
        assert (response.status_code == 403) != allowed, (scope, response.status_code)
        assert response.status_code != 401


def test_unknown_paths_are_closed_too(closed: tuple[httpx.Client, dict[str, str]]):
    client, keys = closed
    assert client.get("/api/v1/nothing").status_code == 401
    assert client.get("/api/v1/openapi.json").status_code == 401
    assert (
        client.get("/api/v1/nothing", headers={"Authorization": f"Bearer {keys['read']}"}).status_code == 404
    )


@pytest.mark.parametrize("change", ["x", "", "short", "é"])
def test_a_wrong_key_is_refused(closed: tuple[httpx.Client, dict[str, str]], change: str):
    client, keys = closed
    right = keys["read"]
    wrong = {"x": right + "x", "": "", "short": "rc_", "é": right[:-1] + "é"}[change]
    for text in (f"Bearer {wrong}", f"Basic {right}", wrong or "-"):
        response = client.get("/api/v1/runs", headers={b"Authorization": text.encode()})
        assert response.status_code == 401
    assert client.get("/api/v1/runs", headers={"Authorization": f"Bearer {right}"}).status_code == 200


def test_a_revoked_key_is_of_no_use(closed: tuple[httpx.Client, dict[str, str]]):
    client, keys = closed
    admin = {"Authorization": f"Bearer {keys['admin']}"}
    made = client.post("/api/v1/keys", json={"name": "ci", "scopes": ["read"]}, headers=admin).json()
    mine = {"Authorization": f"Bearer {made['secret']}"}
    assert client.get("/api/v1/runs", headers=mine).status_code == 200
    listed = {key["id"]: key for key in client.get("/api/v1/keys", headers=admin).json()}
    assert listed[made["key"]["id"]]["last_used"] is not None
    assert made["secret"] not in client.get("/api/v1/keys", headers=admin).text
    assert client.delete(f"/api/v1/keys/{made['key']['id']}", headers=admin).json()["revoked"]
    assert client.get("/api/v1/runs", headers=mine).status_code == 401
    assert client.delete("/api/v1/keys/none", headers=admin).status_code == 404
    assert (
        client.post("/api/v1/keys", json={"name": "x", "scopes": ["all"]}, headers=admin).status_code == 422
    )


def test_only_a_digest_is_kept(closed: tuple[httpx.Client, dict[str, str]], tmp_path: Path):
    _, keys = closed
    secret = keys["read"].split("_", 2)[2]
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or secret.encode() not in file.read_bytes()
    with sqlite3.connect(tmp_path / "rightcall.db") as connection:
        digests = [row[0] for row in connection.execute("SELECT digest FROM api_keys")]
    assert hashlib.sha256(secret.encode()).digest() in digests


def test_rates(tmp_path: Path):
    with opened(data_dir=str(tmp_path), host="0.0.0.0", rate_per_minute=5) as client:  # noqa: S104
        keys = [services_of(client).keys.create(name, ["read"])[1] for name in "ab"]
        headers = [{"Authorization": f"Bearer {key}"} for key in keys]
        codes = [client.get("/api/v1/runs", headers=headers[0]).status_code for _ in range(7)]
        assert codes[:5] == [200] * 5
        assert codes[-1] == 429
        last = client.get("/api/v1/runs", headers=headers[0])
        assert 1 <= int(last.headers["retry-after"]) <= 120
        assert client.get("/api/v1/runs", headers=headers[1]).status_code == 200
        assert client.get("/healthz").status_code == 200


def test_on_loopback_another_host_is_refused(client: httpx.Client):
    assert client.get("/api/v1/suites", headers={"Host": "localhost:99"}).status_code == 200
    assert client.get("/api/v1/suites", headers={"Host": "[::1]:99"}).status_code == 200
    assert client.get("/api/v1/suites", headers={"Host": "evil.example"}).status_code == 421


def test_headers_of_every_answer(client: httpx.Client):
    for path in ("/healthz", "/api/v1/suites", "/nothing"):
        headers = client.get(path, headers={"X-Request-Id": "mine-1"}).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-request-id"] == "mine-1"
        assert "access-control-allow-origin" not in headers
    made = client.get("/healthz", headers={"X-Request-Id": "two words\tand more"}).headers["x-request-id"]
    assert made != "two words\tand more"


def test_pages_of_other_sites_only_where_said(tmp_path: Path):
    ask = {"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}
    with opened(data_dir=str(tmp_path), cors_origins=("https://a.example",)) as client:
        assert (
            client.options("/api/v1/evaluate", headers=ask).headers["access-control-allow-origin"]
            == ask["Origin"]
        )
        other = client.options("/api/v1/evaluate", headers={**ask, "Origin": "https://b.example"})
        assert "access-control-allow-origin" not in other.headers


def test_a_page_that_may_call_reads_refusals_too(tmp_path: Path):
    """Else a browser says only that there was no answer."""
    origins = ("https://a.example",)
    with opened(data_dir=str(tmp_path), cors_origins=origins, require_key=True, rate_per_minute=2) as client:
        for status in (401, 429):
            key = services_of(client).keys.create("k", ["evaluate"])[1] if status == 429 else "wrong"
            for _ in range(3):
                answer = client.get(
                    "/api/v1/suites",
                    headers={"Origin": origins[0], "Authorization": f"Bearer {key}"},
                )
            assert answer.status_code == status
            assert answer.headers["access-control-allow-origin"] == origins[0]
            assert "Retry-After" in answer.headers["access-control-expose-headers"]
            assert answer.headers["vary"] == "Origin"
        other = client.get("/api/v1/suites", headers={"Origin": "https://b.example"})
        assert "access-control-allow-origin" not in other.headers


def test_beyond_loopback_only_with_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "rightcall", "serve", "--host", "0.0.0.0", "--port", "0"],  # noqa: S104
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "rightcall keys create" in done.stderr


def test_keys_on_the_command_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    serve: Callable[..., Server],
):
    monkeypatch.chdir(tmp_path)
    where = ("--data-dir", "server")
    assert cli(["keys", "create", "ci", "--scope", "evaluate,read", *where]) == 0
    secret = capfd.readouterr().out.strip()
    assert cli(["keys", "create", "ci", "--scope", "evalute", *where]) == 2
    assert "evaluate" in capfd.readouterr().err
    server = serve("--require-key")
    assert server.client.get("/api/v1/suites").status_code == 401
    assert (
        server.client.get("/api/v1/suites", headers={"Authorization": f"Bearer {secret}"}).status_code == 200
    )
    assert cli(["keys", "list", "--json", *where]) == 0
    assert secret.split("_", 2)[2] not in capfd.readouterr().out
    assert cli(["keys", "revoke", secret.split("_")[1], *where]) == 0
    assert cli(["keys", "revoke", "none", *where]) == 2
    assert cli(["db", "upgrade", *where]) == 0
    assert cli(["db", "backup", "copy", *where]) == 0
    assert (tmp_path / "copy/rightcall.db").exists()
    assert cli(["db", "backup", "copy", *where]) == 2
    assert secret not in server.log


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"RIGHTCALL_PORT": "x"}, "RIGHTCALL_PORT"),
        ({"RIGHTCALL_PORT": "70000"}, "RIGHTCALL_PORT"),
        ({"RIGHTCALL_BODY_MB": "-1"}, "RIGHTCALL_BODY_MB"),
        ({"RIGHTCALL_JOBS": "0"}, "RIGHTCALL_JOBS"),
        ({"RIGHTCALL_NO_AUTH": "perhaps"}, "RIGHTCALL_NO_AUTH"),
    ],
)
def test_a_wrong_setting_is_named(given: dict[str, str], field: str):
    with pytest.raises(OptionError) as caught:
        settings_from({}, given)
    assert caught.value.field == field


def test_settings_from_the_environment():
    found = settings_from(
        {"port": 1, "no_auth": None}, {"RIGHTCALL_PORT": "2", "RIGHTCALL_CORS_ORIGINS": "a, b"}
    )
    assert found == Settings(port=1, cors_origins=("a", "b"))

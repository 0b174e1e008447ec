"""`rightcall serve`: the HTTP API."""

from __future__ import annotations

from typing import Any

import click

from ...errors import MissingExtraError, UsageError
from .screen import tell


@click.command("serve", short_help="Serve the HTTP API.")
@click.option(
    "--host", metavar="ADDRESS", help="Where to listen (127.0.0.1). Beyond loopback a key is needed."
)
@click.option("--port", type=int, metavar="N", help="The port (8077).")
@click.option("--data-dir", metavar="DIR", help="The folder of its files (.rightcall).")
@click.option("--database-url", metavar="URL", help="SQLite in the folder unless given, e.g. postgresql://..")
@click.option("--no-auth", is_flag=True, default=None, help="Nobody needs a key, on any address.")
@click.option("--require-key", is_flag=True, default=None, help="Everybody needs a key, on loopback too.")
@click.option("--jobs", type=int, metavar="N", help="Runs that are made at the same time (1).")
@click.option(
    "--rate-per-minute", type=int, metavar="N", help="Requests a minute for each key (6000); 0 is any."
)
@click.option("--body-mb", type=float, metavar="MB", help="Megabytes of a request's body (10).")
@click.option("--request-seconds", type=float, metavar="S", help="Seconds for one request (30).")
@click.option("--trace-dataset", metavar="NAME", help="The data set that says what is expected of traces.")
@click.option("--trace-suite", metavar="NAME", help="What traces are scored with (agent).")
@click.option("--otlp-endpoint", metavar="URL", help="A collector that the results of traces are sent to.")
def command(**given: Any) -> int:
    """Serve the HTTP API, on this machine only unless told otherwise.

    Every setting has a variable too: RIGHTCALL_PORT, RIGHTCALL_DATABASE_URL, RIGHTCALL_CORS_ORIGINS and so on; the
    page on deployment lists them. Beyond loopback a key must exist (`rightcall keys create`), or --no-auth be said.

    \b
    Example:
      rightcall serve --port 8077
      curl -s http://127.0.0.1:8077/api/v1/evaluate -H 'Content-Type: application/json' \\
        -d '{"evaluators": ["tool_call_args"], "tool_calls": [{"name": "f"}], "expected": [{"name": "f"}]}'
    """  # noqa: D301 - click reads the backspace
    try:
        import uvicorn

        from ..server.application import create_front
        from ..server.logs import open_log
        from ..server.settings import is_loopback, settings_from
    except ImportError:
        raise MissingExtraError("the server", "server") from None
    settings = settings_from(given)
    front = create_front(settings)
    if settings.needs_key and not is_loopback(settings.host):
        front.services.database.migrate()
        if not front.services.keys.any_valid():
            raise UsageError(
                f"{settings.host} can be reached from other machines, and there is no key yet",
                field="host",
                hint="rightcall keys create NAME --scope evaluate, or --no-auth",
            )
    open_log()
    tell(f"rightcall listens on http://{settings.host}:{settings.port}/api/v1")
    server = uvicorn.Server(
        uvicorn.Config(
            front,
            host=settings.host,
            port=settings.port,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=int(settings.drain_seconds) or 1,
            timeout_keep_alive=30,
        )
    )
    server.run()
    return 0 if server.started else 4

"""`rightcall serve`: the HTTP API."""

from __future__ import annotations

import socket
from typing import Any

import click

from ...errors import MissingExtraError, OptionError, UsageError


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
        from ..server.logs import log, open_log
        from ..server.settings import is_loopback, settings_from
    except ImportError:
        raise MissingExtraError("the server", "server") from None
    settings = settings_from(given)
    front = create_front(settings)
    services = front.services
    open_log()
    if settings.needs_key and not is_loopback(settings.host):
        services.database.migrate()
        if not services.keys.any_valid():
            raise UsageError(
                f"{settings.host} can be reached from other machines, and there is no key yet",
                field="host",
                hint="rightcall keys create NAME --scope evaluate, or --no-auth",
            )
    listening = _listening(settings.host, settings.port)
    services.open()

    class Server(uvicorn.Server):
        """Streams end as soon as it is asked to stop: they would keep it from stopping."""

        def handle_exit(self, sig: int, frame: Any) -> None:
            if not services.draining:
                services.draining = True
                log("stopping", signal=sig)
            super().handle_exit(sig, frame)

    server = Server(
        uvicorn.Config(
            front,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=int(settings.drain_seconds) or 1,
            timeout_keep_alive=30,
        )
    )
    log("listening", url=f"http://{settings.host}:{settings.port}/api/v1")
    server.run(sockets=[listening])
    log("stopped")
    return 0


def _listening(host: str, port: int) -> socket.socket:
    """The socket that the server listens on.

    Raises:
        OptionError: it can't be had, as when another program listens there.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise OptionError(
            f"{host}:{port} can't be listened on: {error.strerror or error}", field="port"
        ) from None

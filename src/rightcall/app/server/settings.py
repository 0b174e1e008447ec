"""What the server can be told: each setting once, with its variable and its meaning. Flags win over the environment."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from ...errors import OptionError

__all__ = ["Settings", "is_loopback", "settings_from"]


class Settings(Struct, frozen=True, kw_only=True):
    """The server's settings. Every field can be set by ``RIGHTCALL_`` and its name in capitals.

    Attributes:
        host, port: where it listens. Any address beyond loopback needs a key, or `no_auth`.
        data_dir: the folder of its files: data sets, run directories and the SQLite database. One server owns it.
        database_url: SQLite in `data_dir` unless given, e.g. ``postgresql://user@host/rightcall``.
        no_auth: nobody needs a key, on any address.
        require_key: everybody needs a key, on loopback too.
        cors_origins: origins whose pages may call the API; none by default.
        body_mb: megabytes of a request's body, packed and unpacked; `upload_mb` of uploaded data.
        most_calls: calls on one side of a case.
        most_depth: levels of nesting of a body.
        most_cases: cases of a batch.
        request_seconds: seconds for one request.
        rate_per_minute: requests a minute for each key, or for each address where keys are not needed; 0 is any number.
        judges: remote judges that requests may name, as ``BACKEND[:MODEL]``; the local one always may be.
        jobs: runs that are made at the same time; the rest wait.
        drain_seconds: how long a stopping server waits for requests and runs.
        trace_suite: what ingested traces are scored with.
        trace_dataset: the data set that holds what is expected of traces; None where nothing is.
        trace_attribute: the attribute of a span that names the case of its trace.
        trace_settle_seconds: how long after its last span a trace is scored.
        trace_days: how long traces are kept.
        otlp_endpoint: a collector that results are sent to as evaluation events; None where to nobody.
    """

    host: str = "127.0.0.1"
    port: int = 8077
    data_dir: str = ".rightcall"
    database_url: str | None = None
    no_auth: bool = False
    require_key: bool = False
    cors_origins: tuple[str, ...] = ()
    body_mb: float = 10.0
    upload_mb: float = 4096.0
    most_calls: int = 1000
    most_depth: int = 200
    most_cases: int = 1000
    request_seconds: float = 30.0
    rate_per_minute: int = 6000
    judges: tuple[str, ...] = ()
    jobs: int = 1
    drain_seconds: float = 20.0
    trace_suite: str = "agent"
    trace_dataset: str | None = None
    trace_attribute: str = "rightcall.case_id"
    trace_settle_seconds: float = 5.0
    trace_days: float = 30.0
    otlp_endpoint: str | None = None

    def __post_init__(self) -> None:
        for name in _POSITIVE:
            value = getattr(self, name)
            if not 0 < value < float("inf"):
                raise OptionError(f"{value} is not above 0", field=name)
        if not 0 <= self.port <= _PORTS:
            raise OptionError(f"{self.port} is no port", field="port")
        if self.otlp_endpoint is not None and not self.otlp_endpoint.startswith(("http://", "https://")):
            raise OptionError(f"{self.otlp_endpoint!r} is no http:// address", field="otlp_endpoint")
        if self.rate_per_minute < 0:
            raise OptionError(f"{self.rate_per_minute} is below 0", field="rate_per_minute")

    @property
    def url(self) -> str:
        """Where the database is."""
        return self.database_url or f"sqlite:///{(Path(self.data_dir) / 'rightcall.db').resolve()}"

    @property
    def needs_key(self) -> bool:
        """Whether a request without a key is refused."""
        return not self.no_auth and (self.require_key or not is_loopback(self.host))


_POSITIVE: Final = (
    *("body_mb", "upload_mb", "most_calls", "most_depth", "most_cases", "request_seconds", "jobs"),
    *("drain_seconds", "trace_settle_seconds", "trace_days"),
)
_LISTS: Final = ("cors_origins", "judges")
_PORTS: Final = 65535


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def settings_from(given: Mapping[str, Any], environment: Mapping[str, str] | None = None) -> Settings:
    """Settings from flags and the environment.

    Args:
        given: by name; None where a flag was not given.
        environment: the process's own unless given.

    Raises:
        OptionError: a value of the wrong type or outside its range; names it.
    """
    environment = os.environ if environment is None else environment
    found: dict[str, Any] = {}
    for name in Settings.__struct_fields__:
        text = environment.get(f"RIGHTCALL_{name.upper()}", "")
        if given.get(name) is not None:
            found[name] = given[name]
        elif text:
            found[name] = [part.strip() for part in text.split(",")] if name in _LISTS else text

    def named(said: str) -> str:
        """The setting as it was said: by a flag, or by a variable."""
        return f"RIGHTCALL_{said.upper()}" if said and given.get(said) is None else said

    try:
        return msgspec.convert(found, Settings, strict=False)
    except OptionError as error:
        error.field = named(error.field or "")
        raise
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `$.")
        name = path.rstrip("`")
        said = named(name.partition("[")[0])
        raise OptionError(message, field=(said if said.isupper() else name) or None) from None

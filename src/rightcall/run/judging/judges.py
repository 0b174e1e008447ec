"""The judges, by name: ``local``, or ``BACKEND[:MODEL]``. One file each in the `judges` folder.

A judge is made once for one request: it keeps its connection to what it knows, its budget and its breaker. Keys are
read from the environment here and nowhere else, and are handed to the backend alone.
"""

from __future__ import annotations

import atexit
import importlib
import os
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from ...core.ask import Judge
from ...core.backend import Backend, Wire
from ...core.jsonvalue import class_in_words
from ...core.registry import Registry
from ...errors import MissingExtraError, OptionError, RightcallError, UsageError
from ...judging.calibration import Calibration, load
from ...judging.prompts import PROMPT
from ...judging.settings import Judging, Redact, checked

if TYPE_CHECKING:
    from ...judging.remote import RemoteJudge

__all__ = [
    "JUDGES",
    "LOCAL",
    "backend_of",
    "checked_model",
    "forget",
    "from_environment",
    "is_remote",
    "judge_of",
    "local_judge",
    "redaction",
    "remote_judge",
]

LOCAL: Final = "local"
OWN_KEY: Final = "RIGHTCALL_JUDGE_KEY"
"""A key for whatever server `--base-url` names; it wins over the backend's own variable."""
_NEEDED: Final = ("httpx2", "stamina", "aiolimiter", "anyio")


class Member(Struct, frozen=True):
    """A file of `judges`: it makes a judge itself, or it knows the wire of a remote one."""

    make_judge: Callable[[str | None], Judge] | None = None
    wire: Wire | None = None


def _member_of(module: ModuleType) -> Member:
    if hasattr(module, "make_judge"):
        return Member(make_judge=module.make_judge)
    return Member(wire=module.WIRE)


JUDGES: Registry[Member] = Registry("rightcall.judges", "judge", _member_of)

_made: dict[tuple[object, ...], RemoteJudge] = {}


def is_remote(model: str | None) -> bool:
    """Whether a model is asked over a wire, so that answers cost time, and may fail or cost money."""
    if model is None:
        return False
    backend = _backend(model)
    return (
        backend not in JUDGES or JUDGES.get(backend).wire is not None
    )  # one of the user's own may be slow too


def checked_model(model: str | Judge, judging: Judging | None = None) -> str:
    """The whole name of a judge, if it could be asked. Nobody is asked.

    The name tells everything that changes its numbers: ``jev:jev-1.13.0;prompt=1;calibration=1f2e3d4c;prior=0.3``.

    Raises:
        UnknownNameError: there is no such backend; the error names the nearest.
        UsageError: it can't be asked: offline, no key, no model, an address or a setting that can't be.
        MissingExtraError: it needs an optional part that is not installed.
    """
    if not isinstance(model, str):
        if not callable(getattr(model, "answer", None)) or not isinstance(getattr(model, "name", None), str):
            raise UsageError(
                f"{class_in_words(model)} is no judge",
                field="model",
                hint="a judge has name and answer(questions)",
            )
        return model.name
    plain = model.partition(";")[0]
    member = JUDGES.get(_backend(plain), field="model")
    if member.wire is None:
        return plain
    settings = checked(judging or from_environment())
    name = _named(plain, member.wire)
    backend_of(name, settings)
    redaction(settings.redact)
    found = _calibration(name, settings)
    said = {"prompt": PROMPT.version}
    if found is not None:
        said["calibration"] = f"{_fingerprint(found):08x}"
    if settings.prior is not None:
        said["prior"] = f"{settings.prior:g}"
    if settings.redact is not None:
        said["redacted"] = settings.redact if isinstance(settings.redact, str) else "yes"
    return ";".join([name, *(f"{key}={value}" for key, value in said.items())])


def judge_of(model: str, judging: Judging | Judge | None = None) -> Judge:
    """The judge called `model`; one object for one request, so that budgets and answers hold for all of it.

    Raises:
        UnknownNameError, UsageError, MissingExtraError: see :func:`checked_model`.
        SourceError: kept answers can't be used.
    """
    if judging is not None and not isinstance(judging, Judging):
        return judging
    plain = model.partition(";")[0]
    member = JUDGES.get(_backend(plain), field="model")
    if member.make_judge is not None:
        _, _, name = plain.partition(":")
        return member.make_judge(name or None)
    if member.wire is None:
        raise UsageError(f"{plain} is no judge", field="model")
    settings = checked(judging or from_environment())
    name = _named(plain, member.wire)
    key = (
        name,
        settings,
        _address(member.wire, settings),
        _key(member.wire, _address(member.wire, settings)),
    )
    if key not in _made:
        if not _made:
            atexit.register(forget)  # a file that is closed is whole: nothing is left beside it
        _made[key] = remote_judge(backend_of(name, settings), settings)
    return _made[key]


def remote_judge(
    backend: Backend, settings: Judging | None = None, local: Judge | None = None
) -> RemoteJudge:
    """A judge of a backend of one's own, or of a scripted one: the local stage, then the backend.

    Args:
        backend: see `core/backend.py`; :func:`rightcall.judges.fake.scripted` makes one for tests.
        settings: how it is asked.
        local: who is asked first; our local judge unless given.

    Raises:
        UsageError, MissingExtraError, SourceError: see :func:`judge_of`.
    """
    # Only who asks a remote judge pays for loading what that needs.
    from ...judging.cache import Cache
    from ...judging.remote import RemoteJudge

    chosen = checked(settings or Judging())
    return RemoteJudge(
        backend,
        local or local_judge(),
        replace(chosen, redact=redaction(chosen.redact)),
        calibration=_calibration(f"{backend.id}:{backend.model}", chosen),
        cache=Cache(chosen.cache, replay=chosen.replay),
    )


def local_judge() -> Judge:
    """The judge that is asked first.

    Raises:
        MissingExtraError: its libraries are not installed.
    """
    return judge_of(LOCAL)


def forget() -> None:
    """Let go of every remote judge: the next one begins anew, with its whole budget."""
    for judge in _made.values():
        judge.close()
    _made.clear()


def backend_of(model: str, settings: Judging) -> Backend:
    """The backend of a remote judge, with its key.

    Raises:
        UsageError, MissingExtraError: see :func:`checked_model`.
    """
    member = JUDGES.get(_backend(model), field="model")
    if member.wire is None:
        raise UsageError(f"{model} is not asked over a wire", field="model", hint="jev, openai_chat ..")
    wire = member.wire
    _, _, name = _named(model, wire).partition(":")
    address = _address(wire, settings)
    key = _key(wire, address)
    backend = wire.backend(address, name, key)
    if settings.replay:
        return backend
    missing = [each for each in _NEEDED if find_spec(each) is None]
    if missing:
        raise MissingExtraError(f"the judge {wire.id}", "judge", field="model")
    if backend.network:
        _check_network(wire, address, key, settings)
    _check_budget(settings, wire)
    return backend


def _check_network(wire: Wire, address: str, key: str | None, settings: Judging) -> None:
    parts = urlsplit(address)
    if settings.offline:
        raise UsageError(
            f"{wire.id} is asked over a network, and --offline forbids that",
            field="model",
            hint="leave one of the two out, or replay recorded answers with --replay",
        )
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise OptionError(f"{address!r} is no address of a server", field="base-url", hint="https://HOST/..")
    if key is None and address == wire.base_url:
        raise UsageError(
            f"{wire.id} needs a key, and {wire.key_env(address)} is not set",
            field="model",
            hint=f"export {wire.key_env(address)}=.. (keys are read from the environment alone)",
        )
    if key is not None and parts.scheme == "http" and not _is_here(parts.hostname):
        raise OptionError("a key would travel unencrypted", field="base-url", hint="write https://")


def _check_budget(settings: Judging, wire: Wire) -> None:
    if settings.budget_usd is not None and settings.price is None:
        raise OptionError(
            "no price is known to hold it against",
            field="budget-usd",
            hint="add --price IN,OUT in $ a million tokens",
        )


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _address(wire: Wire, settings: Judging) -> str:
    """Where to ask: what was said, else what the environment says, else the backend's own."""
    told = settings.base_url or _environment(wire.base_url_env)
    address = told or wire.base_url
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - reading it checks it
    except ValueError:
        raise OptionError("that is no address", field="base-url", hint="https://HOST/..") from None
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        # Addresses stand in messages, so they must not hold a secret.
        raise OptionError(
            "an address with a user, a query or a fragment",
            field="base-url",
            hint="keys go into the environment",
        )
    return address


def _environment(name: str) -> str:
    """What a variable says; nothing for no name."""
    return os.environ.get(name, "").strip() if name else ""


def _key(wire: Wire, address: str) -> str | None:
    own = wire.key_env(address)
    for name in (OWN_KEY, own) if own else ():
        value = _environment(name)
        if value:
            if not value.isascii() or not value.isprintable() or " " in value:
                raise UsageError(f"{name} holds something that is no key", field="model")
            return value
    return None


def _backend(model: str) -> str:
    return model.partition(";")[0].partition(":")[0]


def _named(model: str, wire: Wire) -> str:
    """The name with the model that is asked for where none is said.

    Raises:
        UsageError: the backend has no model of its own.
    """
    backend, _, name = model.partition(";")[0].partition(":")
    if not name:
        name = _environment(wire.model_env) or wire.model
    if not name:
        raise UsageError(f"{backend} needs a model", field="model", hint=f"{backend}:MODEL")
    return f"{backend}:{name}"


def _calibration(model: str, settings: Judging) -> Calibration | None:
    if settings.calibration is None:
        return None
    return load(settings.calibration, _backend(model), PROMPT.version)


def _fingerprint(calibration: Calibration) -> int:
    import zlib

    import msgspec

    return zlib.crc32(msgspec.json.encode(calibration))


def redaction(given: Redact | str | None) -> Redact | None:
    """The redaction hook, which may be named as ``module:attribute``.

    Raises:
        UsageError: it can't be imported, or is no function.
    """
    if not isinstance(given, str):
        return given
    module, _, attribute = given.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:  # noqa: BLE001 - importing runs somebody else's code
        raise UsageError(
            f"{given} can't be imported: {type(error).__name__}: {error}", field="redact"
        ) from None
    if not callable(found):
        raise UsageError(f"{given} is no function", field="redact", hint="it takes a path and a value")
    hook: Redact = found
    return hook


def from_environment(env: Mapping[str, str] | None = None) -> Judging:
    """The settings that the environment gives, for who asks from Python.

    Raises:
        OptionError: one of them can't be read.
    """
    env = os.environ if env is None else env
    found: dict[str, Any] = {}
    for field, (name, read) in _VARIABLES.items():
        value = env.get(name, "").strip()
        if value:
            try:
                found[field] = read(value)
            except (ValueError, RightcallError):
                raise OptionError(f"{name} is {value!r}, which can't be read", field=field) from None
    return Judging(**found)


def _flag(value: str) -> bool:
    return {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}.get(
        value.lower()
    ) or False


def _price(value: str) -> tuple[float, float]:
    left, _, right = value.partition(",")
    return float(left), float(right)


_VARIABLES: Final[dict[str, tuple[str, Callable[[str], Any]]]] = {
    "base_url": ("RIGHTCALL_BASE_URL", str),
    "offline": ("RIGHTCALL_OFFLINE", _flag),
    "cache": ("RIGHTCALL_JUDGE_CACHE", str),
    "replay": ("RIGHTCALL_REPLAY", _flag),
    "budget_usd": ("RIGHTCALL_BUDGET_USD", float),
    "budget_tokens": ("RIGHTCALL_BUDGET_TOKENS", int),
    "price": ("RIGHTCALL_PRICE", _price),
    "concurrency": ("RIGHTCALL_CONCURRENCY", int),
    "rate": ("RIGHTCALL_RATE", float),
    "deadline": ("RIGHTCALL_DEADLINE", float),
    "calibration": ("RIGHTCALL_CALIBRATION", str),
    "prior": ("RIGHTCALL_PRIOR", float),
    "redact": ("RIGHTCALL_REDACT", str),
}
"""The variables; on the command line they stand for the flags of the same names."""

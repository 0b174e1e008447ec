"""Configuration from [tool.rightcall] in pyproject.toml, or from rightcall.toml; flags and environment win."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..errors import OptionError, UnknownNameError

__all__ = ["load_config", "to_defaults", "with_gates"]


def load_config(folder: Path) -> tuple[dict[str, Any], str]:
    """The nearest configuration at or above a folder, and its file's name; empty where there is none.

    Raises:
        OptionError: a file that is not TOML.
    """
    for place in (folder, *folder.parents):
        own, shared = place / "rightcall.toml", place / "pyproject.toml"
        if os.path.isfile(own):  # noqa: PTH113 - Path.is_file raises where a folder can't be entered
            return _read(own), str(own)
        if os.path.isfile(shared):  # noqa: PTH113
            found = _read(shared).get("tool", {}).get("rightcall")
            if found is not None:
                if not isinstance(found, dict):
                    raise OptionError(f"tool.rightcall in {shared} is no table")
                return found, str(shared)
    return {}, ""


def _read(file: Path) -> dict[str, Any]:
    import tomllib  # most folders have nothing to read

    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise OptionError(f"{file} is not TOML: {error}") from None
    except OSError as error:
        raise OptionError(f"{file} can't be read: {error.strerror}") from None


_TABLES = ("threshold", "fail_under", "min_pass_rate", "map", "where")
"""Settings that may be a table of names; on the command line they are NAME=VALUE."""

_LISTS = (*_TABLES, "evaluator", "tag", "report")


_GATES = (
    *("fail_under", "min_pass_rate", "max_errors", "max_not_evaluated", "max_not_judged"),
    *("baseline", "max_regression", "strict_baseline", "no_gate"),
)
"""Settings that may also stand in a table ``[gates]``."""


def with_gates(found: Mapping[str, Any], file: str) -> dict[str, Any]:
    """The settings with those of the table ``[gates]`` among them.

    Raises:
        OptionError: it is no table, or a setting stands in it and beside it.
        UnknownNameError: a setting in it that is no gate.
    """
    whole = dict(found)
    gates = whole.pop("gates", {})
    if not isinstance(gates, Mapping):
        raise OptionError("gates is no table", field=file, hint="e.g. [gates] and below it baseline = ..")
    said = {key.replace("-", "_") for key in whole}
    for key, value in gates.items():
        name = key.replace("-", "_")
        if name not in _GATES:
            raise UnknownNameError("gate", key, _GATES, field=file)
        if name in said:
            raise OptionError(f"{key} stands in [gates] and beside it", field=file)
        whole[key] = value
    return whole


def to_defaults(found: Mapping[str, Any], known: Iterable[str], file: str) -> dict[str, Any]:
    """Settings as the values of flags.

    Raises:
        UnknownNameError: a setting that no flag has.
    """
    names = set(known)
    defaults: dict[str, Any] = {}
    for key, value in found.items():
        name = key.replace("-", "_")
        name = {"evaluators": "evaluator", "reports": "report", "tags": "tag"}.get(name, name)
        if name not in names:
            raise UnknownNameError("setting", key, {*names, "options"}, field=file)
        if name in _TABLES and isinstance(value, Mapping):
            defaults[name] = [f"{left}={_plain(right)}" for left, right in value.items()]
        elif name in _LISTS and not isinstance(value, list):
            defaults[name] = [_plain(value)]
        else:
            defaults[name] = [_plain(item) for item in value] if isinstance(value, list) else value
    return defaults


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

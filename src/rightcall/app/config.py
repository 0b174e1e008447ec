"""Configuration from [tool.rightcall] in pyproject.toml, or from rightcall.toml; flags and environment win."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..errors import OptionError, UnknownNameError

__all__ = ["load_config", "to_defaults"]


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

"""What the commands that score have in common: evaluators, options, thresholds and configuration from text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from ...core.declare import Evaluator
from ...core.jsonvalue import InvalidJSONError, decode
from ...errors import DataError, OptionError, UsageError
from ...run.sets import EVALUATORS, preset_members
from ..config import load_config, to_defaults, with_gates
from .judging import JUDGE_SETTINGS

__all__ = [
    "ConfiguredCommand",
    "choose",
    "parse_options",
    "parse_thresholds",
    "read_text",
    "resolve",
    "scoring_options",
    "split_words",
]

Command = TypeVar("Command", bound=Callable[..., Any])


def scoring_options(command: Command) -> Command:
    """The flags that decide how is scored."""
    for option in reversed(
        (
            click.option(
                "--option",
                "option",
                multiple=True,
                metavar="[ID.]NAME=JSON",
                help="A comparison option for all evaluators, or of one: ignore_case=true, "
                "tool_call_order.strict=true. Repeat it for more.",
            ),
            click.option(
                "--config-json",
                envvar="RIGHTCALL_CONFIG_JSON",
                metavar="JSON",
                help="Options as one JSON object; --option wins.",
            ),
            click.option(
                "--threshold",
                multiple=True,
                envvar="RIGHTCALL_THRESHOLD",
                metavar="[ID=]X",
                help="The score at which a case passes, for all evaluators or for one.",
            ),
            click.option(
                "--model",
                envvar="RIGHTCALL_MODEL",
                metavar="NAME",
                help="The judge: local (the default) or BACKEND[:MODEL]. Evaluators that ask none don't use it.",
            ),
            click.option(
                "--format",
                "format",
                default="auto",
                envvar="RIGHTCALL_FORMAT",
                metavar="ID",
                help="Format of the actual calls; told by their structure when left out.",
            ),
        )
    ):
        command = option(command)
    return command


class ConfiguredCommand(click.Command):
    """A command whose flags take their defaults from the configuration file."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse arguments over the file's settings."""
        found, file = load_config(Path.cwd())
        options = found.pop("options", {})
        if not isinstance(options, Mapping):
            raise OptionError("options is no table", field=file)
        known = {option.name for option in self.params}
        defaults = to_defaults(with_gates(found, file), _EVERY_SETTING, file)
        ctx.default_map = {name: value for name, value in defaults.items() if name in known}
        ctx.meta["rightcall.options"] = dict(options)
        return super().parse_args(ctx, args)


_EVERY_SETTING = (
    *(
        "evaluator",
        "suite",
        "preset",
        "expected",
        "tools",
        "format",
        "map",
        "threshold",
        "tag",
        "where",
        "out",
        "report",
    ),
    *("case_timeout", "fail_under", "min_pass_rate", "max_errors", "max_not_evaluated", "max_not_judged"),
    *("baseline", "max_regression", "strict_baseline", "no_gate", "config_json"),
    *("workers", "engine"),
    *JUDGE_SETTINGS,
)
"""What a configuration file may set; a command takes what it knows."""


def choose(context: click.Context) -> tuple[list[str], str | None]:
    """Evaluators and suite: what is said nearer replaces all of what is said farther away.

    With a preset, the evaluators are its own: all, or those that stand for the ones named.

    Raises:
        UsageError: a suite and a preset are said equally near.
    """
    words, suite = split_words(context.params["evaluator"]), context.params["suite"]
    rank: dict[ParameterSource | None, int] = {
        ParameterSource.COMMANDLINE: 3,
        ParameterSource.ENVIRONMENT: 2,
        ParameterSource.DEFAULT_MAP: 1,
    }
    said = {
        name: rank.get(context.get_parameter_source(name), 0) for name in ("evaluator", "suite", "preset")
    }
    preset = context.params.get("preset")
    if preset is not None and suite is not None and said["preset"] == said["suite"]:
        raise UsageError("give a suite or a preset, not both", field="preset", hint="see compare-presets")
    if preset is not None and said["preset"] >= max(said["evaluator"], said["suite"]):
        kept = words if said["evaluator"] == said["preset"] else []
        return [str(member) for member in preset_members(preset, kept)], None
    if said["evaluator"] > said["suite"]:
        suite = None
    elif said["suite"] > said["evaluator"]:
        words = []
    return words, suite


def split_words(values: Iterable[str]) -> list[str]:
    """Words that were given one by one, or several with commas between."""
    return [word.strip() for value in values for word in value.split(",") if word.strip()]


def resolve(words: Iterable[str]) -> list[str | Evaluator]:
    """Evaluators by id, or as ``module:attribute`` for one's own.

    Raises:
        UsageError: a module that can't be imported, or no evaluator in it.
    """
    return [_own(word) if ":" in word else word for word in words]


def _own(word: str) -> Evaluator:
    module, _, attribute = word.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except AttributeError:
        raise UsageError(f"{module} has no {attribute!r}", field="evaluator") from None
    except (Exception, SystemExit) as error:  # noqa: BLE001 - importing runs somebody else's code
        raise UsageError(
            f"{module} can't be imported: {type(error).__name__}: {error}", field="evaluator"
        ) from None
    if not hasattr(found, "declaration"):
        raise UsageError(
            f"{word} is not an evaluator", field="evaluator", hint="decorate it with @rightcall.evaluator"
        )
    evaluator: Evaluator = found
    return evaluator


def parse_options(context: click.Context, given: Iterable[str], config_json: str | None) -> dict[str, Any]:
    """Options from the configuration file, then ``--config-json``, then ``--option``; the later wins.

    Raises:
        OptionError: not of that form.
    """
    options: dict[str, Any] = dict(context.meta.get("rightcall.options", {}))
    if config_json:
        options = _over(options, _object(config_json))
    said: dict[str, Any] = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals or not name.strip():
            raise OptionError(
                f"{item!r} is not [ID.]NAME=JSON", field="option", hint="e.g. --option ignore_case=true"
            )
        # Ids of presets' rules have a dot themselves; names of options never do.
        evaluator, dot, inner = name.strip().rpartition(".")
        parsed = _value(value, name)
        before = said.get(name.strip())
        if isinstance(before, list) and isinstance(parsed, list):
            parsed = [*before, *parsed]
        elif before is not None:
            raise OptionError(
                "given twice", field=f"option {name.strip()}", hint="only lists of paths add up"
            )
        said[name.strip()] = parsed
        options = _over(options, {evaluator: {inner: parsed}} if dot else {inner: parsed})
    return options


def _object(config: str) -> dict[str, Any]:
    try:
        value = decode(config)
    except InvalidJSONError as error:
        raise OptionError(f"not valid JSON: {error}", field="config-json") from None
    if not isinstance(value, dict):
        raise OptionError("not an object of options", field="config-json", hint='e.g. {"ignore_case": true}')
    return value


def _value(written: str, name: str) -> Any:
    """JSON; a plain word counts as text, but what begins like an object or a text must be one."""
    try:
        return decode(written)
    except InvalidJSONError as error:
        if written.lstrip()[:1] in ("{", '"'):
            raise OptionError(f"not valid JSON: {error}", field=f"option {name}") from None
        return written


def _over(far: dict[str, Any], near: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(far)
    for name, value in near.items():
        held = merged.get(name)
        # A table that is one evaluator's adds up; a value that is a table (expected_counts) is replaced.
        if isinstance(value, Mapping) and isinstance(held, Mapping) and _is_evaluator(name):
            merged[name] = {**held, **value}
        else:
            merged[name] = value
    return merged


def _is_evaluator(name: str) -> bool:
    return name in EVALUATORS


def parse_thresholds(given: Iterable[str]) -> dict[str | None, float]:
    """``X`` or ``ID=X``.

    Raises:
        OptionError: not of that form.
    """
    found: dict[str | None, float] = {}
    for item in given:
        name, equals, number = item.rpartition("=")
        try:
            found[name if equals else None] = float(number)
        except ValueError:
            hint = "e.g. 0.8 or tool_call_args=0.8"
            raise OptionError(f"{item!r} is not X or ID=X", field="threshold", hint=hint) from None
    return found


def read_text(value: str | None, field: str) -> str | None:
    """A text as it is, or that of a file (``@file``), or of standard input (``-``).

    Raises:
        PathNotFoundError, DataError: the file does not exist or is no text.
    """
    from ...errors import PathNotFoundError, SourceError

    if value is None or (value != "-" and not value.startswith("@")):
        return value
    try:
        if value == "-":
            return sys.stdin.buffer.read().decode("utf-8-sig")
        return Path(value[1:]).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise PathNotFoundError(f"no such file: {value[1:]}", field=field) from None
    except UnicodeDecodeError as error:
        problem: DataError = SourceError(f"invalid UTF-8 at byte {error.start}", field=field)
        raise problem from None
    except OSError as error:
        raise SourceError(f"{value[1:]} can't be read: {error.strerror}", field=field) from None

"""The options of contract 2: what may be said, at which levels, and what holds in the end.

Options may be given for all evaluators, for one, for a tool, on the expected call, and where they take paths,
for paths. The nearer wins (path, call, tool, evaluator, all); `ignore` and `unordered` add up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal

from msgspec import Struct

from ..errors import OptionError, UnknownNameError, nearest
from .paths import matches, parse_pointer

__all__ = [
    "CALL_OPTIONS",
    "Comparison",
    "OptionSpec",
    "Setting",
    "Tolerance",
    "merge_layers",
    "parse_call_options",
]


class Tolerance(Struct, frozen=True):
    """How far numbers may differ: absolutely, or as a share of the expected value."""

    value: float
    relative: bool = False


class Setting(Struct, frozen=True):
    """An option that can be set for paths: a general value and values of single paths.

    `general` is None and `paths` is None where that level says nothing.
    """

    general: Any = None
    paths: tuple[tuple[str, Any], ...] | None = None

    def at(self, path: str) -> Any:
        """What holds at `path`: a value for the path, else the general one."""
        for pointer, value in self.paths or ():
            if matches(pointer, path):
                return value
        return self.general

    def __bool__(self) -> bool:
        return bool(self.general) or any(value for _, value in self.paths or ())

    def over(self, far: Setting, *, add: bool) -> Setting:
        """This level's setting over that of a farther level."""
        if add and self.paths is not None and far.paths is not None:
            paths: tuple[tuple[str, Any], ...] | None = (*self.paths, *far.paths)
        else:
            paths = self.paths if self.paths is not None else far.paths
        return Setting(self.general if self.general is not None else far.general, paths)


UNSET_SETTING: Final = Setting()

Args = Literal["exact", "allow_extra", "allow_missing", "ignore"]


class Comparison(Struct, frozen=True, kw_only=True):
    """How two argument objects are compared; the defaults are contract 2 without options."""

    args: Args = "exact"
    numeric_tolerance: Setting = UNSET_SETTING
    coerce_types: Setting = UNSET_SETTING
    null_equals_missing: Setting = UNSET_SETTING
    unordered: Setting = UNSET_SETTING
    ignore_case: Setting = UNSET_SETTING
    strip: Setting = UNSET_SETTING
    unicode: Setting = UNSET_SETTING
    decode_nested_json: Setting = UNSET_SETTING
    ignore: Setting = UNSET_SETTING
    schema_defaults: bool = False

    @property
    def is_equivalence(self) -> bool:
        """Whether equality under these options is transitive; where not, pairing is a maximum matching."""
        return self.args in ("exact", "ignore") and not self.numeric_tolerance

    @property
    def is_plain(self) -> bool:
        """Whether no option is in force."""
        return self == PLAIN

    @property
    def compares_as_written(self) -> bool:
        """Whether values are compared as they stand; `args` alone may say otherwise, of keys."""
        return self == Comparison(args=self.args)


PLAIN: Final = Comparison()


class OptionSpec(Struct, frozen=True, kw_only=True):
    """The declaration of one option.

    Attributes:
        name: as it is written.
        meaning: one line for help pages.
        form: what a value looks like.
        parse: checks a JSON value and gives the hashable one that is kept.
        default: what holds when nothing is said.
        adds_up: whether levels add up instead of replacing each other.
        schema: JSON Schema of a value; says less than `parse`, which alone decides.
    """

    name: str
    meaning: str
    form: str
    parse: Callable[[Any, str], Any]
    default: Any = None
    adds_up: bool = False
    schema: dict[str, Any] = {}


def parse_flag(value: Any, name: str) -> bool:
    """A boolean, and nothing that only looks like one."""
    if isinstance(value, bool):
        return value
    raise OptionError(f"{value!r} is not true or false", field=name)


def parse_choice(*choices: str) -> Callable[[Any, str], str]:
    """A parser for one of some words."""

    def parse(value: Any, name: str) -> str:
        if isinstance(value, str) and value in choices:
            return value
        near = nearest(value, choices) if isinstance(value, str) else None
        hint = f"did you mean {near!r}?" if near else f"one of: {', '.join(choices)}"
        raise OptionError(f"{value!r} is not possible here", field=name, hint=hint)

    return parse


def _parse_args(value: Any, name: str) -> str:
    # Other tools use these two words in both directions, so neither is taken.
    if value in ("subset", "superset"):
        raise OptionError(
            f"{value!r} means opposite things in different tools",
            field=name,
            hint="'allow_extra': the agent may add keys; 'allow_missing': it may leave keys out",
        )
    return parse_choice("exact", "allow_extra", "allow_missing", "ignore")(value, name)


def _flag_or_paths(value: Any, name: str) -> Setting:
    if isinstance(value, bool):
        return Setting(value)
    if isinstance(value, (list, tuple)):
        return Setting(None, tuple((parse_pointer(path, field=name), True) for path in value))
    raise OptionError(f"{value!r} is neither true, false nor a list of paths", field=name)


def _paths(value: Any, name: str) -> Setting:
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, (list, tuple)):
        raise OptionError(f"{value!r} is not a list of paths", field=name, hint="e.g. ['/request_id']")
    return Setting(None, tuple((parse_pointer(path, field=name), True) for path in value))


def _tolerance(value: Any, name: str) -> Tolerance:
    relative = isinstance(value, Mapping)
    number = value["rel"] if isinstance(value, Mapping) and set(value) == {"rel"} else value
    if (
        isinstance(number, (int, float))
        and not isinstance(number, bool)
        and math.isfinite(number)
        and number >= 0
    ):
        return Tolerance(number, relative)
    raise OptionError(
        f"{value!r} is not a tolerance", field=name, hint="a number from 0, {'rel': 0.01}, or {'/path': 0.1}"
    )


def _numeric_tolerance(value: Any, name: str) -> Setting:
    if isinstance(value, Mapping) and set(value) != {"rel"}:
        return Setting(
            None,
            tuple((parse_pointer(path, field=name), _tolerance(item, name)) for path, item in value.items()),
        )
    return Setting(_tolerance(value, name))


def _unicode(value: Any, name: str) -> Setting:
    form = parse_choice("NFC", "NFD", "NFKC", "NFKD")
    if isinstance(value, Mapping):
        return Setting(
            None, tuple((parse_pointer(path, field=name), form(item, name)) for path, item in value.items())
        )
    return Setting(form(value, name))


_FLAG_FORM = "true, or a list of paths"

_PATH: Final = {"type": "string", "pattern": "^/"}
_FLAG_SCHEMA: Final = {"anyOf": [{"type": "boolean"}, {"type": "array", "items": _PATH}]}
_NUMBER: Final = {"type": "number", "minimum": 0}
_TOLERANCE: Final = {
    "anyOf": [
        _NUMBER,
        {
            "type": "object",
            "properties": {"rel": _NUMBER},
            "required": ["rel"],
            "additionalProperties": False,
        },
    ]
}
_UNICODE: Final = {"enum": ["NFC", "NFD", "NFKC", "NFKD"]}


def _or_by_path(schema: dict[str, Any]) -> dict[str, Any]:
    """A value, or values for single paths."""
    table = {"type": "object", "propertyNames": _PATH, "additionalProperties": schema}
    return {"anyOf": [schema, table]}


CALL_OPTIONS: Final[dict[str, OptionSpec]] = {
    spec.name: spec
    for spec in (
        OptionSpec(
            name="args",
            meaning="how the top-level keys are compared",
            form="exact | allow_extra | allow_missing | ignore",
            schema={"enum": ["exact", "allow_extra", "allow_missing", "ignore"]},
            parse=_parse_args,
            default="exact",
        ),
        OptionSpec(
            name="numeric_tolerance",
            meaning="numbers may differ by this much, the boundary included",
            form="0.1, {'rel': 0.01}, or {'/path': 0.1}",
            schema=_or_by_path(_TOLERANCE),
            parse=_numeric_tolerance,
        ),
        OptionSpec(
            name="coerce_types",
            meaning="a text that is the JSON spelling of a number, boolean or null counts as that value",
            form=_FLAG_FORM,
            schema=_FLAG_SCHEMA,
            parse=_flag_or_paths,
        ),
        OptionSpec(
            name="null_equals_missing",
            meaning="a key with null counts as left out",
            form=_FLAG_FORM,
            schema=_FLAG_SCHEMA,
            parse=_flag_or_paths,
        ),
        OptionSpec(
            name="unordered",
            meaning="arrays are compared without order, repeats counted",
            form=_FLAG_FORM,
            schema=_FLAG_SCHEMA,
            parse=_flag_or_paths,
            adds_up=True,
        ),
        OptionSpec(
            name="ignore_case",
            meaning="texts ignore case",
            form=_FLAG_FORM,
            schema=_FLAG_SCHEMA,
            parse=_flag_or_paths,
        ),
        OptionSpec(
            name="strip",
            meaning="texts ignore outer blanks",
            form=_FLAG_FORM,
            schema=_FLAG_SCHEMA,
            parse=_flag_or_paths,
        ),
        OptionSpec(
            name="unicode",
            meaning="texts are compared in this Unicode normal form",
            form="NFC | NFD | NFKC | NFKD, or {'/path': 'NFC'}",
            schema=_or_by_path(_UNICODE),
            parse=_unicode,
        ),
        OptionSpec(
            name="decode_nested_json",
            meaning="a text that holds a JSON object or array counts as that value",
            form=_FLAG_FORM,
            schema=_FLAG_SCHEMA,
            parse=_flag_or_paths,
        ),
        OptionSpec(
            name="ignore",
            meaning="these paths are left out of both sides",
            form="a list of paths",
            schema={"anyOf": [_PATH, {"type": "array", "items": _PATH}]},
            parse=_paths,
            adds_up=True,
        ),
        OptionSpec(
            name="schema_defaults",
            meaning="a default that the tool's schema declares counts as written (needs tools)",
            form="true | false",
            schema={"type": "boolean"},
            parse=parse_flag,
            default=False,
        ),
    )
}
"""Options that can be given on a call, for a tool, for an evaluator or for all."""


def parse_call_options(written: Any, *, field: str) -> dict[str, Any]:
    """The options of one level, parsed.

    Raises:
        OptionError, UnknownNameError: with the field and the nearest right name.
    """
    if not isinstance(written, Mapping):
        raise OptionError(f"{written!r} is not an object of options", field=field)
    parsed: dict[str, Any] = {}
    for name, value in written.items():
        spec = CALL_OPTIONS.get(name)
        if spec is None:
            raise UnknownNameError("option", str(name), CALL_OPTIONS, field=field)
        parsed[name] = spec.parse(value, f"{field}.{name}" if field else name)
    return parsed


def merge_layers(layers: Iterable[Mapping[str, Any]]) -> Comparison:
    """What holds in the end. `layers` run from the farthest (all) to the nearest (the call)."""
    held: dict[str, Any] = {}
    for layer in layers:
        for name, value in layer.items():
            far = held.get(name)
            if isinstance(value, Setting) and isinstance(far, Setting):
                held[name] = value.over(far, add=CALL_OPTIONS[name].adds_up)
            else:
                held[name] = value
    return Comparison(**held)

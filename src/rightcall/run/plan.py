"""What will be run: evaluators with their options and thresholds, all checked before any work."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from .._version import __version__
from ..core.ask import Judge
from ..core.declare import BuiltIn, Declaration, Evaluator, Options
from ..core.jsonvalue import has_lone_surrogate
from ..core.names import name_rule, parse_name_map, parse_prefix
from ..core.options import (
    CALL_OPTIONS,
    OptionSpec,
    merge_layers,
    parse_call_options,
    parse_choice,
    parse_flag,
)
from ..core.pairing.alignments import Comparing
from ..core.signature import Signature
from ..core.summing.slices import Slice
from ..errors import MissingExtraError, OptionError, UnknownNameError, UsageError
from ..judging.settings import Judging
from .judging.judges import LOCAL, checked_model
from .judging.meanings import means
from .schemas import satisfies
from .sets import EVALUATORS, suite_members

__all__ = ["SHARED_OPTIONS", "Plan", "PlannedEvaluator", "make_plan", "options_of"]


def parse_per_tool(value: Any, name: str) -> dict[str, dict[str, Any]]:
    """Options for single tools, by name."""
    if not isinstance(value, Mapping):
        raise OptionError(
            f"{value!r} is not a table of tools", field=name, hint='e.g. {"search": {"args": "ignore"}}'
        )
    if has_lone_surrogate({str(tool): None for tool in value}):
        raise OptionError("a tool's name holds a lone surrogate (half of a character)", field=name)
    return {str(tool): parse_call_options(options, field=f"{name}.{tool}") for tool, options in value.items()}


SHARED_OPTIONS: Final[dict[str, tuple[str, OptionSpec]]] = {
    spec.name: (group, spec)
    for group, spec in (
        *(("arguments", spec) for spec in CALL_OPTIONS.values()),
        (
            "arguments",
            OptionSpec(
                name="per_tool",
                meaning="comparison options for calls of single tools",
                form='{"search": {"args": "ignore"}}',
                parse=parse_per_tool,
            ),
        ),
        (
            "names",
            OptionSpec(
                name="name_map",
                meaning="written tool names and the names they stand for",
                form='{"math_hcf": "math.hcf"}',
                parse=parse_name_map,
                default=(),
            ),
        ),
        (
            "names",
            OptionSpec(
                name="strip_name_prefix",
                meaning="a pattern; one match is taken from the start of names that the map does not have",
                form="mcp__[a-z]+__",
                parse=parse_prefix,
            ),
        ),
        (
            "failed",
            OptionSpec(
                name="ignore_failed",
                meaning="leave out calls that are recorded as failed",
                form="true | false",
                parse=parse_flag,
                default=False,
            ),
        ),
        (
            "repair",
            OptionSpec(
                name="repair_json",
                meaning="read broken argument texts as well as possible, and say so (extra: repair)",
                form="true | false",
                parse=parse_flag,
                default=False,
            ),
        ),
        (
            "arguments",
            OptionSpec(
                name="matchers",
                meaning="$ objects in expected arguments are matchers: in native calls (auto), everywhere, or nowhere",
                form="auto | on | off",
                parse=parse_choice("auto", "on", "off"),
                default="auto",
            ),
        ),
        (
            "groups",
            OptionSpec(
                name="groups",
                meaning="calls of one expected group may come in any order (use), or not (ignore)",
                form="use | ignore",
                parse=parse_choice("use", "ignore"),
                default="use",
            ),
        ),
    )
}
"""Options that several evaluators share, with the group under which an evaluator declares to honour them."""


class PlannedEvaluator(Struct, frozen=True):
    """One evaluator with everything that holds for it. `absent` says why it can't run here; None when it can."""

    evaluator: Evaluator
    options: Options
    absent: str | None = None

    @property
    def id(self) -> str:
        """Its registered name."""
        return self.evaluator.declaration.id


class Plan(Struct, frozen=True):
    """Evaluators in order, and the line that says how their numbers are made.

    `slices` are parts of the cases that are counted apart, since gates ask for them; they change no number.
    `model` is the judge that answers questions, None where no evaluator asks any; `judging` is how it is asked, or
    a judge of the user's own.
    """

    evaluators: tuple[PlannedEvaluator, ...]
    signature: str
    slices: tuple[Slice, ...] = ()
    model: str | None = None
    judging: Judging | Judge | None = None

    @property
    def is_built_in(self) -> bool:
        """Whether every evaluator ships with rightcall."""
        return all(isinstance(planned.evaluator, BuiltIn) for planned in self.evaluators)

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids in order."""
        return tuple(planned.id for planned in self.evaluators)


def options_of(declaration: Declaration) -> dict[str, OptionSpec]:
    """Every option that an evaluator honours, its own first."""
    own = {spec.name: spec for spec in declaration.options}
    groups = declaration.option_groups
    alike = "alike" in groups
    shared = {
        name: spec
        for name, (group, spec) in SHARED_OPTIONS.items()
        if group in groups or (alike and group == "arguments" and name not in _NOT_ALIKE)
    }
    return own | shared


_NOT_ALIKE: Final = ("numeric_tolerance", "matchers")
"""Options under which equality is no equivalence relation, whatever their value."""


def _honours(declaration: Declaration, name: str, value: Any) -> bool:
    """Whether an evaluator makes something of an option with this value.

    Raises:
        OptionError: it can't have this value.
    """
    options = options_of(declaration)
    if name not in options:
        return False
    return "alike" not in declaration.option_groups or not _bends(name, options[name].parse(value, name))


def _bends(name: str, parsed: Any) -> bool:
    """Whether equality is no equivalence relation under a parsed option."""
    if name == "per_tool":
        return any(_bends(inner, value) for given in parsed.values() for inner, value in given.items())
    return name in CALL_OPTIONS and not merge_layers([{name: parsed}]).is_equivalence


def _not_alike(name: str, field: str) -> OptionError:
    return OptionError(
        f"{name} has no such effect on calls that are compared with each other",
        field=field,
        hint="'the same call' has to mean the same in both directions; `ignore`, `coerce_types` and the like do that",
    )


def make_plan(
    evaluators: Sequence[str | Evaluator] | None = None,
    *,
    suite: str | None = None,
    options: Mapping[str, Any] | None = None,
    thresholds: Mapping[str | None, float] | None = None,
    model: str | Judge | None = None,
    judging: Judging | None = None,
) -> Plan:
    """Check a request and resolve it.

    Args:
        evaluators: ids or evaluators of one's own.
        suite: instead of, or in addition to, single evaluators.
        options: for all by name, and by evaluator id a table of options for that one.
        thresholds: by evaluator id; under None, for all.
        model: the judge by name, ``local`` unless given, or one of the user's own. Where no evaluator asks one, any
            text will do and is not used.
        judging: how a remote judge is asked; what the environment says where it is left out.

    Raises:
        UsageError: anything that is wrong, with the field and the nearest right name.
    """
    chosen = _chosen(evaluators, suite)
    ids = [evaluator.declaration.id for evaluator, _ in chosen]
    everywhere, single = _split(dict(options or {}), [evaluator.declaration for evaluator, _ in chosen])
    limits = _thresholds(thresholds or {}, ids)
    planned = tuple(
        _plan_one(evaluator, everywhere, single.get(evaluator.declaration.id, {}), limits, by_suite=by_suite)
        for evaluator, by_suite in chosen
    )
    asks = any(each.declaration.kind == "judge" for each, _ in chosen)
    judge = checked_model(LOCAL if model is None else model, judging) if asks else None
    own = None if model is None or isinstance(model, str) else model
    signature = Signature(
        version=__version__,
        evaluators=tuple(ids),
        options=dict(options or {}),
        thresholds=dict(limits),
        judge=None if judge == LOCAL else judge,
    )
    return Plan(planned, str(signature), model=judge, judging=(own or judging) if asks else None)


def _chosen(evaluators: Sequence[str | Evaluator] | None, suite: str | None) -> list[tuple[Evaluator, bool]]:
    found: dict[str, tuple[Evaluator, bool]] = {}
    for item in evaluators or ():
        evaluator = EVALUATORS.get(item, field="evaluator") if isinstance(item, str) else item
        if not hasattr(evaluator, "declaration"):
            raise UsageError(
                f"{item!r} is not an evaluator", field="evaluators", hint="see rightcall.evaluator"
            )
        name = evaluator.declaration.id
        mine = not isinstance(evaluator, BuiltIn)
        if mine and (name in EVALUATORS.own or (name in found and found[name][0] is not evaluator)):
            raise UsageError(
                f"two evaluators are called {name!r}", field="evaluators", hint="give yours another id"
            )
        found.setdefault(name, (evaluator, False))
    if suite is not None:
        for name in suite_members(suite):
            found.setdefault(name, (EVALUATORS.get(name), True))
    if not found:
        raise UsageError(
            "no evaluator is chosen", field="evaluators", hint="name one, or a suite such as 'agent'"
        )
    return list(found.values())


def _split(
    options: dict[str, Any], declarations: list[Declaration]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Options for all, and those by evaluator; every one must belong to an evaluator that is chosen."""
    known = {name for declaration in declarations for name in options_of(declaration)}
    by_id = {declaration.id: declaration for declaration in declarations}
    everywhere: dict[str, Any] = {}
    single: dict[str, dict[str, Any]] = {}
    for name, value in options.items():
        if name in known:
            if not any(_honours(declaration, name, value) for declaration in declarations):
                raise _not_alike(name, name)
            everywhere[name] = value
        elif name in by_id or (isinstance(value, Mapping) and name in EVALUATORS):
            if name not in by_id:
                raise OptionError(f"options for {name!r}, which is not chosen", field=name)
            single[name] = _of_one(by_id[name], value)
        elif name in CALL_OPTIONS and any("alike" in each.option_groups for each in declarations):
            raise _not_alike(name, name)
        else:
            raise UnknownNameError("option", name, known | set(by_id), field="options")
    return everywhere, single


def _of_one(declaration: Declaration, value: Any) -> dict[str, Any]:
    """The options of one evaluator; it must honour each."""
    name = declaration.id
    if not isinstance(value, Mapping):
        raise OptionError(f"{value!r} is not an object of options", field=name)
    honoured, alike = options_of(declaration), "alike" in declaration.option_groups
    for inner, given in value.items():
        if inner not in honoured and not (alike and inner in CALL_OPTIONS):
            raise UnknownNameError("option", str(inner), honoured, field=name)
        if not _honours(declaration, inner, given):
            raise _not_alike(str(inner), f"{name}.{inner}")
    return dict(value)


def _thresholds(given: Mapping[str | None, float], ids: list[str]) -> dict[str, float]:
    limits: dict[str, float] = {}
    for name, value in given.items():
        field = "threshold" if name is None else f"threshold {name}"
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or not 0 <= value <= 1:
            raise OptionError(f"{value!r} is not a number from 0 to 1", field=field)
        if name is not None and name not in ids:
            raise UnknownNameError("chosen evaluator", name, ids, field="threshold")
        for each in ids if name is None else (name,):
            if name is not None or each not in given:
                limits[each] = float(value)
    return limits


def _plan_one(
    evaluator: Evaluator,
    everywhere: Mapping[str, Any],
    single: Mapping[str, Any],
    limits: Mapping[str, float],
    *,
    by_suite: bool,
) -> PlannedEvaluator:
    declaration = evaluator.declaration
    honoured = options_of(declaration)
    far = {name: honoured[name].parse(value, name) for name, value in everywhere.items() if name in honoured}
    near = {name: honoured[name].parse(value, f"{declaration.id}.{name}") for name, value in single.items()}
    both = far | near
    own = {spec.name: both.get(spec.name, spec.default) for spec in declaration.options}
    absent = _absent(declaration, by_suite=by_suite)
    comparing = _comparing(far, near)
    # The path of a case with several is chosen under what holds for all, also for evaluators that honour less of it.
    shared = _comparing(
        {
            name: SHARED_OPTIONS[name][1].parse(value, name)
            for name, value in everywhere.items()
            if name in SHARED_OPTIONS
        },
        {},
    )
    if shared != comparing:
        comparing = replace(comparing, shared=shared)
    threshold = limits.get(declaration.id, declaration.threshold)
    options = Options(threshold=threshold, comparing=comparing, own=own, groups=both.get("groups", "use"))
    return PlannedEvaluator(evaluator, options, absent)


def _comparing(far: Mapping[str, Any], near: Mapping[str, Any]) -> Comparing:
    """How calls are seen under parsed options for all and for one evaluator."""
    both = {**far, **near}
    names = name_rule(both.get("name_map", ()), both.get("strip_name_prefix"))
    tables = (level["per_tool"] for level in (far, near) if level.get("per_tool"))
    return Comparing(
        layers=tuple(
            filter(
                None, ({name: level[name] for name in CALL_OPTIONS if name in level} for level in (far, near))
            )
        ),
        # A tool may be named as it is written or as the name options make it.
        per_tool=tuple({names(tool): given for tool, given in table.items()} for table in tables),
        names=names,
        ignore_failed=both.get("ignore_failed", False),
        repair=_repair() if both.get("repair_json") else None,
        matchers=both.get("matchers", "auto"),
        validate=satisfies,
        means=means,
    )


_EXTRA_MODULES: Final = {"schema": "jsonschema_rs", "semantic": "rapidfuzz"}


def _absent(declaration: Declaration, *, by_suite: bool) -> str | None:
    """Why an evaluator can't run here: its extra is not installed. Asked for by id, that is an error."""
    from importlib.util import find_spec

    extra = declaration.extra
    if extra is None or find_spec(_EXTRA_MODULES.get(extra, extra)) is not None:
        return None
    error = MissingExtraError(declaration.id, extra, field="evaluator")
    if not by_suite:
        raise error
    return str(error)


@cache
def _repair() -> Callable[[str], object]:
    try:
        import json_repair  # noqa: F401 - only whether it is there
    except ImportError:
        raise MissingExtraError("repair_json", "repair", field="repair_json") from None
    return repaired


def repaired(text: str) -> object:
    """A broken argument text, read as well as possible."""
    from json_repair import loads

    return loads(text)

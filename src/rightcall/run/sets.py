"""The open sets, by name. The only place that says which folder holds which kind of member."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.declare import Declaration, Evaluator, built_in
from ..core.peer import Preset, preset_of
from ..core.reading.format import Format, format_of
from ..core.registry import Registry, check_name
from ..core.writing import Writer, writer_of
from ..errors import UnknownNameError, nearest

__all__ = [
    "EVALUATORS",
    "FORMATS",
    "PRESETS",
    "WRITERS",
    "list_evaluators",
    "list_formats",
    "list_presets",
    "list_suites",
    "preset_members",
    "suite_members",
]

PRESETS: Registry[Preset] = Registry("rightcall.presets", "preset", preset_of)


class _Evaluators(Registry[Evaluator]):
    """The evaluators, with the rules of presets under ids of two parts: ``uipath.args``.

    Listings and suites show our own only; a preset's rules are asked for by name.
    """

    def __contains__(self, name: str) -> bool:
        preset, dot, _ = name.partition(".")
        return (
            name in PRESETS.get(preset).ids if dot and preset in PRESETS.own else super().__contains__(name)
        )

    def get(self, name: str, *, field: str | None = None) -> Evaluator:
        """The evaluator called `name`, or the rule of a preset.

        Raises:
            UnknownNameError: there is none; the error names the nearest.
        """
        preset, dot, _ = name.partition(".")
        if dot and preset in PRESETS.own and name not in self._loaded:
            return PRESETS.get(preset).evaluator(name, field=field)
        try:
            return super().get(name, field=field)
        except UnknownNameError as error:
            raise _unknown_evaluator(error, name) from None


def _unknown_evaluator(error: UnknownNameError, name: str) -> UnknownNameError:
    """The same error, with the nearest rule of a preset where that is meant."""
    if name in PRESETS.own:
        error.hint = (
            f"it is a preset: --preset {name}, or one of its rules: {', '.join(PRESETS.get(name).ids)}"
        )
    elif error.nearest is None or "." in name:
        rules = [rule for preset in PRESETS for rule in preset.ids]
        near = nearest(name, rules) or nearest(name, PRESETS.ids())
        if near is not None:
            error.nearest, error.hint = near, f"did you mean {near!r}?"
        else:
            error.hint = f"{error.hint}; or a rule of a preset, such as uipath.args"
    return error


EVALUATORS: Registry[Evaluator] = _Evaluators(
    "rightcall.evaluators", "evaluator", built_in, entry_points="rightcall.evaluators"
)
FORMATS: Registry[Format] = Registry("rightcall.formats", "format", format_of)
WRITERS: Registry[Writer] = Registry("rightcall.writers", "form to convert to", writer_of)


def list_evaluators() -> tuple[str, ...]:
    """Ids of all evaluators, in the order in which listings show them."""
    return tuple(declaration.id for declaration in _declarations())


def list_formats() -> tuple[str, ...]:
    """Ids of all formats."""
    return FORMATS.ids()


def list_presets() -> dict[str, tuple[str, ...]]:
    """Every preset with the ids of its evaluators."""
    return {preset.id: preset.ids for preset in PRESETS}


def preset_members(preset: str, chosen: Sequence[str | Evaluator] = ()) -> list[str | Evaluator]:
    """The evaluators of a preset: all of them, or the one that stands for each chosen id of ours or the tool's.

    Raises:
        UnknownNameError: there is no such preset, or it has no such rule.
    """
    found = PRESETS.get(preset, field="preset")
    if not chosen:
        return list(found.ids)
    return [
        found.evaluator(item, field="evaluator").declaration.id if isinstance(item, str) else item
        for item in chosen
    ]


def list_suites() -> dict[str, tuple[str, ...]]:
    """Every suite with its evaluators, in order. Evaluators say themselves which suites they belong to."""
    suites: dict[str, list[str]] = {}
    for declaration in _declarations():
        for suite in declaration.suites:
            suites.setdefault(suite, []).append(declaration.id)
    return {suite: tuple(members) for suite, members in sorted(suites.items())}


def suite_members(suite: str) -> tuple[str, ...]:
    """The evaluators of one suite.

    Raises:
        UnknownNameError: there is no such suite.
    """
    suites = list_suites()
    check_name("suite", suite, suites, field="suite")
    if suite not in suites:
        raise UnknownNameError("suite", suite, suites, field="suite")
    return suites[suite]


def _declarations() -> list[Declaration]:
    found = [evaluator.declaration for evaluator in EVALUATORS]
    return sorted(found, key=lambda declaration: (declaration.order, declaration.id))

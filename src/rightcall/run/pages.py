"""The page of an evaluator as plain data: what every interface shows of its declaration."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ..core.declare import Declaration, Example
from .plan import options_of

__all__ = ["EvaluatorPage", "OptionPage", "page_of"]


class OptionPage(Struct, frozen=True, kw_only=True):
    """An option as pages show it: `form` is what a value looks like."""

    name: str
    meaning: str
    form: str
    default: Any


class EvaluatorPage(Struct, frozen=True, kw_only=True):
    """A declaration with every option that the evaluator honours; fields as in :class:`Declaration`."""

    id: str
    meaning: str
    kind: str
    threshold: float
    inputs: tuple[str, ...]
    option_groups: tuple[str, ...]
    suites: tuple[str, ...]
    order: int
    pairs_calls: bool
    length_decides: bool
    extra: str | None
    cost: str
    result_shape: str
    aggregate: str
    mirrors: str | None
    related: tuple[str, ...]
    when_to_use: str
    when_not: str
    watch_out: str
    when_low: str
    example: Example | None
    questions: tuple[tuple[str, str], ...]
    options: tuple[OptionPage, ...]


def page_of(declaration: Declaration) -> EvaluatorPage:
    """The page of an evaluator."""
    said = {name: getattr(declaration, name) for name in EvaluatorPage.__struct_fields__ if name != "options"}
    options = tuple(
        OptionPage(
            name=spec.name,
            meaning=spec.meaning,
            form=spec.form,
            default=None if spec.default == () else spec.default,
        )
        for spec in options_of(declaration).values()
    )
    return EvaluatorPage(**said, options=options)

"""Everything that decides how the calls of a case are seen; evaluators that see them alike share their work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ..arguments import Repair
from ..matcher import Means, Validate
from ..names import EXACT_NAMES, NameRule

__all__ = ["Comparing", "frozen"]


class Comparing(Struct, frozen=True, kw_only=True):
    """Everything that decides how the calls of a case are seen. Equal ones share one view.

    Attributes:
        layers: parsed options, from the farthest level to the evaluator's; empty levels are left out.
        per_tool: parsed options by tool name, one table a level; empty ones are left out.
        names: the rule for tool names.
        ignore_failed: leave out actual calls that failed.
        repair: reads broken argument texts; None leaves them unreadable.
        matchers: whether ``$`` objects are matchers: ``auto`` (in native expected calls), ``on`` or ``off``.
        validate: judges values by the schema of ``$schema``.
        means: judges values by the meaning of ``$semantic``.
        shared: how calls are seen under the options that hold for every evaluator, where that is another way. Of
            several expected paths that are equally good it says which fits best.
    """

    layers: tuple[Mapping[str, Any], ...] = ()
    per_tool: tuple[Mapping[str, Mapping[str, Any]], ...] = ()
    names: NameRule = EXACT_NAMES
    ignore_failed: bool = False
    repair: Repair | None = None
    matchers: str = "auto"
    validate: Validate | None = None
    means: Means | None = None
    shared: Comparing | None = None

    def __hash__(self) -> int:
        repair = self.repair is not None  # equal ones differ in no answer, so the rest need not be told apart
        return hash(
            (
                frozen(self.layers),
                frozen(self.per_tool),
                self.names,
                self.ignore_failed,
                repair,
                self.matchers,
            )
        )

    @property
    def is_plain(self) -> bool:
        """Whether no comparison option is given on any level above the call."""
        return not self.layers and not self.per_tool


def frozen(value: Any) -> Any:
    """A value made of tables and lists, in a form that can be hashed."""
    if isinstance(value, Mapping):
        return frozenset((key, frozen(item)) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(frozen(item) for item in value)
    return value

"""One registry for every plural folder: the file name is the id, and a member is loaded when first used."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Generic, TypeVar

from ..errors import UnknownNameError, UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["Registry", "check_name"]

Member = TypeVar("Member")


class Registry(Generic[Member]):
    """The members of an open set.

    Args:
        package: dotted name of the plural folder.
        kind: what a member is called in messages, e.g. ``evaluator``.
        build: makes the member from its module.
        entry_points: group in which third parties announce members of their own; None when they can't.
    """

    def __init__(
        self,
        package: str,
        kind: str,
        build: Callable[[ModuleType], Member],
        *,
        entry_points: str | None = None,
    ) -> None:
        self._package = package
        self._kind = kind
        self._build = build
        self._group = entry_points
        self._loaded: dict[str, Member] = {}

    @cached_property
    def own(self) -> tuple[str, ...]:
        """Ids of the members that ship with rightcall, sorted. Nothing is imported but the package itself."""
        package = importlib.import_module(self._package)
        names = (module.name for module in pkgutil.iter_modules(package.__path__))
        return tuple(sorted(name for name in names if not name.startswith("_")))

    @cached_property
    def _foreign(self) -> dict[str, EntryPoint]:
        if self._group is None:
            return {}
        import importlib.metadata  # slow to import, and only needed for ids that are not our own

        return {point.name: point for point in importlib.metadata.entry_points(group=self._group)}

    def ids(self) -> tuple[str, ...]:
        """Ids of all members, those of third parties included."""
        return tuple(sorted({*self.own, *self._foreign, *self._loaded}))

    def __contains__(self, name: str) -> bool:
        return name in self._loaded or name in self.own or name in self._foreign

    def __iter__(self) -> Iterator[Member]:
        return map(self.get, self.ids())

    def add(self, name: str, member: Member) -> None:
        """Register a member made at run time, for this process."""
        self._loaded[name] = member

    def get(self, name: str, *, field: str | None = None) -> Member:
        """The member called `name`.

        Raises:
            UnknownNameError: there is none; the error names the nearest.
            UsageError: it is no name at all.
        """
        check_name(self._kind, name, self.own, field=field)
        if name not in self._loaded:
            if name in self.own:
                self._loaded[name] = self._build(importlib.import_module(f"{self._package}.{name}"))
            elif name in self._foreign:
                self._loaded[name] = self._foreign[name].load()
            else:
                raise UnknownNameError(self._kind, name, self.ids(), field=field)
        return self._loaded[name]


def check_name(kind: str, name: object, known: Iterable[str], *, field: str | None) -> None:
    """Refuse what is no text and so the name of nothing, as a caller in Python may pass it.

    Raises:
        UsageError: the hint has the names that there are.
    """
    if not isinstance(name, str):
        hint = f"one of: {', '.join(sorted(known))}"
        raise UsageError(f"{name!r} is not the name of a {kind}", field=field, hint=hint)

"""How a request says what to score with, and the plan that comes of it."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Collection, Sequence
from threading import Lock
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from ...errors import OptionError, RightcallError, UsageError
from ...run.gates import Gate, Gates, parse_gate
from ...run.judging.judges import JUDGES, LOCAL
from ...run.plan import Plan, make_plan
from ...run.sets import preset_members

__all__ = ["Asked", "GatesAsked", "gates_of", "plan_of"]


class Asked(Struct, frozen=True, kw_only=True):
    """What to score with; the same words as in Python.

    Attributes:
        evaluators: ids.
        suite: a suite, instead of or beside them.
        preset: another tool's rules.
        config: options for all by name, and by evaluator id a table of options for that one.
        threshold: the score at which a result passes: for all, or by evaluator id.
        model: the judge; evaluators that ask none don't use it.
    """

    evaluators: tuple[str, ...] = ()
    suite: str | None = None
    preset: str | None = None
    config: dict[str, Any] = {}
    threshold: float | dict[str, float] | None = None
    model: str | None = None


class GatesAsked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is asked of a run; as the flags of ``rightcall run``.

    Attributes:
        fail_under: the mean must reach this: of every evaluator, or by ``ID``, ``ID@tag:NAME`` or ``ID@tool:NAME``.
        min_pass_rate: the same, of the share of cases that pass.
        max_errors: so many cases may end in error.
        max_not_evaluated: so many cases may be without any score; None is any number.
    """

    fail_under: float | dict[str, float] | None = None
    min_pass_rate: float | dict[str, float] | None = None
    max_errors: Annotated[int, Meta(ge=0)] = 0
    max_not_evaluated: Annotated[int, Meta(ge=0)] | None = None


def gates_of(asked: GatesAsked, evaluators: Sequence[str]) -> Gates:
    """The gates that are asked for.

    Raises:
        OptionError, UnknownNameError: no number from 0 to 1, or an evaluator that is not chosen.
    """
    single: list[Gate] = []
    for kind in ("fail_under", "min_pass_rate"):
        said = getattr(asked, kind)
        table = {} if said is None else said if isinstance(said, dict) else {"": said}
        try:
            single += [
                parse_gate(f"{name}={least}" if name else str(least), kind, evaluators)
                for name, least in table.items()
            ]
        except UsageError as error:
            error.field = f"gates.{kind}"
            raise
    return Gates(single=tuple(single), max_errors=asked.max_errors, max_not_evaluated=asked.max_not_evaluated)


_REMEMBERED: Final = 256
_plans: OrderedDict[bytes, Plan] = OrderedDict()
_lock = Lock()
_FIELDS: Final = Asked.__struct_fields__


def plan_of(asked: Asked, judges: Collection[str] | None = ()) -> Plan:
    """The plan of a request; clients mostly ask for the same again.

    Args:
        asked: by a client.
        judges: the judges beside the local one that it may name; None is any, of a request that was let in before.

    Raises:
        UsageError: what is asked for can't be; `field` says what.
    """
    _check_judge(asked, judges)
    key = msgspec.json.encode([getattr(asked, name) for name in _FIELDS])
    with _lock:
        plan = _plans.get(key)
        if plan is not None:
            _plans.move_to_end(key)
            return plan
    plan = _made(asked)
    with _lock:
        _plans[key] = plan
        if len(_plans) > _REMEMBERED:
            _plans.popitem(last=False)
    return plan


def _check_judge(asked: Asked, judges: Collection[str] | None) -> None:
    """Whoever may score must not be able to spend what a judge costs: it takes the server's word for which ones."""
    if judges is None or asked.model in (None, LOCAL) or asked.model in judges:
        return
    if plan_of(msgspec.structs.replace(asked, model=None)).model is None:
        return  # nothing that is asked for uses a judge
    JUDGES.get(str(asked.model).partition(":")[0], field="model")
    hint = f"it offers {', '.join((LOCAL, *judges))}; RIGHTCALL_JUDGES names more"
    raise OptionError(f"this server does not offer the judge {asked.model!r}", field="model", hint=hint)


_RENAMED: Final = {"evaluator": "evaluators", "options": "config"}
_OPTIONS: Final = re.compile(rf"(?!(?:{'|'.join(_FIELDS)})\b)\w+")
"""Fields of errors that name an option by itself: it stands in `config`."""


def _made(asked: Asked) -> Plan:
    chosen: list[Any] = list(asked.evaluators)
    if asked.preset is not None:
        if asked.suite is not None:
            raise UsageError("give a suite or a preset, not both", field="preset")
        chosen = preset_members(asked.preset, chosen)
    for name in chosen:
        if isinstance(name, str) and ":" in name:
            raise UsageError(
                "evaluators of one's own are not run by a server", field="evaluators", hint="rightcall run"
            )
    given = asked.threshold
    limits: dict[str | None, float] = (
        {} if given is None else dict(given.items()) if isinstance(given, dict) else {None: given}
    )
    try:
        return make_plan(
            chosen, suite=asked.suite, options=asked.config, thresholds=limits, model=asked.model
        )
    except RightcallError as error:
        field = _RENAMED.get(error.field or "", error.field)
        error.field = f"config.{field}" if field is not None and _OPTIONS.match(field) else field
        raise

"""What the page's first sight shows: the summary, bounded, and the comparison where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..core.summing.comparison import Comparison
from ..core.summing.records import WhatIfs
from ..core.summing.summary import EvaluatorSummary, RunSummary, WhatIf
from ..errors import SourceError
from .packed import cut, plain

__all__ = ["pack_overview", "pointed_at"]

_TOOLS: Final = 500
"""Tools in the table: those with the most calls that were not exact."""

CONFUSED: Final = 40
"""Tools on a side of the heat map; of more tools those that were confused are drawn."""

_APART: Final = ("evaluators", "signature")

_OWN: Final = ("tools", "confusion", "causes", "slices")
"""What of an evaluator is not sent as it is."""

_CHANGES: Final = 2000
_OPTION: Final = 8000


def pack_overview(
    run: str, summary: RunSummary | None, comparison: Comparison | None, what_ifs: WhatIfs | None = None
) -> dict[str, Any]:
    """The data of the overview and of the comparison; without a summary the page shows a comparison alone."""
    packed: dict[str, Any] = {"run": cut(run)}
    if summary is not None:
        packed |= plain(
            {name: getattr(summary, name) for name in RunSummary.__struct_fields__ if name not in _APART}
        )
        # It is made to be copied as a whole, so it is not cut where other texts are.
        packed["signature"] = cut(summary.signature, _OPTION)
        packed["evaluators"] = [
            {"name": cut(name)} | _evaluator(found) for name, found in summary.evaluators.items()
        ]
    if what_ifs is not None:
        packed["what_ifs"] = [_what_if(found) for found in _found(what_ifs)]
    if comparison is not None:
        packed["comparison"] = _comparison(comparison)
    return packed


def _found(what_ifs: WhatIfs) -> Sequence[WhatIf]:
    try:
        return what_ifs()
    except SourceError:
        return ()  # the case view says that a source has changed


def _what_if(found: WhatIf) -> dict[str, Any]:
    packed: dict[str, Any] = plain(found)
    packed["evaluators"] = [
        {"name": cut(name)} | plain(change)
        for name, change in sorted(found.evaluators.items(), key=lambda item: -abs(item[1].gained))
    ]
    return packed


_POINTED: Final = 200


def pointed_at(summary: RunSummary, comparison: Comparison | None) -> set[str]:
    """The ids of cases that the overview and the comparison lead to: their details have to be there."""
    examples = {case_id for cause in summary.causes for case_id in cause.examples}
    changes = comparison.changes if comparison is not None else ()
    return examples | {change.id for change in changes[:_POINTED]}


def _evaluator(found: EvaluatorSummary) -> dict[str, Any]:
    packed: dict[str, Any] = plain(
        {name: getattr(found, name) for name in EvaluatorSummary.__struct_fields__ if name not in _OWN}
    )
    packed["slices"] = [{"name": cut(name)} | plain(part) for name, part in found.slices.items()]
    worst = sorted(
        found.tools.items(), key=lambda item: -(item[1].name_only + item[1].missing + item[1].extra)
    )
    packed["tools"] = [
        [cut(name), tool.expected, tool.made, tool.exact, tool.name_only, tool.missing, tool.extra]
        for name, tool in worst[:_TOOLS]
    ]
    packed["tools_left_out"] = len(worst) - len(packed["tools"])
    packed["confusion"] = _confusion(found.confusion)
    return packed


def _confusion(table: dict[str, dict[str, int]]) -> dict[str, Any]:
    """The heat map as tools and cells (expected, made, number); ``""`` stands for "none"."""
    wrong: dict[str, int] = {}
    for expected, row in table.items():
        for made, number in row.items():
            wrong.setdefault(expected, 0)
            wrong.setdefault(made, 0)
            if expected != made:
                wrong[expected] += number
                wrong[made] += number
    tools = [name for name in wrong if name]
    if len(tools) > CONFUSED:
        # A tool that is in no confusion is not worth a row among so many.
        tools = sorted((name for name in tools if wrong[name]), key=lambda name: -wrong[name])[:CONFUSED]
    tools.sort()
    drawn = [*tools, *([""] if "" in wrong else [])]
    place = {name: number for number, name in enumerate(drawn)}
    cells = [
        [place[expected], place[made], number]
        for expected, row in table.items()
        for made, number in row.items()
        if expected in place and made in place
    ]
    return {
        "tools": [cut(name) for name in drawn],
        "cells": cells,
        "of": len([name for name in wrong if name]),
    }


def _comparison(comparison: Comparison) -> dict[str, Any]:
    packed: dict[str, Any] = plain(comparison)
    packed["evaluators"] = [
        {"name": cut(name)} | plain(found) for name, found in comparison.evaluators.items()
    ]
    packed["changes"] = plain(comparison.changes[:_CHANGES])
    return packed

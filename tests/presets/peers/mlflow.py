"""Scores of MLflow's ToolCallCorrectness where it matches exactly.

The package is installed without what it depends on, so the scorer's own functions are run, cut out of its files,
on calls as its reader of traces makes them.
"""

from __future__ import annotations

import ast
import json
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

HERE = str(Path(__file__).parent)
sys.path[:] = [path for path in sys.path if path != HERE]  # this file has the name of the package
_found = find_spec("mlflow")
ROOT = Path((_found.submodule_search_locations or [""])[0]) if _found is not None else Path()
sys.path.append(HERE)
harness: Any = import_module("harness")


class FunctionCall(SimpleNamespace):
    """Name and arguments: what the functions read of a call."""


def _cut(path: str, *names: str, inside: str | None = None) -> dict[str, Any]:
    """Functions of a file of the package, with the little that they look up."""
    body: list[Any] = ast.parse((ROOT / path).read_text()).body
    if inside is not None:
        body = next(node for node in body if isinstance(node, ast.ClassDef) and node.name == inside).body
    chosen = [node for node in body if isinstance(node, ast.FunctionDef) and node.name in names]
    for node in chosen:
        node.body = [item for item in node.body if not isinstance(item, ast.ImportFrom)]
    rating = SimpleNamespace(YES="yes", NO="no")
    room: dict[str, Any] = {
        "json": json,
        "Any": Any,
        "MlflowException": ValueError,
        "CategoricalRating": rating,
        "Feedback": SimpleNamespace,
        "AssessmentSource": SimpleNamespace,
        "FunctionCall": FunctionCall,
        "AssessmentSourceType": SimpleNamespace(CODE="code"),
    }
    module = ast.Module(body=[_future(), *chosen], type_ignores=[])
    exec(compile(ast.fix_missing_locations(module), path, "exec"), room)  # noqa: S102 - the peer's own code
    return room


def _future() -> ast.ImportFrom:
    return ast.ImportFrom(module="__future__", names=[ast.alias(name="annotations")], level=0)


helpers = _cut(
    "genai/scorers/scorer_utils.py",
    *("parse_tool_call_expectations", "normalize_tool_call_arguments", "get_tool_call_signature"),
)
methods = _cut(
    "genai/scorers/builtin_scorers.py",
    *("_evaluate_exact_ordered", "_evaluate_exact_unordered", "__call__"),
    inside="ToolCallCorrectness",
)
methods.update(helpers)


def score(case: dict[str, Any], rule: str, options: dict[str, Any]) -> float:
    """One mode on one case."""
    expected = [{"name": call["name"], **harness.given(call, "arguments")} for call in case["expected"]]
    made = [
        FunctionCall(name=call["name"], arguments=harness.decoded(call.get("arguments")) or None)
        for call in case["actual"]
    ]
    room = {
        "extract_request_from_trace": str,
        "extract_available_tools_from_trace": str,
        "extract_tools_called_from_trace": lambda _: made,
    }
    methods.update(room)
    scorer = SimpleNamespace(
        name="x", should_exact_match=True, should_consider_ordering=rule == "exact_ordered"
    )
    for name in ("_evaluate_exact_ordered", "_evaluate_exact_unordered"):
        setattr(scorer, name, methods[name].__get__(scorer))
    told = methods["__call__"](scorer, trace=None, expectations={"expected_tool_calls": expected})
    return float(told.value == "yes")


if __name__ == "__main__":
    harness.serve("mlflow", score)

"""rightcall says whether an AI agent made the right tool calls.

    >>> from rightcall import evaluate
    >>> result = evaluate("tool_call_accuracy", output='[{"name": "f", "arguments": {}}]', expected="[]")
    >>> result.score
    0.0

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._version import __version__

if TYPE_CHECKING:
    from .core.own import evaluator
    from .core.results import Alignment, Difference, Pair, Result
    from .core.summing.comparison import Comparison
    from .core.summing.finished import Run
    from .core.types import Case, ToolCall, Trace
    from .errors import (
        CallError,
        DataError,
        EvaluatorError,
        ExpectationError,
        OptionError,
        RightcallError,
        UnknownNameError,
        UsageError,
    )
    from .run.api import evaluate, evaluate_cases, list_evaluators, list_formats, list_suites, read, read_all
    from .run.comparing.compare import compare

_HOME = {
    "Alignment": "core.results",
    "CallError": "errors",
    "Case": "core.types",
    "Comparison": "core.summing.comparison",
    "DataError": "errors",
    "Difference": "core.results",
    "EvaluatorError": "errors",
    "ExpectationError": "errors",
    "OptionError": "errors",
    "Pair": "core.results",
    "Result": "core.results",
    "RightcallError": "errors",
    "Run": "core.summing.finished",
    "ToolCall": "core.types",
    "Trace": "core.types",
    "UnknownNameError": "errors",
    "UsageError": "errors",
    "compare": "run.comparing.compare",
    "evaluate": "run.api",
    "evaluate_cases": "run.api",
    "evaluator": "core.own",
    "list_evaluators": "run.api",
    "list_formats": "run.api",
    "list_suites": "run.api",
    "read": "run.api",
    "read_all": "run.api",
}

__all__ = [
    "Alignment",
    "CallError",
    "Case",
    "Comparison",
    "DataError",
    "Difference",
    "EvaluatorError",
    "ExpectationError",
    "OptionError",
    "Pair",
    "Result",
    "RightcallError",
    "Run",
    "ToolCall",
    "Trace",
    "UnknownNameError",
    "UsageError",
    "__version__",
    "compare",
    "evaluate",
    "evaluate_cases",
    "evaluator",
    "list_evaluators",
    "list_formats",
    "list_suites",
    "read",
    "read_all",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'rightcall' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"rightcall.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

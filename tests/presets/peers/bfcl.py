"""Verdicts of BFCL's AST checker. Its table of models is replaced by two: one that keeps dots, one that can't."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any

harness: Any = import_module("harness")
table: Any = ModuleType("bfcl_eval.constants.model_config")
table.MODEL_CONFIG_MAPPING = {
    "exact": SimpleNamespace(underscore_to_dot=False),
    "mangled": SimpleNamespace(underscore_to_dot=True),
}
sys.modules["bfcl_eval.constants.model_config"] = table
for name in ("java", "js"):  # converters for other languages, which need parsers of their own
    made: Any = ModuleType(f"bfcl_eval.eval_checker.ast_eval.type_convertor.{name}_type_converter")
    setattr(made, f"{name}_type_converter", None)
    sys.modules[made.__name__] = made
checker: Any = import_module("bfcl_eval.eval_checker.ast_eval.ast_checker")
language: Any = import_module("bfcl_eval.constants.enums").Language


def score(case: dict[str, Any], rule: str, options: dict[str, Any]) -> float:
    """One answer against its accepted values."""
    expected = [{call["name"]: call["arguments"]} for call in case["expected_any"]]
    output = [{call["name"]: harness.decoded(call.get("arguments", {}))} for call in case["actual"]]
    if not expected:
        return float(not output)
    result = checker.ast_checker(
        case["tools"], output, expected, language.PYTHON, case.get("category", "parallel"), options["names"]
    )
    return float(result["valid"])


if __name__ == "__main__":
    harness.serve("bfcl", score)

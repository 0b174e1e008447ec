"""What is computed on each input: by peer, a name, the rule of the preset and its options."""

from __future__ import annotations

from typing import Any

Variants = dict[str, tuple[str, dict[str, Any]]]

_MODES = ("exact", "ignore", "subset", "superset")
_PARAMS: dict[str, list[str]] = {
    "names": [],
    "input": ["input_parameters"],
    "output": ["output"],
    "both": ["input_parameters", "output"],
}

VARIANTS: dict[str, Variants] = {
    "uipath": {
        "args.subset": ("args", {"strict": False, "subset": True, "match_by_id": False}),
        **{
            f"{rule}{'.strict' * strict}{'.ids' * ids}": (rule, {"strict": strict, "match_by_id": ids})
            for rule in ("args", "order", "count", "output")
            for strict in (False, True)
            for ids in (False, True)
        },
    },
    "agentevals": {
        **{
            f"{rule}.{mode}": (rule, {"tool_args_match_mode": mode})
            for rule in ("strict", "unordered", "subset", "superset")
            for mode in _MODES
        },
        **{
            f"{rule}.overrides": (
                rule,
                {"tool_args_match_overrides": {"f": ["x", "y.k"], "g": "ignore", "h": "superset", "F": []}},
            )
            for rule in ("strict", "unordered", "subset", "superset")
        },
    },
    "deepeval": {
        **{
            f"{rule}.{name}": (rule, {"evaluation_params": params})
            for rule in ("arguments", "ordered", "exact")
            for name, params in _PARAMS.items()
        },
        "default": ("default", {}),
        "default.strict": ("default", {"strict_mode": True}),
        "arguments.strict": ("arguments", {"strict_mode": True}),
    },
    "ragas": {
        "accuracy": ("accuracy", {}),
        "accuracy.any_order": ("accuracy", {"strict_order": False}),
        "f1": ("f1", {}),
    },
    "adk": {
        f"{rule}{'.names' * names}": (rule, {"ignore_args": names})
        for rule in ("exact", "in_order", "any_order")
        for names in (False, True)
    },
    "mlflow": {"exact_unordered": ("exact_unordered", {}), "exact_ordered": ("exact_ordered", {})},
    "bfcl": {"exact": ("ast", {"names": "exact"}), "mangled": ("ast", {"names": "mangled"})},
}

PACKAGES: dict[str, tuple[str, ...]] = {
    "uipath": ("uipath==2.14.44",),
    "agentevals": ("agentevals==0.0.9",),
    "deepeval": ("deepeval==4.3.1",),
    "ragas": ("ragas==0.4.3",),
    "adk": ("google-adk==2.13.0",),
    "mlflow": ("--no-deps", "mlflow==3.18.0"),
    "bfcl": ("--no-deps", "bfcl-eval==2026.3.23"),
}
"""What pip installs for each peer. Two are taken without what they depend on: their scorers need next to nothing."""

"""The public names are a list, and this is it. A change here is a change for every user: note it."""

from __future__ import annotations

import importlib
import subprocess
import sys
from importlib import resources

import pytest

import rightcall

PUBLIC = [
    *(
        "Alignment",
        "CallError",
        "Case",
        "Comparison",
        "DataError",
        "Difference",
        "EvaluatorError",
        "ExpectationError",
    ),
    *("OptionError", "Pair", "Result", "RightcallError", "Run", "ToolCall", "Trace", "UnknownNameError"),
    *("UsageError", "__version__", "compare", "evaluate", "evaluate_cases", "evaluator", "list_evaluators"),
    *("list_formats", "list_suites", "read", "read_all"),
]
SUBPACKAGES = {
    "app",
    "core",
    "evaluators",
    "formats",
    "presets",
    "judges",
    "reports",
    "run",
    "stats",
    "errors",
}


def test_the_public_names_are_exactly_these() -> None:
    assert rightcall.__all__ == PUBLIC
    assert dir(rightcall) == sorted(PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_each_can_be_had_and_says_what_it_is(name: str) -> None:
    value = getattr(rightcall, name)
    assert value is getattr(rightcall, name)
    if name != "__version__":
        assert value.__doc__
        assert value.__name__ == name


def test_no_public_name_is_that_of_a_subpackage() -> None:
    assert not SUBPACKAGES & set(PUBLIC)


def test_a_star_import_gives_them_all() -> None:
    found: dict[str, object] = {}
    exec("from rightcall import *", found)  # noqa: S102 - the statement itself is under test
    assert set(PUBLIC) <= set(found)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = rightcall.no_such_name


def test_it_is_typed() -> None:
    assert resources.files("rightcall").joinpath("py.typed").is_file()


def test_errors_form_one_family() -> None:
    errors = importlib.import_module("rightcall.errors")
    classes = [getattr(errors, name) for name in errors.__all__ if isinstance(getattr(errors, name), type)]
    assert all(issubclass(kind, rightcall.RightcallError) for kind in classes)
    slugs = [kind.slug for kind in classes]
    assert len(set(slugs)) == len(slugs)
    assert {kind.exit_code for kind in classes} <= {1, 2, 3, 4, 130}
    for kind in classes:
        assert kind.__name__ in (errors.__doc__ or ""), "drawn in the tree"


def test_importing_it_loads_no_third_party_module() -> None:
    code = (
        "import sys; before = set(sys.modules); import rightcall; "
        "new = {name.partition('.')[0] for name in set(sys.modules) - before} - sys.stdlib_module_names; "
        "print(sorted(new))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['rightcall']"

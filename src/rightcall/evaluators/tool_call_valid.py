"""tool_call_valid: the share of calls that name an offered tool and satisfy its JSON Schema."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import msgspec

from ..core.alignments import Alignments
from ..core.ask import Answers, no_questions
from ..core.declare import Declaration, Example, Options
from ..core.jsonvalue import show
from ..core.results import Details, Difference, Result
from ..core.scoring import scored
from ..core.types import Case, ToolSpec
from ..errors import MissingExtraError, RecordError, nearest

DECLARATION = Declaration(
    id="tool_call_valid",
    meaning="share of calls that name an offered tool and satisfy its JSON Schema",
    inputs=("actual", "tools"),
    option_groups=("names", "failed", "repair"),
    order=100,
    extra="schema",
    result_shape="calls: valid, problem and violations of each call",
    aggregate="mean; the schema paths that are violated most often",
    related=("forbidden_tools", "tool_call_args"),
    when_to_use="Without any expected calls, on production traces: did the agent speak the tools' language?",
    when_not="To judge whether the call was the right one: a valid call can be the wrong call.",
    watch_out="Draft 2020-12 unless $schema says otherwise; `format` is not asserted.",
    when_low="An unknown tool is usually an old prompt; a type violation is usually a vague description.",
    example=Example(
        actual=[{"name": "page", "arguments": {"n": "2"}}],
        tools=[{"name": "page", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}],
        score=0.0,
    ),
)

questions = no_questions


def score(case: Case, alignments: Alignments, answers: Answers, options: Options) -> Result:
    """Score one case."""
    total = alignments.actual_count
    if not total:
        return scored(DECLARATION, options, 1, "No call was made.")
    specs = alignments.specs()
    calls: list[dict[str, Any]] = []
    found: list[Difference] = []
    for index in alignments.actual_indexes:
        problems = _problems(alignments, index, specs)
        found += problems
        calls.append(
            {"call": index, "valid": not problems, "problem": problems[0].message if problems else None}
        )
    valid = sum(1 for call in calls if call["valid"])
    reason = f"{valid}/{total} calls are valid."
    if found:
        reason += " " + "; ".join(item.message for item in found[:3]) + "."
    details = Details(differences=tuple(found), measures={"calls": calls})
    return scored(DECLARATION, options, Fraction(valid, total), reason, details=details)


def _problems(alignments: Alignments, index: int, specs: dict[str, ToolSpec]) -> list[Difference]:
    name = alignments.actual_names[index]
    spec = specs.get(name)
    if spec is None:
        near = nearest(name, specs)
        hint = f" (did it mean {near}?)" if near else ""
        message = f"{name}: unknown tool{hint}"
        return [Difference(kind="unknown_tool", message=message, tool=name, actual_call=index)]
    reading = alignments.reading(index)
    if reading.value is None:
        message = f"{name}: {reading.problem}"
        return [Difference(kind="unreadable_arguments", message=message, tool=name, actual_call=index)]
    if spec.schema is None:
        return []
    return [
        Difference(
            kind="schema",
            path=path,
            message=f"{name}: {text}",
            tool=name,
            actual_call=index,
        )
        for path, text in violations(spec, reading.value)
    ]


def violations(spec: ToolSpec, arguments: dict[str, Any]) -> list[tuple[str, str]]:
    """(JSON pointer, message) of everything in `arguments` that the tool's schema does not allow."""
    validator = _validator(msgspec.json.encode(spec.schema), spec.name)
    found: list[tuple[str, str]] = []
    for error in validator.iter_errors(arguments):
        path = "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in error.instance_path)
        found.append((path, f"{path[1:] + ' ' if path else ''}{show(error.message, 200)[1:-1]}"))
    return sorted(found)


@lru_cache(maxsize=1024)
def _validator(schema: bytes, tool: str) -> Any:
    try:
        return validator_of(schema)
    except ImportError:
        raise MissingExtraError("tool_call_valid", "schema") from None
    except ValueError as error:
        raise RecordError(
            f"the schema of {tool} is not a valid JSON Schema: {error}", field="tools"
        ) from None


def validator_of(schema: bytes, **how: Any) -> Any:
    """A validator for a schema as JSON: formats are not asserted, nothing outside the schema is fetched.

    Args:
        schema: the schema.
        how: further options of the library.

    Raises:
        ImportError: the extra ``schema`` is not installed.
        ValueError: it is no schema, or refers to something outside itself.
    """
    import jsonschema_rs

    try:
        return jsonschema_rs.validator_for(
            msgspec.json.decode(schema), validate_formats=False, retriever=_refuse, **how
        )
    except jsonschema_rs.ReferencingError as error:
        raise ValueError(str(error)) from None


def _refuse(uri: str) -> Any:
    """Schemas come from the data: what they refer to elsewhere is neither fetched nor opened."""
    raise ValueError(f"{uri} is outside this schema")

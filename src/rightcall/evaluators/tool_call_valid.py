"""tool_call_valid: the share of calls that name an offered tool and satisfy its JSON Schema."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import msgspec

from ..core.ask import Answers, no_questions
from ..core.declare import Declaration, Example, Options
from ..core.jsonvalue import show
from ..core.pairing.alignments import Alignments
from ..core.paths import join
from ..core.results import Details, Difference, Result
from ..core.schema.work import looks_again, steps_at_most, unfolded
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
    """(JSON pointer, message) of everything in `arguments` that the tool's schema does not allow.

    Raises:
        RecordError: the schema is none, or asks for more checks than can be made.
    """
    validator = _validator(msgspec.json.encode(spec.schema), spec.name)
    unheld = dict(_no_json(arguments, ""))
    found = [
        (path, f"{path[1:]} is {show(value)}, which is no JSON number") for path, value in unheld.items()
    ]
    try:
        for path, message in validator.errors(arguments):
            # Of what is no JSON value the library says that it is null.
            quoted = "null" in message and any(each.startswith(f"{path}/") for each in unheld)
            if path not in unheld and not quoted:
                found.append((path, f"{path[1:] + ' ' if path else ''}{show(message, 200)[1:-1]}"))
    except ValueError as error:
        raise RecordError(f"the schema of {spec.name}: {error}", field="tools") from None
    return sorted(found)


def _no_json(value: Any, path: str) -> Iterator[tuple[str, float]]:
    """NaN and infinity, which only Python objects hold, by their paths."""
    if isinstance(value, float):
        if not math.isfinite(value):
            yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _no_json(item, join(path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _no_json(item, join(path, index))


@lru_cache(maxsize=1024)
def _validator(schema: bytes, tool: str) -> Validator:
    try:
        return validator_of(schema)
    except ImportError:
        raise MissingExtraError("tool_call_valid", "schema") from None
    except ValueError as error:
        raise RecordError(
            f"the schema of {tool} is not a valid JSON Schema: {error}", field="tools"
        ) from None


_FEW: Final = 5_000
"""Parts of an unfolded schema up to which nothing is counted before a value is held against it."""
_MOST: Final = 10_000_000
"""Checks that may be made of any value, beside a thousand for each of its parts: about a tenth of a second."""
_TOLD: Final = 10_000
"""Checks up to which the library is asked where a value is wrong: it keeps an object of each that fails."""


class Validator:
    """Holds values against one schema, and refuses to where that would take for ever.

    Args:
        library: the validator of the library.
        schema: the schema, decoded.
    """

    __slots__ = ("_library", "_schema", "_small")

    def __init__(self, library: Any, schema: Any) -> None:
        self._library = library
        self._schema = schema
        self._small = unfolded(schema) <= _FEW

    def is_valid(self, value: Any) -> bool:
        """Whether a value satisfies the schema.

        Raises:
            ValueError: that would take too many checks.
        """
        self._steps(value)
        return bool(self._library.is_valid(value))

    def errors(self, value: Any) -> Iterator[tuple[str, str]]:
        """(JSON pointer, message) of all that is wrong with a value.

        Raises:
            ValueError: finding out would take too many checks.
        """
        steps = self._steps(value)
        if steps <= _TOLD or steps <= _TOLD + 50 * _size(value):
            for error in self._library.iter_errors(value):
                yield "".join(f"/{_escaped(step)}" for step in error.instance_path), error.message
        elif not self._library.is_valid(value):
            yield (
                "",
                "the arguments fit none of the schema's alternatives, of which there are too many to tell where",
            )

    def _steps(self, value: Any) -> float:
        if self._small:
            return 0
        steps = steps_at_most(self._schema, value)
        if steps > _MOST and steps > _MOST + 1_000 * _size(value):
            raise ValueError(
                "its references lead to so many alternatives that a value can't be held against it"
                " (over ten million checks)"
            )
        return steps


def _escaped(step: str | int) -> str:
    return str(step).replace("~", "~0").replace("/", "~1")


def _size(value: Any) -> int:
    """How many values there are in a value, itself included."""
    if isinstance(value, dict):
        return 1 + sum(map(_size, value.values()))
    return 1 + sum(map(_size, value)) if isinstance(value, list) else 1


def validator_of(schema: bytes, *, linear: bool = False) -> Validator:
    """A validator for a schema as JSON: formats are not asserted, nothing outside the schema is fetched.

    Args:
        schema: the schema.
        linear: patterns are matched in a time that grows with the text alone, so look-around is refused.

    Raises:
        ImportError: the extra ``schema`` is not installed.
        ValueError: it is no schema, or refers to something outside itself.
    """
    import jsonschema_rs

    decoded = msgspec.json.decode(schema)
    if looks_again(schema) and unfolded(decoded, leading_back=1) > _MOST:
        raise ValueError("its references and `unevaluated..` keywords lead to over ten million parts")
    patterns = jsonschema_rs.RegexOptions() if linear else None
    try:
        library = jsonschema_rs.validator_for(
            decoded, validate_formats=False, retriever=_refuse, pattern_options=patterns
        )
    except jsonschema_rs.ValidationError as error:
        place = "".join(f"/{_escaped(step)}" for step in error.instance_path)
        why = _why_no_pattern(error.instance) if error.message.endswith('is not a "regex"') else ""
        raise ValueError(f"{error.message}{why}{f', at {place}' if place else ''}") from None
    except jsonschema_rs.ReferencingError as error:
        raise ValueError(str(error)) from None
    return Validator(library, decoded)


def _why_no_pattern(pattern: Any) -> str:
    try:
        re.compile(str(pattern))
    except re.error as error:
        return f" ({error})"
    return (
        " (look-around and references back are not supported here, nor is what only Python's patterns have)"
    )


def _refuse(uri: str) -> Any:
    """Schemas come from the data: what they refer to elsewhere is neither fetched nor opened."""
    raise ValueError(f"{uri} is outside this schema")

"""JSON Schema for `$schema`: judged by a library, which refers to nothing outside the schema."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from ..core.jsonvalue import InvalidJSONError, canonical
from ..errors import ExpectationError, install_line
from ..evaluators.tool_call_valid import Validator, validator_of

__all__ = ["satisfies"]


def satisfies(schema: Any, value: Any) -> bool:
    """Whether a value satisfies a schema.

    Raises:
        ValueError: the schema is none, or refers to something outside itself.
        ExpectationError: the extra ``schema`` is not installed, or it asks for more checks than can be made.
    """
    try:
        data = msgspec.json.encode(canonical(schema))
    except InvalidJSONError as error:
        raise ValueError(str(error)) from None
    validator = _validator(data)
    try:
        return validator.is_valid(value)
    except ValueError as error:
        raise ExpectationError(f"$schema: {error}") from None


@lru_cache(maxsize=256)
def _validator(schema: bytes) -> Validator:
    # An engine whose time grows with the text alone: a pattern in a golden set must not be able to hang a run.
    try:
        return validator_of(schema, linear=True)
    except ImportError:
        raise ExpectationError("$schema needs the extra 'schema'", hint=install_line("schema")) from None

"""JSON Schema for `$schema`: judged by a library, which refers to nothing outside the schema."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from ..core.jsonvalue import InvalidJSONError, canonical
from ..errors import ExpectationError, install_line

__all__ = ["satisfies"]


def satisfies(schema: Any, value: Any) -> bool:
    """Whether a value satisfies a schema.

    Raises:
        ValueError: the schema is none, or refers to something outside itself.
        ExpectationError: the extra ``schema`` is not installed.
    """
    try:
        data = msgspec.json.encode(canonical(schema))
    except InvalidJSONError as error:
        raise ValueError(str(error)) from None
    return bool(_validator(data).is_valid(value))


@lru_cache(maxsize=256)
def _validator(schema: bytes) -> Any:
    try:
        import jsonschema_rs
    except ImportError:
        raise ExpectationError("$schema needs the extra 'schema'", hint=install_line("schema")) from None
    try:
        return jsonschema_rs.validator_for(
            msgspec.json.decode(schema),
            validate_formats=False,
            retriever=_refuse,
            pattern_options=jsonschema_rs.RegexOptions(),
        )
    except jsonschema_rs.ReferencingError as error:
        raise ValueError(str(error)) from None


def _refuse(uri: str) -> Any:
    """Schemas come from the data: what they refer to elsewhere is neither fetched nor opened."""
    raise ValueError(f"{uri} is outside this schema")

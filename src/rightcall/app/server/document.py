"""The OpenAPI document, from what the endpoints declare: parameters as FastAPI sees them, bodies as msgspec does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from msgspec import NODEFAULT
from msgspec.inspect import Field, StructType, Type, multi_type_info

from .answers import OPEN
from .endpoint import Endpoint
from .keys import SCOPES
from .problems import Problem

__all__ = ["document_of"]

_REFERENCE: Final = "#/components/schemas/{name}"
_ALWAYS: Final = {
    400: "malformed",
    401: "no key, or none that works",
    403: "the key lacks a scope",
    413: "too large",
    415: "a media type that can't be read",
    421: "a host that is not this server's",
    422: "it can't be processed; `field` says why",
    429: "too many requests; wait for Retry-After",
    500: "a fault in rightcall",
    501: "something that this server does not have",
    503: "not available just now; wait for Retry-After",
}
_SOMETIMES: Final = {404: "there is no such thing", 409: "it can't be done in this state"}
_OF_BODIES: Final = (400, 413, 415)


def document_of(app: FastAPI, endpoints: Sequence[Endpoint]) -> bytes:
    """The document as JSON text."""
    document = get_openapi(
        title="rightcall",
        version=app.version,
        summary="Scores the tool calls of AI agents, and says why each call matched or did not.",
        routes=app.routes,
    )
    kinds: list[Any] = [Problem]
    for endpoint in endpoints:
        kinds += [kind for kind in (endpoint.body, endpoint.gives) if kind is not None]
    schemas, components = msgspec.json.schema_components(kinds, ref_template=_REFERENCE)
    _complete(components, endpoints)
    schema_of = dict(zip(map(repr, kinds), schemas, strict=True))
    for endpoint in endpoints:
        path = endpoint.path.replace(":path}", "}")
        operation = document["paths"][path][endpoint.method.lower()]
        operation["operationId"] = endpoint.name
        operation["tags"] = [endpoint.path.removeprefix("/api/v1").split("/")[1].split(".")[0]]
        operation["responses"] = _responses(endpoint, schema_of)
        operation["security"] = [] if endpoint.scope is None else [{"key": []}]
        if endpoint.scope is not None:
            operation["description"] = f"{operation.get('description', '')}\n\nScope: `{endpoint.scope}`."
        if endpoint.body is not None or endpoint.bodies:
            operation["requestBody"] = _body(endpoint, schema_of)
    document["components"] = {
        "schemas": {name: components[name] for name in sorted(components)},
        "securitySchemes": {
            "key": {
                "type": "http",
                "scheme": "bearer",
                "description": "Scopes: "
                + "; ".join(f"`{name}`: {what}" for name, what in SCOPES.items())
                + ".",
            }
        },
    }
    return (json.dumps(document, indent=1, ensure_ascii=False, sort_keys=False) + "\n").encode()


def _complete(components: dict[str, Any], endpoints: Sequence[Endpoint]) -> None:
    """Say of answers what msgspec says of what it reads: a field with a default may be left out there, never here."""
    asked = _structs([endpoint.body for endpoint in endpoints if endpoint.body is not None])
    given = _structs([Problem, *(endpoint.gives for endpoint in endpoints if endpoint.gives is not None)])
    for name, struct in given.items():
        if name not in asked and not struct.cls.__struct_config__.omit_defaults:
            components[name]["required"] = [
                field.encode_name for field in struct.fields if not _may_be_unset(field)
            ]
            for field in components[name]["properties"].values():
                field.pop("default", None)
    for name in OPEN:
        components[name]["additionalProperties"] = True


def _structs(kinds: Sequence[Any]) -> dict[str, StructType]:
    """All structs that these kinds are made of, by name."""
    found: dict[str, StructType] = {}
    todo: list[Any] = list(multi_type_info(kinds))
    while todo:
        each = todo.pop()
        if isinstance(each, StructType):
            if each.cls.__name__ in found:
                continue
            found[each.cls.__name__] = each
            todo += [field.type for field in each.fields]
        elif isinstance(each, Type):
            held = [getattr(each, name) for name in each.__struct_fields__]
            todo += [part for value in held for part in (value if isinstance(value, tuple) else (value,))]
    return found


def _may_be_unset(field: Field) -> bool:
    """Whether its default is UNSET: nothing else is optional and has none."""
    return not field.required and field.default is NODEFAULT and field.default_factory is NODEFAULT


def _body(endpoint: Endpoint, schema_of: dict[str, Any]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if endpoint.body is not None:
        content["application/json"] = {"schema": schema_of[repr(endpoint.body)]}
        if endpoint.example is not None:
            content["application/json"]["example"] = endpoint.example
    for media, meaning in endpoint.bodies.items():
        content[media] = {"schema": {"type": "string", "format": "binary", "description": meaning}}
    return {"required": True, "content": content}


def _responses(endpoint: Endpoint, schema_of: dict[str, Any]) -> dict[str, Any]:
    good: dict[str, Any] = {"description": endpoint.summary}
    if endpoint.status != 204:
        schema = {} if endpoint.gives is None else schema_of[repr(endpoint.gives)]
        good["content"] = {endpoint.media: {"schema": schema}}
    answers: dict[str, Any] = {str(endpoint.status): good}
    takes = endpoint.body is not None or bool(endpoint.bodies)
    for status, meaning in {**_ALWAYS, **_SOMETIMES}.items():
        if status in _SOMETIMES and status not in endpoint.refuses:
            continue
        if status in _OF_BODIES and not takes:
            continue
        if status in (401, 403) and endpoint.scope is None:
            continue
        answers[str(status)] = {
            "description": meaning,
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
    return answers

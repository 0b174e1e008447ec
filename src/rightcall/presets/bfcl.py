"""bfcl: the AST check of the Berkeley Function Calling Leaderboard, for Python functions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from ..core.options import OptionSpec, parse_choice
from ..core.peer import Deviation, PeerCall, PeerCase, Preset, Rule, Verdict, object_of
from ..core.scoring import count_of
from ..core.types import ToolSpec
from ..errors import PeerError

_TYPES: Final[dict[str, type]] = {
    "string": str,
    "integer": int,
    "float": float,
    "boolean": bool,
    "array": list,
    "tuple": list,
    "dict": dict,
    "any": str,
}
_OF_NO_WEIGHT: Final = re.compile(r"[ ,./\-_*^]")
LEFT_OUT: Final = ""
"""Among accepted values: the argument may be left out."""


def _plain(value: Any) -> Any:
    """A text without what does not count: case, blanks, some signs, and which quotes; else the value itself."""
    return _OF_NO_WEIGHT.sub("", value).lower().replace("'", '"') if type(value) is str else value


def _items(values: Any) -> Iterator[Any]:
    """What stands at 0, 1, 2, ..: the items of a list, the characters of a text, an error for anything else."""
    return (values[at] for at in range(len(values)))


def _type_fits(value: Any, accepted: Any, wanted: type, inner: type | None) -> tuple[bool, bool]:
    """Whether the type is right, and whether the accepted values are of another type than the tool declares.

    The accepted values of such an argument name a variable; they are then compared as they are.
    """
    first = next((type(item) for item in accepted if item != LEFT_OUT), None)
    variable = first is not None and first is not wanted
    kind = type(value)
    if kind is wanted:
        if inner is None:
            return True, variable
        for item in accepted:
            # Elements are looked at one level deep, and only against accepted values that are lists.
            if type(item) is not list or all(_type_fits(part, item, inner, None)[0] for part in value):
                return True, variable
        return False, variable
    return first is not None and kind is first, True


def _object_fits(value: Any, accepted: Any) -> bool:
    """Whether an object is one of the accepted ones; their values are lists of accepted values again."""
    for answer in _items(accepted):
        if answer == LEFT_OUT:
            continue
        fits = True
        for key, item in value.items():
            if key not in answer or _plain(item) not in [_plain(one) for one in _items(answer[key])]:
                fits = False
                break
        if any(key not in value and LEFT_OUT not in item for key, item in answer.items()):
            fits = False
        if fits:
            return True
    return False


def _objects_fit(value: Any, accepted: Any) -> bool:
    return any(
        len(value) == len(answer) and all(_object_fits(item, [answer[at]]) for at, item in enumerate(value))
        for answer in _items(accepted)
    )


def _list_fits(value: Any, accepted: Any) -> bool:
    answers = [[_plain(part) for part in _items(answer)] for answer in _items(accepted)]
    return [_plain(part) for part in value] in answers


def _value_fits(value: Any, accepted: Any, wanted: type, inner: type | None) -> bool:
    """Whether a value of the declared type is one of the accepted ones."""
    if wanted is dict:
        return _object_fits(value, accepted)
    if wanted is list:
        return _objects_fit(value, accepted) if inner is dict else _list_fits(value, accepted)
    if wanted is str:
        return _plain(value) in [_plain(item) for item in accepted if type(item) is str]
    return value in accepted


def _problem(made: dict[str, Any], accepted: dict[str, Any], schema: dict[str, Any]) -> str | None:
    """What is wrong with the arguments of a call; None when nothing is."""
    properties = schema["properties"]
    for name in schema["required"]:
        if name not in made:
            return f"{name} is required and missing"
    for name, given in made.items():
        if name not in properties or name not in accepted:
            return f"{name} is not expected"
        declared = properties[name]["type"]
        wanted, inner, value = _type_of(declared), None, given
        if declared in ("array", "tuple"):
            inner = _type_of(properties[name]["items"]["type"])
        if declared == "float" and type(value) is int:
            value = float(value)
        fits, variable = _type_fits(value, accepted[name], wanted, inner)
        if not fits:
            return f"{name} is a {type(given).__name__} where {declared} is declared"
        right = value in accepted[name] if variable else _value_fits(value, accepted[name], wanted, inner)
        if not right:
            return f"{name} has no accepted value"
    for name, values in accepted.items():
        if name not in made and LEFT_OUT not in values:
            return f"{name} is missing"
    return None


def _type_of(declared: Any) -> type[Any]:
    if declared not in _TYPES:
        raise PeerError(f"BFCL raises KeyError on the type {declared!r}; it knows {', '.join(_TYPES)}")
    return _TYPES[declared]


def _names(name: str, mode: str) -> tuple[str, ...]:
    mangled = name.replace(".", "_")
    return {"exact": (name,), "mangled": (mangled,)}.get(mode, (name, mangled))


def _accepted_of(call: PeerCall) -> Any:
    """For each argument the accepted values; plain expected arguments become lists of one."""
    if call.accepted is not None:
        return call.accepted
    return {name: [_listed(value)] for name, value in (object_of(call, "BFCL") or {}).items()}


def _given(call: PeerCall) -> Any:
    """What the checker gets for arguments: an object, or whatever stands there, on which it raises when it looks."""
    value = call.arguments
    if isinstance(value, str):
        try:
            decoded = json.loads(value, strict=False)
        except ValueError:
            return value
        return decoded if decoded is None or isinstance(decoded, dict) else value
    return value


def _listed(value: Any) -> Any:
    """A plain value as an accepted one: values inside objects are lists of accepted values too."""
    if isinstance(value, dict):
        return {key: [item] for key, item in value.items()}
    if isinstance(value, list):
        return [_listed(item) if isinstance(item, dict) else item for item in value]
    return value


def _score_ast(case: PeerCase) -> Verdict:
    if len(case.actual) != len(case.expected):
        told = f"{len(case.actual)} actual vs {count_of(len(case.expected), 'expected call')}."
        return Verdict(0.0, told, ())
    given = [_given(call) for call in case.actual]
    tools: dict[str, ToolSpec] = {}
    for tool in case.tools or ():
        tools.setdefault(tool.name, tool)
    pairs: list[tuple[int, int, float]] = []
    free = list(range(len(given)))
    for place, wanted in enumerate(case.expected):
        schema = _schema(tools, wanted.name)
        names = _names(wanted.name, case.options["names"])
        problems: list[str] = []
        for at in free:
            if case.actual[at].name not in names:
                problems.append(f"{case.actual[at].name} was called")
                continue
            problem = _problem(given[at], _accepted_of(wanted), schema)
            if problem is None:
                pairs.append((at, place, 1.0))
                free.remove(at)
                break
            problems.append(problem)
        else:
            return Verdict(0.0, f"{wanted.name}: {problems[0]}.", tuple(pairs))
    return Verdict(1.0, f"{count_of(len(pairs), 'call')} accepted.", tuple(pairs))


def _schema(tools: dict[str, ToolSpec], name: str) -> Any:
    if name not in tools:
        raise PeerError("BFCL raises TypeError on an expected call that is not among the tools", field=name)
    schema = tools[name].schema
    if schema is None or "properties" not in schema or "required" not in schema:
        raise PeerError("BFCL raises KeyError on a schema without properties or required", field=name)
    return schema


def _score_relevance(case: PeerCase) -> Verdict:
    return Verdict(
        float(bool(case.actual)), f"{count_of(len(case.actual), 'call')} made; some call was wanted."
    )


_NAMES: Final = OptionSpec(
    name="names",
    meaning="dots of expected names: as they are, as underscores (APIs forbid dots), or either",
    form="either | exact | mangled",
    parse=parse_choice("either", "exact", "mangled"),
    default="either",
)

_TOOLS: Final[list[dict[str, Any]]] = [
    {
        "name": "f",
        "parameters": {
            "type": "dict",
            "properties": {"x": {"type": "float"}, "s": {"type": "string"}, "n": {"type": "integer"}},
            "required": [],
        },
    }
]


def _call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


PRESET = Preset(
    id="bfcl",
    tool="BFCL",
    version="2026.3.23",
    source="the installed package `bfcl-eval`",
    rules=(
        Rule(
            name="ast",
            meaning="1 when each expected call finds a call of its own with accepted values of the declared types",
            score=_score_ast,
            beside="trajectory_match",
            options=(_NAMES,),
            inputs=("actual", "expected", "tools"),
            pairs=True,
            knows_accepted=True,
            deviations=(
                Deviation(
                    what="texts are compared without case, blanks and some signs",
                    actual=[_call("f", s="april 1 2024")],
                    expected=[_call("f", s="April 1, 2024")],
                    tools=_TOOLS,
                    theirs=1.0,
                    ours=0.0,
                    why='a text is compared as it is; `ignore_case` or a `{"$text": ..}` matcher says otherwise',
                ),
                Deviation(
                    what="a number with a fraction part of zero is not an integer",
                    actual=[{"name": "f", "arguments": '{"n": 1.0}'}],
                    expected=[_call("f", n=1)],
                    tools=_TOOLS,
                    theirs=0.0,
                    ours=1.0,
                    why="numbers are compared by value",
                ),
                Deviation(
                    what="dots in names may be underscores",
                    actual=[_call("math_sum", n=1)],
                    expected=[_call("math.sum", n=1)],
                    tools=[{**_TOOLS[0], "name": "math.sum"}],
                    theirs=1.0,
                    ours=0.0,
                    why="names are compared exactly; `name_map` says which name stands for which",
                ),
            ),
        ),
        Rule(
            name="relevance",
            meaning="1 when some call was made, whatever it is (the rule of its relevance cases)",
            score=_score_relevance,
            beside="tool_selection",
            inputs=("actual",),
        ),
    ),
    notes=(
        "Accepted values are those of `expected_any`; plain expected arguments count as lists of one.",
        "Schemas are written in its own words (`dict`, `float`, `tuple`, `any`); on `object` or `number` it raises.",
        "Its checks of Java and JavaScript functions are not reproduced.",
        "`expected: []` is its irrelevance rule: no call is right.",
    ),
)

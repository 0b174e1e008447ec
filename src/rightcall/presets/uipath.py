"""uipath: the four tool-call evaluators of UiPath's Python package."""

from __future__ import annotations

import ast
import json
import operator
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..core.options import OptionSpec, parse_flag
from ..core.peer import Deviation, PeerCall, PeerCase, Preset, Rule, Verdict
from ..core.scoring import count_of
from ..errors import OptionError, PeerError

_COMPARATORS: Final = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
}
_NOT_IN_NAMES: Final = re.compile(r"[^a-zA-Z0-9_-]")


def _clean(name: str) -> str:
    """A name as the tool compares it: blanks become underscores, other signs go, 64 characters stay."""
    return _NOT_IN_NAMES.sub("", "_".join(name.split()))[:64]


def _alike(made: PeerCall, wanted: PeerCall, *, by_id: bool) -> bool:
    """Whether a call is of the expected tool. A call with an id is known by the id alone."""
    if by_id and made.id is not None:
        return made.id == (wanted.id if wanted.id is not None else wanted.name)
    return _clean(made.name) == _clean(wanted.name)


def _arguments(call: PeerCall) -> dict[str, Any]:
    """Arguments as a span carries them: JSON, else a Python literal; what is neither counts as none."""
    value = call.arguments
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            try:
                value = ast.literal_eval(value)
            except (SyntaxError, ValueError):
                value = None
    return value if isinstance(value, dict) else {}


def _expected_arguments(call: PeerCall) -> dict[str, Any]:
    value = call.arguments if call.written else None
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            value = None
    if not isinstance(value, dict):
        raise PeerError("UiPath raises on expected arguments that are no object, or none", field=call.name)
    return value


def _score_args(case: PeerCase) -> Verdict:
    wanted_arguments = [_expected_arguments(call) for call in case.expected]
    if case.empty is not None:
        return Verdict(float(case.empty), "At least one side has no calls.", ())
    given = [_arguments(call) for call in case.actual]
    pairs: list[tuple[int, int, float]] = []
    used: set[int] = set()
    for place, wanted in enumerate(case.expected):
        for at, made in enumerate(case.actual):
            if at in used or not _alike(made, wanted, by_id=case.options["match_by_id"]):
                continue
            if all(
                key in given[at] and given[at][key] == value for key, value in wanted_arguments[place].items()
            ):
                used.add(at)
                pairs.append((at, place, 1.0))
                break
    total = len(case.expected)
    score = float(len(pairs) == total) if case.options["strict"] else len(pairs) / total
    return Verdict(score, f"{len(pairs)} of {count_of(total, 'expected call')} matched.", tuple(pairs))


def _score_order(case: PeerCase) -> Verdict:
    if case.empty is not None:
        return Verdict(float(case.empty), "At least one side has no calls.")
    by_id = case.options["match_by_id"]
    # The expected side of this rule is a list of words, each a name or an id.
    words = [PeerCall(name=_word(call, by_id=by_id)) for call in case.expected]
    fits = [[_alike(made, word, by_id=by_id) for word in words] for made in case.actual]
    if case.options["strict"]:
        same = len(words) == len(fits) and all(row[at] for at, row in enumerate(fits))
        return Verdict(float(same), "The same order." if same else "Not the same order.")
    longest = _common(fits, len(words))
    return Verdict(longest / len(words), f"{longest} of {count_of(len(words), 'expected call')} in order.")


def _word(call: PeerCall, *, by_id: bool) -> str:
    return call.id if by_id and call.id is not None else call.name


def _common(fits: Sequence[Sequence[bool]], width: int) -> int:
    """Length of the longest common subsequence, from who fits whom.

    Fitting under ids is no equivalence relation, so the table follows the tool's own recurrence, and the length
    is that of its walk back.
    """
    table = [[0] * (width + 1)]
    for row in fits:
        line = [0]
        for column, fit in enumerate(row):
            line.append(table[-1][column] + 1 if fit else max(table[-1][column + 1], line[-1]))
        table.append(line)
    i, j, length = len(fits), width, 0
    while i and j:
        if fits[i - 1][j - 1]:
            i, j, length = i - 1, j - 1, length + 1
        elif table[i - 1][j] > table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return length


def _score_count(case: PeerCase) -> Verdict:
    wanted = _wanted_counts(case)
    made: dict[str, int] = {}
    for call in case.actual:
        word = _word(call, by_id=case.options["match_by_id"])
        made[word] = made.get(word, 0) + 1
    if not wanted or not made:
        return Verdict(float(not wanted and not made), "At least one side has no calls.")
    hits = 0
    for name, (sign, number) in wanted.items():
        count = made[name] if name in made else made.get(_clean(name), 0)
        if sign not in _COMPARATORS:
            raise PeerError(f"UiPath raises KeyError on the comparator {sign!r}", field=name)
        hit = _COMPARATORS[sign](count, number)
        if case.options["strict"] and not hit:
            return Verdict(0.0, f"{name}: {count} made, {sign} {number} expected.")
        hits += hit
    return Verdict(hits / len(wanted), f"{hits} of {count_of(len(wanted), 'listed tool')} called as often.")


def _wanted_counts(case: PeerCase) -> Mapping[str, tuple[str, int]]:
    given = case.options["tool_calls_count"]
    if given is not None:
        return dict(given)
    if case.counts is None:
        counted: dict[str, int] = {}
        for call in case.expected:
            word = _word(call, by_id=case.options["match_by_id"])
            counted[word] = counted.get(word, 0) + 1
        return {name: ("==", number) for name, number in counted.items()}
    return dict(_parse_counts(case.counts, "expected_counts"))


def _parse_counts(value: Any, name: str) -> tuple[tuple[str, tuple[str, int]], ...]:
    """A table of comparator and number by tool; a bare number means equality."""
    if not isinstance(value, Mapping):
        raise OptionError(f"{value!r} is not a table of tools", field=name, hint='{"search": [">=", 1]}')
    found: list[tuple[str, tuple[str, int]]] = []
    for tool, item in value.items():
        pair = ("==", item) if isinstance(item, int) else item
        if not isinstance(pair, (list, tuple)) or len(pair) != 2 or isinstance(pair[1], bool):
            raise PeerError("UiPath raises on counts that are no comparator and number", field=str(tool))
        if not isinstance(pair[0], str) or not isinstance(pair[1], int):
            raise PeerError("UiPath raises on counts that are no comparator and number", field=str(tool))
        found.append((str(tool), (pair[0], pair[1])))
    return tuple(found)


def _said(output: Any) -> str:
    """The text of an output: of an object its `content`, else the text as it is."""
    found = "" if output is None else output
    if isinstance(found, str):
        try:
            decoded = json.loads(found)
        except ValueError:
            decoded = None
        if isinstance(decoded, dict):
            found = decoded.get("content", "")
    elif isinstance(found, dict):
        found = found.get("content", "")
    else:
        found = str(found)
    return str(found) if found else ""


def _score_output(case: PeerCase) -> Verdict:
    wanted = [(at, call) for at, call in enumerate(case.expected) if call.output is not None]
    if case.expected and not wanted:
        return Verdict(None, "no expected call has an output")
    for _, call in wanted:
        if not isinstance(call.output, str):
            raise PeerError("UiPath raises on an expected output that is no text", field=call.name)
    if not wanted or not case.actual:
        return Verdict(float(not wanted and not case.actual), "At least one side has no outputs.", ())
    strict, by_id = case.options["strict"], case.options["match_by_id"]
    said = [_said(call.output) for call in case.actual]
    pairs: list[tuple[int, int, float]] = []
    used: set[int] = set()
    for place, call in wanted:
        rivals = [at for at, made in enumerate(case.actual) if at not in used]
        rivals = [at for at in rivals if _alike(case.actual[at], call, by_id=by_id)]
        # Strict looks at the first call of that tool only, and gives up where it differs.
        found = next((at for at in rivals[: 1 if strict else None] if said[at] == call.output), None)
        if found is not None:
            used.add(found)
            pairs.append((found, place, 1.0))
        elif strict:
            return Verdict(0.0, f"{call.name}: the expected output was not found.", tuple(pairs))
    score = len(pairs) / len(wanted)
    return Verdict(score, f"{len(pairs)} of {count_of(len(wanted), 'expected output')} found.", tuple(pairs))


_STRICT: Final = OptionSpec(
    name="strict", meaning="all or nothing", form="true | false", parse=parse_flag, default=False
)
_BY_ID: Final = OptionSpec(
    name="match_by_id",
    meaning="ids of calls are those of the tools (UiPath's tool.id), and a call with one is known by it alone",
    form="true | false",
    parse=parse_flag,
    default=False,
)
_SUBSET: Final = OptionSpec(
    name="subset",
    meaning="accepted for the sake of its name: both of the tool's modes check the same thing",
    form="true | false",
    parse=parse_flag,
    default=False,
)
_COUNTS: Final = OptionSpec(
    name="tool_calls_count",
    meaning="comparator and number by tool; else `expected_counts` of the case, else the expected calls counted",
    form='{"search": [">=", 1]}',
    parse=_parse_counts,
)


def _call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


PRESET = Preset(
    id="uipath",
    tool="UiPath",
    version="2.14.44",
    source="the installed package `uipath`",
    rules=(
        Rule(
            name="args",
            meaning="share of expected calls that find an unused call whose arguments hold the expected ones",
            score=_score_args,
            beside="tool_call_args",
            options=(_STRICT, _SUBSET, _BY_ID),
            pairs=True,
            extras_cost=False,
            deviations=(
                Deviation(
                    what="an extra argument is free, in the mode that is called exact too",
                    actual=[_call("pay", to="Ann", note="x")],
                    expected=[_call("pay", to="Ann")],
                    theirs=1.0,
                    ours=0.0,
                    why="an argument that nobody asked for may do harm; `args=allow_extra` makes it free",
                ),
                Deviation(
                    what="first fit loses pairs",
                    actual=[_call("f", x=1, y=2), _call("f", x=1)],
                    expected=[_call("f", x=1), _call("f", x=1, y=2)],
                    theirs=0.5,
                    ours=1.0,
                    why="every pairing under a loose comparison is a maximum matching here",
                    our_options={"args": "allow_extra"},
                ),
                Deviation(
                    what="true passes for 1",
                    actual=[_call("f", x=True)],
                    expected=[_call("f", x=1)],
                    theirs=1.0,
                    ours=0.0,
                    why="a boolean is no number in JSON",
                ),
                Deviation(
                    what="names are cleaned before they are compared",
                    actual=[_call("get weather")],
                    expected=[_call("get_weather")],
                    theirs=1.0,
                    ours=0.0,
                    why="names are compared exactly; `name_map` says which name stands for which",
                ),
                Deviation(
                    what="arguments that cannot be read count as none",
                    actual=[{"name": "f", "arguments": "{'a':1,'b':true}"}],
                    expected=[_call("f")],
                    theirs=1.0,
                    ours=0.0,
                    why="unreadable arguments equal nothing, or wrong calls would pass",
                ),
            ),
        ),
        Rule(
            name="order",
            meaning="longest common subsequence of names over the number of expected calls",
            score=_score_order,
            beside="tool_call_order",
            options=(_STRICT, _BY_ID),
            deviations=(
                Deviation(
                    what="names are cleaned before they are compared",
                    actual=[_call("get weather")],
                    expected=[_call("get_weather")],
                    theirs=1.0,
                    ours=0.0,
                    why="names are compared exactly; `name_map` says which name stands for which",
                ),
            ),
        ),
        Rule(
            name="count",
            meaning="share of listed tools whose number of calls fits",
            score=_score_count,
            beside="tool_call_count",
            options=(_STRICT, _COUNTS, _BY_ID),
            inputs=("actual", "expected"),
            deviations=(
                Deviation(
                    what='"delete must not be called" fails where the agent called nothing at all',
                    actual=[],
                    expected=[],
                    options={"tool_calls_count": {"delete": ["==", 0]}},
                    our_options={"expected_counts": {"delete": ["==", 0]}},
                    theirs=0.0,
                    ours=1.0,
                    why="explicit counts have no rule for empty sides",
                ),
            ),
        ),
        Rule(
            name="output",
            meaning="share of expected outputs found on a call of that tool, compared as text",
            score=_score_output,
            beside="tool_call_output",
            options=(_STRICT, _BY_ID),
            pairs=True,
            extras_cost=False,
            deviations=(
                Deviation(
                    what="outputs are compared as text, and only the `content` of an object counts",
                    actual=[{"name": "f", "arguments": {}, "output": '{"total": 1}'}],
                    expected=[{"name": "f", "arguments": {}, "output": '{"total":1}'}],
                    theirs=0.0,
                    ours=1.0,
                    why="an output that is JSON text is compared as the value it holds",
                ),
            ),
        ),
    ),
    notes=(
        "The tool gives no verdict; a case passes here at 1.0.",
        "Where one of its evaluators raises, its runner reports an error with the score 0; here it is an error.",
        "The id of a call in a trace is not the id of its tool, so ids are left out unless `match_by_id` is set.",
    ),
)

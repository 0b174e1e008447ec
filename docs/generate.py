"""Writes the reference pages that come from the registries: `python docs/generate.py`, checked by the tests."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from rightcall import Difference, Result, evaluate, matchers
from rightcall.app.server.application import ENDPOINTS, create_application
from rightcall.app.server.document import document_of
from rightcall.app.server.services import Services
from rightcall.app.server.settings import Settings
from rightcall.core.diagnosis.kinds import KINDS, KindDeclaration
from rightcall.core.matcher import MATCHERS
from rightcall.core.peer import Deviation, Preset, Rule
from rightcall.core.reading.format import FormatDeclaration
from rightcall.core.types import ToolCall
from rightcall.run.intake.reading import as_builtin, read_calls
from rightcall.run.sets import FORMATS, PRESETS, WRITERS

REFERENCE = Path(__file__).parent / "reference"
NOTE = "<!-- Made by docs/generate.py from the source; change the declaration in src/rightcall/formats instead. -->"
PRESET_NOTE = NOTE.replace("formats", "presets")


def pages() -> dict[str, str]:
    """Every generated page by its path under `reference`."""
    declarations = [FORMATS.get(name).declaration for name in FORMATS.ids()]
    made = {f"formats/{found.id}.md": "\n".join(format_page(found)) + "\n" for found in declarations}
    made["matchers.md"] = "\n".join(matchers_page()) + "\n"
    made["differences.md"] = "\n".join(differences_page()) + "\n"
    made["formats/README.md"] = "\n".join(formats_index(declarations)) + "\n"
    made |= {f"presets/{found.id}.md": "\n".join(preset_page(found)) + "\n" for found in PRESETS}
    made["openapi.json"] = openapi()
    made["presets/README.md"] = "\n".join(presets_index()) + "\n"
    return made


def openapi() -> str:
    """The document of the HTTP API, as a server gives it."""
    with TemporaryDirectory() as folder:
        services = Services(Settings(data_dir=folder))
        return document_of(create_application(services), ENDPOINTS).decode()


def presets_index() -> Iterator[str]:
    """All presets on one page."""
    yield PRESET_NOTE
    yield "# Other tools' rules"
    yield ""
    yield "A preset gives the number of another tool for the same calls, so that a history goes on, and shows why it"
    yield "differs from ours. `rightcall run DATA --preset uipath` scores by all rules of a tool,"
    yield '`rightcall eval uipath.args ..` by one, `evaluate("tool_call_args", preset="uipath", ..)` by the one that'
    yield "stands for ours, and `rightcall compare-presets DATA` puts both side by side."
    yield ""
    yield "| preset | tool | rules |"
    yield "|---|---|---|"
    for found in PRESETS:
        rules = ", ".join(f"`{name}`" for name in found.ids)
        yield f"| [{found.id}]({found.id}.md) | {found.tool} {found.version} | {rules} |"


def preset_page(found: Preset) -> Iterator[str]:
    """The page of one tool."""
    yield PRESET_NOTE
    yield f"# {found.id}: the rules of {found.tool} {found.version}"
    yield ""
    yield f"Read from {found.source}. A case passes at {found.threshold:g} unless a threshold is given."
    yield ""
    yield "| rule | what it computes | beside our |"
    yield "|---|---|---|"
    for rule in found.rules:
        yield f"| `{found.id}.{rule.name}` | {_cell(rule.meaning)} | `{rule.beside}` |"
    yield ""
    for note in found.notes:
        yield f"- {_sentence(note)}"
    for rule in found.rules:
        yield ""
        yield from _rule(found, rule)


def _rule(found: Preset, rule: Rule) -> Iterator[str]:
    yield f"## `{found.id}.{rule.name}`"
    yield ""
    yield _sentence(rule.meaning)
    if rule.options:
        yield ""
        yield "| option | meaning | form | default |"
        yield "|---|---|---|---|"
        for option in rule.options:
            default = "" if option.default is None else f"`{_json(option.default)}`"
            yield f"| `{option.name}` | {_cell(option.meaning)} | `{_cell(option.form)}` | {default} |"
    if rule.deviations:
        yield ""
        yield "Where it differs from ours; each line is run by the tests:"
        yield ""
        yield "| input | actual | expected | theirs | ours | why ours |"
        yield "|---|---|---|---|---|---|"
        for deviation in rule.deviations:
            yield _deviation(deviation, rule)


def _deviation(found: Deviation, rule: Rule) -> str:
    theirs = found.theirs if isinstance(found.theirs, str) else f"{found.theirs:g}"
    theirs += f" with {_options(found.options)}" if found.options else ""
    ours = f"{found.ours:g}"
    ours += f" with {_options(found.our_options)}" if found.our_options else ""
    ours += f" (`{found.beside}`)" if found.beside and found.beside != rule.beside else ""
    sides = (_calls(found.actual), _calls(found.expected))
    return f"| {_cell(found.what)} | {sides[0]} | {sides[1]} | {theirs} | {ours} | {_cell(found.why)} |"


def _options(options: dict[str, object]) -> str:
    return ", ".join(f"`{name}={_cell(_json(value))}`" for name, value in options.items())


def _calls(calls: list[dict[str, object]]) -> str:
    return f"`{_cell(_json([{k: v for k, v in call.items() if v != {}} for call in calls]))}`"


def formats_index(declarations: list[FormatDeclaration]) -> Iterator[str]:
    """All formats on one page."""
    yield NOTE
    yield "# Formats that calls are read from"
    yield ""
    yield "`rightcall formats detect FILE` tells which one a file is in, and why; `--format ID` says it."
    yield ""
    yield "| format | what it is | told by |"
    yield "|---|---|---|"
    for found in declarations:
        told = "only when named" if found.named_only else found.detected_by
        yield f"| [{found.id}]({found.id}.md) | {_cell(found.meaning)} | {_cell(told)} |"
    yield ""
    yield "`rightcall convert FILE --to FORM` writes recordings in these forms:"
    yield ""
    yield "| form | what it is | holds, beside names and arguments |"
    yield "|---|---|---|"
    for writer in WRITERS:
        form = writer.declaration
        yield f"| {form.id} | {_cell(form.meaning)} | {', '.join(sorted(form.carries)) or 'nothing'} |"


def differences_page() -> Iterator[str]:
    """All kinds of differences on one page, each with what its example really gives."""
    yield NOTE.replace("formats", "core/diagnosis/kinds.py")
    yield "# Why a call is not as expected"
    yield ""
    yield "Every unequal pair of calls, and every call without a partner, is explained by differences: each has a kind,"
    yield "the path of the argument, both values, a message, and, where one would, the option that accepts it. A run adds"
    yield "them up: `rightcall explain RUN` ranks what the points were lost to and says what to try first, and what the"
    yield "run would come to with each of these options."
    yield ""
    yield "| kind | what it is | expected | made | in words | accepted with | try first |"
    yield "|---|---|---|---|---|---|---|"
    for name, kind in KINDS.items():
        found = example_of(kind)
        accepts = "" if found.accept_with is None else f"`{_cell(found.accept_with)}`"
        cells = (f"`{name}`", kind.meaning, _example(kind.expected), _example(kind.actual))
        fix = kind.fix.format(name="the argument", tool="the tool")
        yield f"| {' | '.join(cells)} | {_cell(found.message)} | {accepts} | {_cell(fix)} |"


def example_of(kind: KindDeclaration) -> Difference:
    """The difference that the example of a kind gives.

    Raises:
        ValueError: it gives several, or none.
    """
    sides = [
        [{"name": "f", "arguments": side}] if isinstance(side, dict) else side
        for side in (kind.actual, kind.expected)
    ]
    result: Result = evaluate(kind.evaluator, output=sides[0], expected=sides[1], tools=kind.tools or None)
    (found,) = result.details.differences
    return found


def _example(side: object) -> str:
    return f"`{_cell(_json(side))}`" if isinstance(side, dict) else _calls(side)  # type: ignore[arg-type]


def matchers_page() -> Iterator[str]:
    """All matchers on one page."""
    yield NOTE
    yield "# What an expected argument may say besides a plain value"
    yield ""
    yield "Plain JSON means equality. In native expected calls with object arguments, and in Python, an object whose"
    yield "first key starts with `$` is a matcher, anywhere inside an argument; matchers nest. They look at what"
    yield "the agent wrote; options such as `ignore_case` hold for the plain values in and around them. In wire formats"
    yield (
        "and argument texts they are plain JSON; the option `matchers` (`auto`, `on`, `off`) overrides that. "
        "Python objects"
    )
    yield "whose `==` answers (`unittest.mock.ANY`, dirty-equals) work too."
    yield ""
    yield "| matcher | takes | for example | takes not | in Python |"
    yield "|---|---|---|---|---|"
    for kind in MATCHERS:
        found = kind.declaration
        takes = ", ".join(f"`{_json(value)}`" for value in found.accepts[:3])
        refuses = ", ".join(f"`{_json(value)}`" for value in found.refuses[:3])
        own = _signature(found.id)
        yield f"| `{_json(found.example)}` | {_cell(found.meaning)} | {takes} | {refuses} | {own} |"
    yield ""
    yield from MATCHER_NOTES.splitlines()


MATCHER_NOTES = """\
`$datetime` needs a day; numbers are seconds or milliseconds since 1970, texts of digits are not.

Where an option takes what the agent wrote for another thing (`schema_defaults` a key that is left out for its default,
`null_equals_missing` a null for a key that is left out), a matcher is asked about what was written first, and only where
it does not take that about the other.

`$optional` and `$absent` are about a key, or the element of a list: `[{"$optional": 1}, 2]` takes `[1, 2]` and `[2]`.
Within `$one_of` they let the key be left out too: `{"$one_of": ["a", {"$absent": true}]}`. `$not` and `$contains`
refuse them. NaN and infinity, which only Python can hold, are of no `$type` and satisfy no `$schema`; NaN lies in no
`$range`.

The arguments as a whole are no place for a matcher: `{"$any": true}` there is refused, with what is meant instead. An
argument that is really called so stands in `{"$literal": {"$any": ..}}`; one called `$filter`, say, needs nothing.

An unknown `$name`, or a matcher of the wrong form, is an error of the case whatever the agent did and whichever
evaluator is asked; it names the place and the nearest matcher. There are [limits](../expected-calls.md#limits).

Regular expressions run in time that grows with the text alone, so those that would need backtracking (references to
groups, looking ahead) are refused. `$` stands at the very end, not before a last newline.
"""


def _signature(name: str) -> str:
    """How the function of a matcher is called."""
    function = PYTHON.get(name, name)
    found = inspect.signature(getattr(matchers, function))
    told = [str(item).partition(":")[0] for item in found.parameters.values()]
    kept = [
        "*" if found.parameters[n.lstrip("*")].kind is inspect.Parameter.KEYWORD_ONLY else "" for n in told
    ]
    shown = [f"{n}=.." if mark else n for n, mark in zip(told, kept, strict=True)]
    return f"`matchers.{function}({', '.join(shown)})`"


PYTHON = {"any": "any_", "range": "range_", "type": "type_", "not": "not_"}
"""Functions whose names Python has already."""


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace("|", "\\|")


def format_page(found: FormatDeclaration) -> Iterator[str]:
    """The page of one format."""
    yield NOTE
    yield f"# {found.id}"
    yield ""
    yield f"{_sentence(found.meaning)}"
    yield ""
    yield "| what | where |"
    yield "|---|---|"
    for head, words in (
        ("told by", found.detected_by),
        ("name", found.name_at),
        ("arguments", found.arguments_at),
        ("id", found.id_at),
        ("result", found.result_at),
        ("parallel calls", found.group_at),
        ("turn", found.turn_at),
        ("cannot carry", found.cannot_carry),
        ("source", found.source),
    ):
        if words:
            yield f"| {head} | {_cell(words)} |"
    yield ""
    if found.named_only:
        yield f"It has no marks of its own, so it is read only when it is named: `--format {found.id}`."
        yield ""
    if found.id in WRITERS:
        yield f"`rightcall convert FILE --to {found.id}` writes it."
        yield ""
    yield "An example:"
    yield ""
    yield from _block(found.example, "text" if found.text else "json")
    yield ""
    yield "What is read of it:"
    yield ""
    yield from _block("\n".join(_told(found)), "text")


def _told(found: FormatDeclaration) -> Iterator[str]:
    trace = read_calls(found.example, place="example", format=found.id)
    for call, item in zip(trace.calls or (), as_builtin(trace.calls or ()), strict=True):
        yield _call(call, item)


def _call(call: ToolCall, item: dict[str, object]) -> str:
    rest = {name: value for name, value in item.items() if name not in ("name", "arguments")}
    more = "".join(f"  {name}={value!r}" for name, value in rest.items())
    return f"{call.name}({item['arguments']}){more}"


def _block(text: str, language: str) -> Iterator[str]:
    # A style of fenced JSON needs a longer fence around it.
    fence = "````" if "```" in text else "```"
    yield f"{fence}{language}"
    yield text
    yield fence


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def _sentence(text: str) -> str:
    return text[:1].upper() + _cell(text)[1:] + ("" if text.endswith(".") else ".")


def write() -> None:
    """Write every page and take away those of members that are gone."""
    made = pages()
    for path in REFERENCE.rglob("*.*"):
        if str(path.relative_to(REFERENCE)) not in made:
            path.unlink()
    for name, text in made.items():
        place = REFERENCE / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


if __name__ == "__main__":
    write()

"""invoke_xml: `<invoke name=..>` with `<parameter name=..>`, as Claude and models taught by it write calls."""

from __future__ import annotations

from ..core.reading.format import Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spoken import TextReader, tell
from ..core.reading.textstyles import invoke

DECLARATION = FormatDeclaration(
    id="invoke_xml",
    meaning="calls as `<invoke>` tags with a `<parameter>` for each argument in the text of a model, "
    "also with a prefix",
    detected_by='`<invoke name="..">`, alone or within `<function_calls>`, also with the prefix `antml:`',
    name_at="name of the `<invoke>` tag",
    arguments_at="the `<parameter>` tags: mere texts, to which the offered tools give the types; without a "
    "schema they stay texts, with a warning where that may be wrong",
    id_at="none",
    result_at="the next message of role `tool`, in order; its `<tool_response>` blocks if it has such",
    group_at="the calls of one text",
    turn_at="messages of role `user`, or the `turn` of an object with a text",
    cannot_carry="ids, times, whether a call failed; in a bare text the outputs and turns",
    example='<function_calls>\n<invoke name="get_weather">\n<parameter '
    'name="city">Oslo</parameter>\n</invoke>\n</function_calls>',
    source="Anthropic's documents on tools in prompts",
    text=True,
)


class Reader(TextReader):
    """See :class:`TextReader`."""

    format = DECLARATION.id
    style = staticmethod(invoke)


def detect(glance: Glance) -> Evidence | None:
    """By an `<invoke>` tag."""
    return tell(glance, invoke, "an <invoke> tag")

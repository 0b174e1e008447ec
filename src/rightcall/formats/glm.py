"""glm: a name and pairs of `<arg_key>` and `<arg_value>` between `<tool_call>` tags, as GLM-4.5 writes calls."""

from __future__ import annotations

from ..core.reading.format import Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spoken import TextReader, tell
from ..core.reading.textstyles import glm

DECLARATION = FormatDeclaration(
    id="glm",
    meaning="GLM-4.5 and later: calls as tags with a key and a value for each argument, in the text of a model",
    detected_by="`<tool_call>` followed by a name and `<arg_key>`, or by a name on a line of its own",
    name_at="behind `<tool_call>`",
    arguments_at="`<arg_key>` and `<arg_value>`: mere texts, to which the offered tools give the types; without a "
    "schema they stay texts, with a warning where that may be wrong",
    id_at="none",
    result_at="the next message of role `tool`, in order; its `<tool_response>` blocks if it has such",
    group_at="the calls of one text",
    turn_at="messages of role `user`, or the `turn` of an object with a text",
    cannot_carry="ids, times, whether a call failed; in a bare text the outputs and turns",
    example="<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>",
    source="chat template of GLM-4.5",
    text=True,
)


class Reader(TextReader):
    """See :class:`TextReader`."""

    format = DECLARATION.id
    style = staticmethod(glm)


def detect(glance: Glance) -> Evidence | None:
    """By a `<tool_call>` tag with a name and `<arg_key>` tags."""
    return tell(glance, glm, "<tool_call> with <arg_key>")

"""hermes: `<tool_call>` tags around JSON, as Hermes, Qwen and many models after them write calls."""

from __future__ import annotations

from ..core.reading.format import Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spoken import TextReader, tell
from ..core.reading.textstyles import hermes

DECLARATION = FormatDeclaration(
    id="hermes",
    meaning="Hermes and Qwen: calls as JSON between `<tool_call>` tags in the text of a model",
    detected_by="`<tool_call>` followed by an object or a list, in a bare text or in a message of the agent",
    name_at="name in the JSON of a tag",
    arguments_at="arguments in it: an object, in JSON or as Python writes it",
    id_at="none",
    result_at="the next message of role `tool`, in order; its `<tool_response>` blocks if it has such",
    group_at="the calls of one text",
    turn_at="messages of role `user`, or the `turn` of an object with a text",
    cannot_carry="ids, times, whether a call failed; in a bare text the outputs and turns",
    example='<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
    source="chat templates of NousResearch Hermes and Qwen",
    text=True,
)


class Reader(TextReader):
    """See :class:`TextReader`."""

    format = DECLARATION.id
    style = staticmethod(hermes)


def detect(glance: Glance) -> Evidence | None:
    """By a `<tool_call>` tag with a call in it."""
    return tell(glance, hermes, "<tool_call> with a call")

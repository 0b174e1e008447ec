"""raven: `Call: f(x=1);`, as NexusRaven writes calls."""

from __future__ import annotations

from ..core.reading.format import Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spoken import TextReader, tell
from ..core.reading.textstyles import raven

DECLARATION = FormatDeclaration(
    id="raven",
    meaning="NexusRaven: Python calls after `Call:` in the text of a model",
    detected_by="`Call:` at the start of a line, followed by a call that ends with `;` or with its line",
    name_at="before the bracket",
    arguments_at="keyword arguments, as Python literals",
    id_at="none",
    result_at="the next message of role `tool`, in order; its `<tool_response>` blocks if it has such",
    group_at="the calls of one text",
    turn_at="messages of role `user`, or the `turn` of an object with a text",
    cannot_carry="ids, times, whether a call failed; in a bare text the outputs and turns",
    example="Call: get_weather(city='Oslo');",
    source="model card of NexusRaven V2",
    text=True,
)


class Reader(TextReader):
    """See :class:`TextReader`."""

    format = DECLARATION.id
    style = staticmethod(raven)


def detect(glance: Glance) -> Evidence | None:
    """By `Call:` with a call after it."""
    return tell(glance, raven, "Call: with a call")

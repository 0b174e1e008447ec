"""qwen_coder: `<function=name>` with a `<parameter=key>` for each argument, as Qwen3-Coder writes calls."""

from __future__ import annotations

from ..core.reading.format import Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spoken import TextReader, tell
from ..core.reading.textstyles import qwen_coder

DECLARATION = FormatDeclaration(
    id="qwen_coder",
    meaning="Qwen3-Coder: calls as XML-like tags, one for each argument, in the text of a model",
    detected_by="`<function=name>` followed by `<parameter=key>`, or within `<tool_call>` by its closing tag",
    name_at="the `<function=` tag",
    arguments_at="the `<parameter=` tags: mere texts, to which the offered tools give the types; without a "
    "schema they stay texts, with a warning where that may be wrong",
    id_at="none",
    result_at="the next message of role `tool`, in order; its `<tool_response>` blocks if it has such",
    group_at="the calls of one text",
    turn_at="messages of role `user`, or the `turn` of an object with a text",
    cannot_carry="ids, times, whether a call failed; in a bare text the outputs and turns",
    example=""
    "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>",
    source="chat template of Qwen3-Coder",
    text=True,
)


class Reader(TextReader):
    """See :class:`TextReader`."""

    format = DECLARATION.id
    style = staticmethod(qwen_coder)


def detect(glance: Glance) -> Evidence | None:
    """By a `<function=` tag with `<parameter=` tags."""
    return tell(glance, qwen_coder, "<function=..> with <parameter=..>")

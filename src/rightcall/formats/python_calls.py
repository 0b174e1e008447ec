"""python_calls: `[f(a=1), ns.g(b='x')]`, calls as Python writes them, without marks."""

from __future__ import annotations

from ..core.reading.barestyles import python_calls
from ..core.reading.format import Evidence, FormatDeclaration
from ..core.reading.glance import Glance
from ..core.reading.spoken import TextReader

DECLARATION = FormatDeclaration(
    id="python_calls",
    meaning="calls as Python writes them: a list, calls one after the other, or a list of texts with calls",
    detected_by="a text that begins with a call or a list of calls, or its first fence that holds nothing else",
    name_at="before the bracket",
    arguments_at="keyword arguments, as Python literals; plain arithmetic is worked out, a word without "
    "quotes is a text with a warning; positional arguments and calls as values can't be read",
    id_at="none",
    result_at="the next message of role `tool`, in order; its `<tool_response>` blocks if it has such",
    group_at="the calls of one text",
    turn_at="messages of role `user`, or the `turn` of an object with a text",
    cannot_carry="ids, times, whether a call failed; in a bare text the outputs and turns",
    example="[get_weather(city='Oslo'), get_weather(city='Bergen')]",
    source="prompts of the Berkeley Function Calling Leaderboard, Llama 4",
    named_only=True,
    text=True,
)


class Reader(TextReader):
    """See :class:`TextReader`."""

    format = DECLARATION.id
    style = staticmethod(python_calls)


def detect(glance: Glance) -> Evidence | None:
    """By nothing: it has no mark of its own, so it must be named."""
    return None

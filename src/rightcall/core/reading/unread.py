"""Marks of calls in what an agent said that no text style reads: a call may be lost there, so it is told."""

from __future__ import annotations

from typing import Final

from ..jsonvalue import show

__all__ = ["unread_call"]

_TAGS: Final = (("<tool_call>", "</tool_call>"),)
_TOKENS: Final = (("<|tool_call_begin|>", "<|tool_call_end|>"), (" to=functions.", "<|message|>"))
_WIDE: Final = (("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"),)
"""What stands before and behind a call: of Hermes and GLM, of Kimi and gpt-oss (Harmony), of DeepSeek."""
_MENTIONS: Final = frozenset({"", "...", "…"})
_MOST_TRIES: Final = 20


def unread_call(text: str) -> str | None:
    """What is odd about a text that is left when its calls were taken out; None where no call seems to be lost.

    A body in JSON is left aside: the styles read it, or the message tells the same call in a field.
    """
    if "<" not in text:
        return None
    # Nearly all texts are passed over here, so each is searched as rarely as can be.
    tags = _TAGS if "<tool_call>" in text else ()
    tokens = _TOKENS if "<|" in text else ()
    for start, end in (*tags, *tokens, *(() if text.isascii() else _WIDE)):
        place = text.find(start)
        for _ in range(_MOST_TRIES):
            stop = text.find(end, place) if place >= 0 else -1
            if stop < 0:
                break
            body = text[place + len(start) : stop].strip()
            if body not in _MENTIONS and body[:1] not in ("{", "["):
                return (
                    f"the agent's text holds {start.strip()}, the mark of a call, and no call could be read there: "
                    + (show(body, 40))
                )
            place = text.find(start, stop)
    return None

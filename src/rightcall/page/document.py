"""The document: one file with its style, its script and its data, that may run nothing else and load nothing."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import zlib
from collections.abc import Iterator
from importlib import resources
from typing import Any, Final

__all__ = ["SCRIPTS", "asset", "document"]

SCRIPTS: Final = (
    *("dom.js", "data.js", "place.js", "charts.js", "overview.js", "tools.js", "trials.js"),
    *("cases.js", "calls.js", "case.js", "comparison.js", "main.js"),
)
"""The parts of the script, in order; they are one function's body, so that nothing of them is global."""

_LEVEL: Final = 6
_LINE: Final = 57 * 1024
"""Bytes that are encoded at a time; a multiple of three, so that the pieces join without padding."""


def asset(name: str) -> str:
    """A part of the page as it lies in the package."""
    return (resources.files(__package__) / "assets" / name).read_text(encoding="utf-8")


def document(overview: dict[str, Any], cases: dict[str, Any] | None) -> Iterator[str]:
    """The page, piece by piece.

    Args:
        overview: of :func:`~rightcall.page.pack_overview`.
        cases: of :func:`~rightcall.page.pack_cases`; None for a page without them.
    """
    style = asset("page.css")
    script = '(() => {\n"use strict";\n' + "".join(map(asset, SCRIPTS)) + "})();\n"
    head, _, body = asset("page.html").partition("<!--data-->\n")
    title = html.escape(_UNSHOWN.sub("\ufffd", str(overview["run"])))
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )
    yield head.replace("{policy}", policy).replace("{style}", style).replace("{title}", title)
    yield f'<script type="application/json" id="overview-data">{_json(overview)}</script>\n'
    if cases is not None:
        yield '<script type="text/plain" id="cases-data">'
        yield from _compressed(json.dumps(cases, separators=(",", ":")).encode())
        yield "</script>\n"
    yield body.replace("{script}", script)


_UNSHOWN: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a title can't show, or that turn around what follows."""


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _json(value: Any) -> str:
    """JSON that ends no element and opens none: ASCII, with the letters of markup written as escapes."""
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _compressed(data: bytes) -> Iterator[str]:
    """Bytes as gzip in base64, which every browser of these years unpacks by itself."""
    packed = zlib.compress(data, _LEVEL, wbits=31)
    for start in range(0, len(packed), _LINE):
        yield base64.b64encode(packed[start : start + _LINE]).decode()

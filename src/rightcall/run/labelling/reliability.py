"""A reliability plot: what was predicted against what was so, with 95 % intervals. SVG text, or bars of characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...judging.fitting import Bin
from ...stats import wilson

__all__ = ["as_svg", "bars"]

_SIDE: Final = 360
_EDGE: Final = 48
_WIDE: Final = 20


def as_svg(bins: Sequence[Bin], title: str) -> str:
    """The plot as an SVG document: a dot for each tenth, as large as its share of pairs, on the line of equality."""
    most = max((each.count for each in bins), default=1)
    whole = _SIDE + 2 * _EDGE
    look = f'viewBox="0 0 {whole} {whole}" font-family="sans-serif" font-size="12" role="img"'
    middle = whole / 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {look}><title>{_escaped(title)}</title>',
        f'<rect width="{whole}" height="{whole}" fill="#fff"/>',
        f'<rect x="{_EDGE}" y="{_EDGE}" width="{_SIDE}" height="{_SIDE}" fill="none" stroke="#888"/>',
        f'<line x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(1)}" stroke="#888" stroke-dasharray="4"/>',
        f'<text x="{middle}" y="{_EDGE / 2}" text-anchor="middle">{_escaped(title)}</text>',
        f'<text x="{middle}" y="{whole - 12}" text-anchor="middle">predicted</text>',
        f'<text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle">share equivalent</text>',
    ]
    for value in (0.0, 0.5, 1.0):
        parts.append(f'<text x="{_x(value)}" y="{_y(0) + 16}" text-anchor="middle">{value:g}</text>')
        parts.append(f'<text x="{_x(0) - 6}" y="{_y(value) + 4}" text-anchor="end">{value:g}</text>')
    for each in bins:
        low, high = wilson(round(each.observed * each.count), each.count) or (0.0, 1.0)
        x = f"{_x(each.predicted):.1f}"
        parts.append(f'<line x1="{x}" x2="{x}" y1="{_y(low):.1f}" y2="{_y(high):.1f}" stroke="#1f6feb"/>')
        size = 3 + 5 * (each.count / most) ** 0.5
        parts.append(
            f'<circle cx="{x}" cy="{_y(each.observed):.1f}" r="{size:.1f}" fill="#1f6feb">'
            f"<title>{each.count} pairs: predicted {each.predicted:.3f}, so {each.observed:.3f}</title></circle>"
        )
    return "\n".join([*parts, "</svg>", ""])


def bars(bins: Sequence[Bin]) -> list[tuple[str, str, str, str, str]]:
    """The plot as rows: bin, pairs, predicted, observed, and a bar of the observed share."""
    return [
        (
            f"{each.low:.1f}–{each.high:.1f}",
            f"{each.count:,}",
            f"{each.predicted:.3f}",
            f"{each.observed:.3f}",
            "█" * round(_WIDE * each.observed),
        )
        for each in bins
    ]


def _x(value: float) -> float:
    return _EDGE + _SIDE * value


def _y(value: float) -> float:
    return _EDGE + _SIDE * (1 - value)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

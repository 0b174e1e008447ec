"""Lists: item by item. Their order matters unless ``uniqueItems`` or all that is known makes them a set of labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from math import prod
from typing import Any, Final

from ....core.jsonvalue import InvalidJSONError, canonical_key, decode, depth_exceeds
from ....core.match import best_assignment
from ..fields import Inner
from ..spelling import listed
from ..verdict import About, Verdict, about, differs, perhaps

ORDER = 5
_PARTED: Final = re.compile(r"\s*[,;|]\s*|\s+and\s+|\n")
_LONGEST_TEXT: Final = 20_000
_LONGEST: Final = 12
"""Items that are still compared all with all, where the order is open; of lists within lists none are, since each level
would do so again."""

REORDERED: Final = 0.49
"""The order may matter, and no schema says that it does not: below the threshold, for a remote judge to decide."""

LABELS: Final = 0.97
"""Labels in another order, where neither the name nor the description speaks of one: most likely a set, and a remote
judge is asked all the same. A departure from judges.md, by what people accept (docs/design/semantic.md)."""

_SEQUENCES: Final = listed(
    """
    order sequence step route stop waypoint path rank ranking ranked priority priorities preference preferred favorite
    queue playlist itinerary trip leg command args arg argv argument action instruction move level stage phase timeline
    history message line row track chapter word token sentence paragraph lyrics text coordinate dimension shape axis axes
    range interval between pair from to origin destination pipeline operation transform event log stack sort position
    index schedule agenda slot home away source target hop
    """
)
"""Words of a name by which the place of an item may say something."""

_ORDERED: Final = listed(
    """
    order ordered sequence sequential sequentially ranked ranking rank priority prioritized preference respectively
    chronological sorted consecutive stepwise steps waypoints stops followed
    """
)
"""Words of a description that do so."""

_PLAIN: Final = re.compile(r"[^\W\d_](?:[\w .,'&@+-]*[\w.+)])?")
_MOST_WORDS: Final = 5


def claims(about: About) -> bool:
    """The schema says array."""
    return about.type == "array"


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Decides where both are lists, or one is and the other the same as a text."""
    if isinstance(a, list) and isinstance(b, list):
        return _lists(a, b, about, inner)
    if isinstance(a, list) or isinstance(b, list):
        items, other = (a, b) if isinstance(a, list) else (b, a)
        return _list_and_text(items, other, about, inner)
    if claimed and isinstance(a, str) and isinstance(b, str) and "," in a and "," in b:
        return _lists(_PARTED.split(a.strip(" []")), _PARTED.split(b.strip(" []")), about, inner)
    return None


def _list_and_text(items: list[Any], other: Any, about: About, inner: Inner) -> Verdict:
    if len(items) == 1 and not isinstance(other, dict):
        found = inner(items[0], other, _item(about))
        return Verdict(
            min(found.probability, 0.85), f"one item, once as a list: {found.words}", found.decided
        )
    if not isinstance(other, str):
        return differs("a list against something else")
    if (written := _decoded(other)) is not None:
        found = _lists(items, written, about, inner)
        return Verdict(min(found.probability, 0.97), f"once as JSON text: {found.words}", found.decided)
    found = _lists(items, [part for part in _PARTED.split(other.strip(" []")) if part], about, inner)
    return Verdict(
        min(found.probability, 0.93), f"a list against a text with its items: {found.words}", found.decided
    )


def _decoded(text: str) -> list[Any] | None:
    """The list that a text is the JSON of."""
    if text[:1] != "[" or len(text) > _LONGEST_TEXT:
        return None
    try:
        found = decode(text)
    except InvalidJSONError:
        return None
    return found if isinstance(found, list) and not depth_exceeds(found) else None


def _lists(a: list[Any], b: list[Any], about: About, inner: Inner) -> Verdict:
    if about.unique:
        a, b = _distinct(a), _distinct(b)
    if len(a) != len(b):
        return differs("lists of other lengths")
    if not a:
        return Verdict(0.99, "both empty")
    each = _item(about)
    straight = [inner(x, y, each) for x, y in zip(a, b, strict=True)]
    ordered = _told(straight)
    if ordered.probability >= 0.5 or len(a) == 1:
        return ordered
    if len(a) > _LONGEST or any(isinstance(item, list | dict) for item in (*a, *b)):
        return _to_the_letter(a, b, about) or ordered
    crossed = _told(_crossed(a, b, each, inner))
    if about.unique:
        return max(ordered, crossed, key=lambda found: found.probability)
    labels = _is_set_of_labels(a, about) and _is_set_of_labels(b, about)
    turned = crossed.probability * (LABELS if labels else REORDERED)
    if turned > ordered.probability:
        return perhaps(
            turned,
            f"the same {'labels' if labels else 'items'} in another order{', which nothing speaks of' * labels}",
        )
    return ordered


def _to_the_letter(a: list[Any], b: list[Any], about: About) -> Verdict | None:
    """The same items in another order, to the letter: lists, objects, or more than can be held against each other."""
    if Counter(map(canonical_key, a)) != Counter(map(canonical_key, b)):
        return None
    if about.unique:
        return Verdict(0.99, "the same items in another order")
    labels = _is_set_of_labels(a, about)
    return perhaps(LABELS if labels else REORDERED, "the same items in another order")


def _is_set_of_labels(items: list[Any], about: About) -> bool:
    """Whether these are names of things, each once, and nothing that is known speaks of their order."""
    if about.named(_SEQUENCES) or not about.described.isdisjoint(_ORDERED):
        return False
    plain = [item for item in items if isinstance(item, str) and _PLAIN.fullmatch(item)]
    if len(plain) < len(items) or any(len(item.split()) > _MOST_WORDS for item in plain):
        return False
    return len({item.casefold() for item in plain}) == len(items)


def _crossed(a: list[Any], b: list[Any], about: About, inner: Inner) -> list[Verdict]:
    """Every item with the one that fits best, one to one."""
    table = [[inner(x, y, about) for y in b] for x in a]
    pairs = best_assignment([[round(found.probability * 1_000_000) for found in row] for row in table])
    return [table[row][column] for row, column in pairs] if len(pairs) == len(a) else [differs("other items")]


def _told(found: list[Verdict]) -> Verdict:
    worst = min(found, key=lambda each: each.probability)
    value = prod(each.probability for each in found)
    if worst.probability <= 0.05 and worst.decided:
        return Verdict(value, f"an item differs: {worst.words}")
    decided = all(each.decided for each in found)
    if worst.probability > 0.05:
        # Items of one list are written in one way, so that they are right or wrong together.
        value = worst.probability
    return Verdict(value, f"item by item: {worst.words}", decided)


def _distinct(items: list[Any]) -> list[Any]:
    return list({canonical_key(item): item for item in items}.values())


def _item(whole: About) -> About:
    items = whole.schema.get("items") if isinstance(whole.schema, Mapping) else None
    return about(" ".join(sorted(whole.name)), items, " ".join(sorted(whole.tool)))

"""Own pairs that are fitted to and never measured: synonyms that no table knows, acronyms, and their like.

Without them the regression would see pairs with one other word nearly always as different ones, since the benchmark's
pairs that differ so are chosen for it, and tables and parsers take those that do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_ALIKE = """
big houses|large-size houses; sad songs|melancholy songs; hot beverages|hot drinks; job openings|job vacancies
house prices|home prices; storm warning|storm alert; train timetable|train schedule; city map|town map
sports results|sports scores; garden tools|gardening tools; family restaurants|family diners
winter coat|winter jacket; gift ideas|present ideas; annual report|yearly report
customer complaints|client complaints; delivery address|shipping address; crime statistics|crime figures
key performance indicator|KPI; central processing unit|CPU; annual percentage rate|APR
estimated time of arrival|ETA; search engine optimization|SEO; minimum viable product|MVP
content management system|CMS; annual general meeting|AGM; terms of service|TOS
"""
_APART = """
big houses|big horses; sad songs|love songs; hot beverages|hot dogs; job openings|job interviews
house prices|house plans; storm warning|storm damage; train timetable|train tickets; city map|city budget
sports results|sports shoes; garden tools|garden chairs; family restaurants|family doctors
winter coat|winter boots; gift ideas|gift cards; annual report|annual budget; customer complaints|customer reviews
delivery address|billing address; crime statistics|crime novels; key performance indicator|KPA
central processing unit|GPU; annual percentage rate|APY; terms of service|TOR; minimum viable product|MVA
"""
_ARGUMENTS = (
    ("find_pages", "query", "What to look for."),
    ("add_note", "text", "The words."),
    ("tag_item", "label", "A label."),
)


def rows() -> Iterator[dict[str, Any]]:
    """Rows as those of the fit half."""
    for equivalent, pairs in ((True, _ALIKE), (False, _APART)):
        for number, pair in enumerate(pairs.replace("\n", ";").split(";")):
            if "|" not in pair:
                continue
            tool, argument, description = _ARGUMENTS[number % len(_ARGUMENTS)]
            a, b = (each.strip() for each in pair.split("|"))
            yield {
                "tool": tool,
                "argument": argument,
                "schema": {"type": "string", "description": description},
                "a": a,
                "b": b,
                "equivalent": equivalent,
                "kind": "fit_only",
                "group": "hard",
            }

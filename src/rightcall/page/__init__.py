"""How the HTML report is put together: its data, packed, and the page that shows it. What is shown is in `assets`."""

from .cases import pack_cases
from .document import document
from .overview import pack_overview, pointed_at

__all__ = ["document", "pack_cases", "pack_overview", "pointed_at"]

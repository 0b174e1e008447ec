"""Words of arguments' names that say what an argument holds, where more than one parser or guard asks."""

from __future__ import annotations

from typing import Final

from .spelling import listed

__all__ = ["LEGAL", "ORGANISATIONS", "PERSONS", "PLACES"]

PLACES: Final = listed(
    """
    location city place origin destination address state region area town venue loc county from to pickup
    dropoff where departure arrival source cities village neighborhood locality court airport station
    site geo headquarters birthplace hometown municipality province
    """
)
PERSONS: Final = listed(
    """
    person customer passenger author player contact recipient patient guest attendee actor actress artist
    director employee client sender celebrity scientist lawyer doctor host teacher student candidate
    firstname lastname fullname surname entity participant composer
    """
)
ORGANISATIONS: Final = listed(
    """
    company organization organisation employer brand manufacturer vendor supplier firm merchant airline
    bank agency institution publisher corporation business carrier retailer
    """
)
LEGAL: Final = listed(
    """
    inc incorporated llc ltd limited corp corporation co company gmbh plc ag sa nv bv spa kg pty llp lp
    srl oy ab asa kk holdings group
    """
)
"""Legal forms of firms, which say nothing about which firm it is."""

"""Products: who makes one says nothing new. Nintendo Switch is the Switch, Microsoft Excel is Excel."""

from __future__ import annotations

from typing import Any, Final

from ..fields import Inner
from ..spelling import fold, listed
from ..verdict import About, Verdict, perhaps

ORDER = 53
_NAMES: Final = listed(
    """
    product platform console software browser app application car vehicle model device phone game tool item system
    laptop tablet camera program gadget make instrument guitar piano shoe shoes sneaker watch
    """
)
_MAKERS: Final = listed(
    """
    acer acura adidas adobe amazon amd apple asus audi bmw bosch bose braun cadillac canon casio chevrolet chevy cisco
    citroen dell dodge dyson epson ferrari fiat fitbit ford fujifilm garmin gibson google gopro hasbro honda hp huawei
    hyundai ibm ikea infiniti intel jaguar jbl jeep kawasaki kia lamborghini lego lenovo lexus lg logitech maserati
    mazda mercedes microsoft mitsubishi motorola mozilla nestle nike nikon nintendo nissan nokia nvidia oneplus oracle
    panasonic peugeot philips porsche puma razer renault roland samsung sega siemens skoda sony subaru suzuki tesla
    toshiba toyota valve volkswagen volvo vw whirlpool xiaomi yamaha buick chrysler gmc bentley bugatti mclaren polestar
    rivian ducati vespa fender steinway ibanez korg moog epiphone reebok asics fossil rolex omega casio seiko
    """
) | {"mercedes benz", "alfa romeo", "aston martin", "land rover", "rolls royce", "harley davidson", "new balance",
     "under armour", "hewlett packard", "general electric"}  # fmt: skip


_ONLY_MAKERS: Final = listed("nintendo microsoft sony honda toyota nissan")
"""Makers whose names are nothing else, so that what stands behind is a product even in small letters."""


def _is_a_name(text: str) -> bool:
    """Whether the last word is written as a name: with a capital or a digit. An Apple charger is made by whoever."""
    last = "".join(text.rsplit(maxsplit=1)[-1:])
    return last[:1].isupper() or any(map(str.isdigit, last))


def claims(about: About) -> bool:
    """The name says so."""
    return about.named(_NAMES)


def compare(a: Any, b: Any, about: About, claimed: bool, inner: Inner) -> Verdict | None:  # noqa: FBT001
    """Likely one where a known maker before the name is all that one has more."""
    if not claimed or not isinstance(a, str) or not isinstance(b, str):
        return None
    short, long = sorted((fold(a), fold(b)), key=len)
    maker = long.removesuffix(f" {short}")
    if maker not in _ONLY_MAKERS and not (_is_a_name(a) and _is_a_name(b)):
        return None
    if short and maker != long and maker in _MAKERS and not short.isdecimal():
        return perhaps(0.88, "the same product, once with its maker")
    return None

"""What callers say about pages."""

from typing import Any

from application.paging import PageRequest
from domain.errors import Violation
from domain.violations import integer
from entrypoints.interfaces.pages import Pages

USUAL, MOST = 50, 100


def pages_of(sent: Any, secret: bytes) -> Pages:
    """The pages of the list that a request asks for.

    Two requests ask for the same list if they say the same, but for the page and for how up to
    date it must be.
    """
    asked = type(sent)()
    asked.CopyFrom(sent)
    for name in ("page_size", "page_token", "options"):
        asked.ClearField(name)
    if sent.options.HasField("as_of"):
        asked.options.as_of.CopyFrom(sent.options.as_of)
    said: bytes = asked.SerializeToString(deterministic=True)
    return Pages(secret, (sent.DESCRIPTOR.full_name, said.hex()))


def page_said(sent: Any, pages: Pages, found: list[Violation]) -> PageRequest:
    size: int = sent.page_size or USUAL
    found += integer("page_size", size, least=1, most=MOST)
    return pages.request(size, sent.page_token or None, found)

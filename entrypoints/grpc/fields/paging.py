"""What callers say about pages."""

from typing import Protocol

from application.reads.paging import PageRequest
from domain.errors import Violation
from domain.timestamps import stamp
from entrypoints.grpc.fields.timestamps import moment_said
from entrypoints.grpc.messages.common_pb2 import ReadOptions
from entrypoints.interfaces.page_tokens import Pages

USUAL_PAGE = 50
LARGEST_PAGE = 100


class AsksForPages(Protocol):
    @property
    def page_size(self) -> int: ...
    @property
    def page_token(self) -> str: ...
    @property
    def options(self) -> ReadOptions: ...


def pages_of(secret: bytes, asked: AsksForPages, *of: object) -> Pages:
    """The pages of one list: `of` says which list it is, with all its filters."""
    moment = moment_said(asked.options, "as_of", [])
    return Pages(secret, (*of, stamp(moment) if moment else None))


def page_wanted(asked: AsksForPages, pages: Pages, found: list[Violation]) -> PageRequest:
    """1 to 100 items; 50 if nothing is said."""
    if not 0 <= asked.page_size <= LARGEST_PAGE:
        found.append(Violation("page_size", "OUT_OF_RANGE", f"must be 1 to {LARGEST_PAGE}"))
    return pages.request(asked.page_size or USUAL_PAGE, asked.page_token or None, found)

"""
Long lists, a page at a time.

A cursor says after which item to go on. It is signed, and good only for the list it came from: the
same filter and the same moment.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import strawberry
from attrs import evolve
from strawberry import UNSET

from application.reads.paging import Page, PageRequest
from domain.errors import Violation
from entrypoints.graphql.answer_info import AnswerInfo
from entrypoints.graphql.arguments import said
from entrypoints.graphql.consistency import Found
from entrypoints.interfaces.page_tokens import Pages

C = TypeVar("C")
N = TypeVar("N")

MOST = 100
AT_FIRST = 50


@strawberry.input(description="Which part of a long list is wanted.")
class Pagination:
    first: int | None = strawberry.field(
        default=AT_FIRST, description=f"At most so many, 1 to {MOST}."
    )
    after: str | None = strawberry.field(
        default=UNSET, description="A cursor of this list, with the same filter: go on after it."
    )


@strawberry.type(description="Where a page of a list begins and ends.")
class PageInfo:
    has_next_page: bool = strawberry.field(
        description="Whether there may be more. A page may end before it is full, or even be "
        "empty, where much does not fit the filter: go on until this is false."
    )
    has_previous_page: bool = strawberry.field(description="Whether this is not the first page.")
    start_cursor: str | None
    end_cursor: str | None = strawberry.field(description="Go on after it for the next page.")


@strawberry.type
class Connection:
    """What every page of a list tells besides its items."""

    page_info: PageInfo
    answer: AnswerInfo = strawberry.field(description="What the answer is about.")


def wanted(pagination: Pagination | None, pages: Pages, found: list[Violation]) -> PageRequest:
    """The page that is asked for."""
    asked = pagination or Pagination()
    first = AT_FIRST if asked.first is None else asked.first
    if not 1 <= first <= MOST:
        found.append(Violation("pagination.first", "OUT_OF_RANGE", f"must be 1 to {MOST}"))
    foreign: list[Violation] = []
    request = pages.request(first, said(asked.after), foreign)
    told = "must be a cursor of this list, with the same filter and asOf"
    found += [evolve(one, field="pagination.after", message=told) for one in foreign]
    return request


def edges(
    page: Found[Page[C]], pages: Pages, edge: Callable[..., N], node: Callable[[Found[C]], Any]
) -> list[N]:
    """Each item with its cursor."""
    return [
        edge(cursor=pages.token(place), node=node(Found(one, page.at, page.answer)))
        for one, place in zip(page.what.items, page.what.places, strict=True)
    ]


def around(page: Found[Page[Any]], pages: Pages, request: PageRequest) -> dict[str, Any]:
    """What a connection tells besides its edges."""
    places, beyond = page.what.places, page.what.next
    info = PageInfo(
        has_next_page=beyond is not None,
        has_previous_page=request.after is not None,
        start_cursor=pages.token(places[0] if places else None),
        end_cursor=pages.token(beyond or (places[-1] if places else None)),
    )
    return {"page_info": info, "answer": AnswerInfo.of(page.answer)}

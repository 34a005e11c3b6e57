"""The evidence of a dataset, a page at a time."""

from datetime import datetime

from attrs import evolve

from application.reads.demand import NOTHING
from application.violations import refuse_any
from domain.errors import Violation
from domain.ids import DatasetUrn
from domain.timestamps import stamp
from entrypoints.graphql.arguments import said
from entrypoints.graphql.context import Info
from entrypoints.graphql.evidence.types import MOST, Evidence, EvidencePage
from entrypoints.interfaces.evidence_input import USUAL_PAGE, span_asked
from entrypoints.interfaces.page_tokens import Pages

_CALLED = {"created_since": "since", "page_token": "after"}
"""What the other interfaces call the arguments."""


async def evidence_page(
    info: Info,
    dataset: DatasetUrn,
    since: datetime | None,
    until: datetime | None,
    first: int | None,
    after: str | None,
) -> EvidencePage:
    context, found = info.context, list[Violation]()
    since, until, size = said(since), said(until), USUAL_PAGE if first is None else first
    asked = span_asked(dataset, since, until, at=context.now, found=found)
    if not 1 <= size <= MOST:
        found.append(Violation("first", "OUT_OF_RANGE", f"must be 1 to {MOST}"))
    span = [one and stamp(one) for one in (since, until)]
    pages = Pages(context.page_secret, ("evidence", dataset, *span))
    request = pages.request(size, said(after), found)
    refuse_any(evolve(one, field=_CALLED.get(one.field, one.field)) for one in found)
    page = await context.asked(NOTHING).evidence_pages.load((asked, request))
    return EvidencePage(
        evidence=[Evidence.of(one) for one in page.items],
        has_next_page=page.next is not None,
        end_cursor=pages.token(page.next),
    )

"""Which page of those who write or read something is wanted, and as of when."""

from collections.abc import Sequence
from typing import Annotated

from attrs import frozen
from fastapi import Depends

from application.caller import Caller
from application.lineage.commands_and_queries import ReadReaders, ReadWriters
from application.lineage.read_model import LineageEntry
from application.reads.paging import Page
from application.violations import refuse_any
from domain.errors import Violation
from domain.ids import Place
from entrypoints.http.dependencies import PageSecret
from entrypoints.http.validation.consistency import Asked, At
from entrypoints.http.validation.paging import PageSize, PageToken
from entrypoints.interfaces.page_tokens import Pages


@frozen
class Wanted:
    secret: bytes
    at: Asked
    token: str | None
    size: int

    async def of(
        self,
        reading: ReadWriters | ReadReaders,
        who: str,
        place: Place,
        by: Caller,
        found: Sequence[Violation],
    ) -> tuple[Page[LineageEntry], str | None]:
        """The page, and the token of the next. Refuses with all that was found wrong."""
        wrong = [*self.at.violations, *found]
        pages = Pages(self.secret, (who, place, self.at.moment))
        request = pages.request(self.size, self.token, wrong)
        refuse_any(wrong)
        page = self.at.of(await reading(place, request, demand=self.at.demand, by=by))
        return page, pages.token(page.next)


async def _wanted(
    secret: PageSecret, at: At, page_token: PageToken = None, page_size: PageSize = 50
) -> Wanted:
    return Wanted(secret, at, page_token, page_size)


WantedPage = Annotated[Wanted, Depends(_wanted)]

"""What callers say about pages in the query."""

from typing import Annotated

from fastapi import Query

PageToken = Annotated[
    str | None, Query(description="`next_page_token` of the page before, with the same filters.")
]
PageSize = Annotated[int, Query(ge=1, le=100, description="At most so many items.")]

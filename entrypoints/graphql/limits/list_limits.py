"""Lists that the schema does not page: all of it, up to a limit that is told when it is met."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from strawberry.extensions import SchemaExtension

from application.reads.demand import Answer
from application.reads.paging import Cursor, Page, PageRequest
from domain.errors import Violation
from entrypoints.graphql.consistency import Asked, Found
from entrypoints.graphql.context import Context, Info

T = TypeVar("T")

MOST = 1_000
_MOST_PAGES = 10
"""A page may end before it is full, so that no read looks at too much."""

BOUNDED = f"At most {MOST:,}; if there are more, `extensions.truncated` of the response says so."


async def gathered(
    info: Info,
    at: Asked,
    read: Callable[[PageRequest], Awaitable[Answer[Page[T]]]],
    most: int = MOST,
) -> list[Found[T]]:
    """The first items of a list; that there are more is told beside the answer."""
    items: list[Found[T]] = []
    after: Cursor | None = None
    for _ in range(_MOST_PAGES):
        answer = await read(PageRequest(most - len(items), after))
        items += [Found(one, at, answer) for one in answer.value.items]
        after = answer.value.next
        if after is None or len(items) >= most:
            break
    if after is not None:
        info.context.note_cut(info.path.as_list(), len(items))
    return items


def limited(limit: int | None, otherwise: int, found: list[Violation]) -> int:
    """How many are wanted."""
    if limit is None:
        return otherwise
    if not 1 <= limit <= MOST:
        found.append(Violation("limit", "OUT_OF_RANGE", f"must be 1 to {MOST}"))
    return limit


class TellCuts(SchemaExtension):
    """`extensions.truncated` of the response: the path of each cut list, and its length."""

    def get_results(self) -> dict[str, Any]:
        context = self.execution_context.context
        return {"truncated": context.cut} if isinstance(context, Context) and context.cut else {}

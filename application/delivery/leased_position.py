"""Where an outbox is in the log: kept in the tables, and moved by one process at a time."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, suppress
from typing import Protocol

from attrs import Factory, define, field

from application.delivery.checkpoint import Bookmark
from application.errors import ApplicationError
from application.projections.progress import Progress, Reached
from application.projections.view_store import Cards
from application.subscriptions.lease import Lease, Leases


class Placed(Protocol):
    """An outbox, as far as its place is made of it."""

    @property
    def name(self) -> str: ...

    cards: Cards
    leases: Leases
    progress: Progress
    kept_after: float


@define
class Place:
    name: str
    cards: Cards
    leases: Leases
    progress: Progress
    kept_after: float
    """Seconds after which it is kept, even if nothing had to be told on the way."""
    _lease: Lease = field(
        init=False,
        default=Factory(lambda self: Lease(self.leases, self.key), takes_self=True),
    )
    _bookmark: Bookmark = field(
        init=False,
        default=Factory(
            lambda self: Bookmark(self.cards, self.key, self.kept_after), takes_self=True
        ),
    )

    @classmethod
    def of(cls, outbox: "Placed") -> "Place":
        return cls(
            outbox.name,
            outbox.cards,
            outbox.leases,
            outbox.progress,
            outbox.kept_after,
        )

    @property
    def key(self) -> str:
        return f"outbox/{self.name}"

    async def is_ours(self) -> bool:
        """If another process has it, how far that came is told instead; it may be further."""
        ours = await self._lease.hold()
        if not ours:
            await self.tell_what_is_kept()
        return ours

    def held(self) -> AbstractAsyncContextManager[None]:
        """Stay ours while something takes its time."""
        return self._lease.renewed()

    async def find(self, first: Callable[[], Awaitable[int]]) -> int:
        """Where to go on; `first` says where to begin if that was never kept."""
        return await self._bookmark.find(first)

    async def tell_what_is_kept(self) -> None:
        self.progress.moved(self.name, Reached(await self.cards.reached(self.key)))

    async def keep(self, at: int | None) -> None:
        """Nothing, if nothing was begun."""
        if at is not None:
            await self._bookmark.move(at)

    async def keep_if_due(self, at: int) -> None:
        if self._bookmark.is_due(at):
            await self.keep(at)

    async def leave(self, at: int | None) -> None:
        """Another process may have it at once, though it could not be kept."""
        with suppress(ApplicationError):
            await self.keep(at)
        with suppress(ApplicationError):
            await self._lease.release()

"""A follower: one handler on its way through the log."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress

from attrs import define, field

from application.errors import ApplicationError
from application.projections.progress import Progress, Reached
from application.recorded import Recorded
from application.subscriptions.backoff import Backoff
from application.subscriptions.checkpoints import Checkpoint
from application.subscriptions.handler import Handler, Settled
from application.subscriptions.lease import Lease


@define
class Follower:
    """Holds a lease and a position for its handler."""

    handler: Handler
    lease: Lease
    progress: Progress
    checkpoint: Checkpoint | None = None
    """None where the handler stores its position in one write with its rows."""
    renews: bool = False
    """Whether its lease is renewed while the handler takes its time. If not, another process takes
    over from one that hangs."""
    position: int | None = field(default=None, init=False)
    """Where to read on; None until it begins, and while another process has the lease."""
    backoff: Backoff = field(factory=Backoff, init=False)
    _settled: int = field(default=0, init=False)
    _is_unsure: bool = field(default=False, init=False)

    @property
    def name(self) -> str:
        return self.handler.name

    # Where it begins, and ends.

    @property
    def must_begin(self) -> bool:
        return (self.position is None or self._is_unsure) and self.backoff.is_over

    async def begin(self) -> None:
        """Find out where the handler was left, here or in another process."""
        if self.checkpoint is None:
            self._move(Settled(await self.handler.begin(None)))
        else:
            await self._begin_at(self.checkpoint)
        self._is_unsure = False

    async def _begin_at(self, checkpoint: Checkpoint) -> None:
        found = await checkpoint.find()
        # Before anything can go wrong: `/health` shows the trouble of those it knows.
        self._tell(found or 0)
        async with self._keeping_the_lease():
            position = await self.handler.begin(found)
        if found is None:
            await checkpoint.begin(position)
        self._move(Settled(position))

    def begin_again(self) -> None:
        """Begin anew with the next turn, if what it stores may have changed behind its back."""
        self._is_unsure = self.checkpoint is None

    async def stand_by(self) -> None:
        """Another process has the lease; show how far that has come."""
        self.position = None
        self.recovered()
        if self.checkpoint is not None:
            self._tell(await self.checkpoint.read())

    async def store(self) -> None:
        if self.checkpoint is not None and self.position is not None:
            await self.checkpoint.store(self._settled)

    async def release(self) -> None:
        """Let another process have the lease at once, even if the checkpoint cannot be stored."""
        with suppress(ApplicationError):
            await self.store()
        self.position = None
        with suppress(ApplicationError):
            await self.lease.release()

    # Handling.

    async def handle(self, facts: Sequence[Recorded]) -> bool:
        """Hand over those that are new to it; returns whether it got further.

        Raises:
            Exception: The trouble of the handler.
        """
        position = self.position or 0
        async with self._keeping_the_lease():
            settled = await self.handler.handle([one for one in facts if one.position > position])
        if settled is None:
            await self._store_if_due()
            return False
        moved = self._move(settled)
        await (self.store() if settled.acted else self._store_if_due())
        if settled.trouble is not None:
            raise settled.trouble
        return moved

    def _keeping_the_lease(self) -> AbstractAsyncContextManager[None]:
        return self.lease.renewed() if self.renews else nullcontext()

    async def _store_if_due(self) -> None:
        if self.checkpoint is not None:
            await self.checkpoint.store_if_due(self._settled)

    def _move(self, settled: Settled) -> bool:
        moved = settled.acted or self.position != settled.next_read
        self._settled, self.position = settled.position, settled.next_read
        self.progress.moved(self.name, Reached(settled.position, settled.at))
        return moved

    def _tell(self, position: int) -> None:
        self.progress.moved(self.name, Reached(position))

    # Trouble.

    @property
    def patience(self) -> float:
        """Seconds until it must be asked again, though nothing is recorded."""
        return min(self.handler.due_in(), self.backoff.remaining)

    def back_off(self, error: Exception) -> None:
        """Skip it for a while, so that the others of its subscription go on."""
        self.position = None
        self.progress.stuck(self.name, str(error) or type(error).__name__)
        self.backoff.failed()

    def recovered(self) -> None:
        """It goes on, here or in another process."""
        if self.backoff.succeeded():
            self.progress.goes_on(self.name)

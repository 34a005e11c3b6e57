"""
Keeping evidence: what several callers bring within a moment goes to the archive together.

A call is answered when the archive has what it brought, and the cache was tried.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from attrs import define, field, frozen

from application.errors import Overloaded, Unavailable
from application.evidence.archive import BatchName, EvidenceArchive
from application.evidence.cache_filler import CacheFiller
from application.evidence.status import EvidenceStanding
from domain.evidence.evidence import Evidence

GATHERED_FOR = 0.02
"""Seconds. Longer groups make fewer batches, and callers wait for longer."""

MOST_TOGETHER = 10_000
"""Items in one batch, unless one call alone brings more."""


@frozen
class _Call:
    evidence: Sequence[Evidence]
    answer: asyncio.Future[None]

    def succeed(self) -> None:
        if not self.answer.done():
            self.answer.set_result(None)

    def fail(self, error: BaseException) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


@define
class EvidenceKeeper:
    archive: EvidenceArchive
    filler: CacheFiller
    most_waiting: int
    gathered_for: float = GATHERED_FOR
    standing: EvidenceStanding = field(factory=EvidenceStanding)
    _calls: list[_Call] = field(factory=list, init=False)
    _waiting: int = field(default=0, init=False)
    _keeping: asyncio.Task[None] | None = field(default=None, init=False)
    _finishing: set[asyncio.Task[None]] = field(factory=set, init=False)

    @property
    def waiting(self) -> int:
        """How many items were taken and are not answered for yet."""
        return self._waiting

    async def keep(self, evidence: Sequence[Evidence]) -> None:
        """Returns when all of it is durable. Who is cancelled meanwhile does not know.

        Raises:
            Overloaded: There is no room for it now. One call may always wait, however large.
            Unavailable: It is not known to be kept.
        """
        if self._waiting and self._waiting + len(evidence) > self.most_waiting:
            raise Overloaded("the store of evidence")
        call = _Call(evidence, asyncio.get_running_loop().create_future())
        self._calls.append(call)
        self._waiting += len(evidence)
        if not self._is_keeping:
            self._keeping = asyncio.create_task(self._keep_all())
        await call.answer

    async def drain(self, within: float) -> None:
        """Wait until all that was taken is answered for: what takes longer is given up then."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                while self._calls or self._finishing or self._is_keeping:
                    running = [*self._finishing, *([self._keeping] if self._keeping else [])]
                    await asyncio.gather(*running, return_exceptions=True)

    @property
    def _is_keeping(self) -> bool:
        return self._keeping is not None and not self._keeping.done()

    async def _keep_all(self) -> None:
        """One group after the other; while one is kept, the next one gathers."""
        try:
            while self._calls:
                await asyncio.sleep(self.gathered_for)
                await self._keep(self._group())
        except BaseException:
            self._end(self._calls, Unavailable("the archive of evidence", "the store ends"))
            self._calls = []
            raise

    def _group(self) -> Sequence[_Call]:
        items, count = 0, 0
        for call in self._calls:
            items += len(call.evidence)
            if count and items > MOST_TOGETHER:
                break
            count += 1
        group, self._calls = self._calls[:count], self._calls[count:]
        return group

    async def _keep(self, group: Sequence[_Call]) -> None:
        evidence = [one for call in group for one in call.evidence]
        try:
            name = await self.archive.keep(evidence)
        except BaseException as error:
            self._end(group, error)
            # What is wrong with one group need not be wrong with the next.
            if not isinstance(error, Exception):
                raise
            self.standing.kept(error)
            return
        self.standing.kept(None)
        task = asyncio.create_task(self._finish(name, evidence, group))
        self._finishing.add(task)
        task.add_done_callback(self._finishing.discard)

    async def _finish(
        self, name: BatchName, evidence: Sequence[Evidence], group: Sequence[_Call]
    ) -> None:
        try:
            await self.filler.fill(name, evidence)
        except BaseException as error:
            self._end(group, error)
            raise
        self._end(group, None)

    def _end(self, calls: Sequence[_Call], error: BaseException | None) -> None:
        for call in calls:
            self._waiting -= len(call.evidence)
            call.succeed() if error is None else call.fail(_told(error))


def _told(error: BaseException) -> BaseException:
    """A caller whose work is cancelled is not cancelled itself."""
    if isinstance(error, asyncio.CancelledError):
        return Unavailable("the archive of evidence", "the store ends")
    return error

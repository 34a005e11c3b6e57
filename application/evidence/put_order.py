"""
Letting nobody put something under an id before what came earlier under it was put.

A put may take several writes, and the archive may have to be asked before it. Who has other ids
need not wait.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from attrs import define, field

from domain.ids import EvidenceId

_Done = asyncio.Future[None]


@define
class InOrder:
    _last: dict[EvidenceId, _Done] = field(factory=dict, init=False)
    """Of each id that is being put, who came last."""

    @property
    def is_idle(self) -> bool:
        return not self._last

    @asynccontextmanager
    async def after_the_same(self, ids: Sequence[EvidenceId]) -> AsyncIterator[None]:
        """Wait for all who came before with one of the ids."""
        before = {self._last[name] for name in ids if name in self._last}
        mine = asyncio.get_running_loop().create_future()
        self._last |= dict.fromkeys(ids, mine)
        try:
            if before:
                await asyncio.wait(before)
            yield
        finally:
            # Who gives up waiting lets nobody by.
            if waiting := [one for one in before if not one.done()]:
                waited = asyncio.gather(*waiting)
                waited.add_done_callback(lambda _: self._end(ids, mine))
            else:
                self._end(ids, mine)

    async def all_are_done(self) -> None:
        """Wait for all who are putting something now; not for those who come meanwhile."""
        if self._last:
            await asyncio.wait({*self._last.values()})

    def _end(self, ids: Sequence[EvidenceId], mine: _Done) -> None:
        mine.set_result(None)
        for name in ids:
            if self._last.get(name) is mine:
                del self._last[name]

"""Going through objects to the last byte, and taking note of what is wrong with them."""

import asyncio
from collections.abc import Callable

from attrs import define, field

from adapters.evidence_archive.object_format import all_rows
from adapters.evidence_archive.object_names import Stored
from adapters.evidence_archive.objects import Gone, Objects
from adapters.evidence_archive.rows import Row
from adapters.evidence_archive.written_defects import Flaw, flawless
from application.errors import Damaged, NotReadable
from application.evidence.archive import ArchiveFault, Inspected, Progressed

Hear = Callable[[Row], None]


def unheard(row: Row) -> None:
    """For who only wants to know that it can be read."""


@define
class Reading:
    """Of all that was listed; whatever is read again counts once."""

    objects: Objects
    progressed: Progressed
    unread: dict[str, Stored]
    items: int = field(default=0, init=False)
    _faults: dict[str, str] = field(factory=dict, init=False)
    _whole: int = field(default=0, init=False)
    _done: int = field(default=0, init=False)
    _objects: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        self._whole = sum(one.rows for one in self.unread.values())

    async def __call__(self, one: Stored, hear: Hear = unheard) -> bool:
        """Whether nothing is wrong with it. Its rows are told in a thread, until one is wrong.

        Raises Gone.
        """
        try:
            await self._hear_all(one, hear)
        except Gone:
            self._went_by(one, is_there=False)
            raise
        except (Damaged, NotReadable, Flaw) as error:
            self.blame(one, error.reason)
        self._went_by(one, is_there=True)
        return not self.is_faulty(one)

    def blame(self, one: Stored, reason: str) -> None:
        self._faults.setdefault(one.name, reason)

    def is_faulty(self, one: Stored) -> bool:
        return one.name in self._faults

    def told(self) -> Inspected:
        faults = [ArchiveFault(name, reason) for name, reason in self._faults.items()]
        return Inspected(self._objects, self.items, faults)

    async def _hear_all(self, one: Stored, hear: Hear) -> None:
        top, data = await self.objects.whole(one)

        def work() -> None:
            for row in flawless(one, all_rows(top, data)):
                hear(row)

        await asyncio.to_thread(work)

    def _went_by(self, one: Stored, *, is_there: bool) -> None:
        if self.unread.pop(one.name, None):
            self._objects += is_there
            self._done += one.rows
            self.progressed(self._done, self._whole)

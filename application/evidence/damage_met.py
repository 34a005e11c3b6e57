"""
The archive as readers ask it: what they find damaged is known.

Nobody else may ever read that part of it. The same is asked again now and then, so that it is also
known when it was restored.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import TypeVar

from attrs import define, field

from application.errors import ApplicationError, Damaged
from application.evidence.standing import EvidenceStanding
from application.paging import Page, PageRequest
from application.ports.evidence_archive import ArchiveReads, EvidenceAsked
from domain.evidence import Evidence
from domain.ids import EvidenceId

T = TypeVar("T")

MOST_KNOWN = 100
"""Damaged objects that are asked for again. Whoever has more does not look at their number."""


@define
class DamageMet:
    archive: ArchiveReads
    standing: EvidenceStanding = field(factory=EvidenceStanding)
    _met: dict[str, tuple[Damaged, Callable[[], Awaitable[object]]]] = field(
        factory=dict, init=False
    )
    """By the name of what is damaged: how it was told, and how it is asked for again."""

    async def named(self, ids: Collection[EvidenceId]) -> Mapping[EvidenceId, Evidence]:
        wanted = [*ids]
        return await self._asked(lambda: self.archive.named(wanted))

    async def of_dataset(self, asked: EvidenceAsked, page: PageRequest) -> Page[Evidence]:
        return await self._asked(lambda: self.archive.of_dataset(asked, page))

    async def look_again(self) -> None:
        """Forget what is whole again. What does not answer may be as damaged as before."""
        for what, (_, ask) in [*self._met.items()]:
            try:
                await ask()
            except Damaged as error:
                # The old name first: there may be no room for another.
                del self._met[what]
                self._meet(error, ask)
            except ApplicationError:
                continue
            else:
                del self._met[what]
        self._tell()

    async def _asked(self, ask: Callable[[], Awaitable[T]]) -> T:
        try:
            return await ask()
        except Damaged as error:
            self._meet(error, ask)
            self._tell()
            raise

    def _meet(self, error: Damaged, ask: Callable[[], Awaitable[object]]) -> None:
        if len(self._met) < MOST_KNOWN:
            self._met[error.what] = (error, ask)

    def _tell(self) -> None:
        self.standing.met([error for error, _ in self._met.values()])

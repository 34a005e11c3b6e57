"""
Filling the cache from what was kept, so that it is a projection of the archive.

What a batch holds is put into the cache when it was kept. If that fails, it is tried again; what is
too much to be remembered until then is read from the archive. Batches that another process kept,
or this one before a crash, are not known: they are put before they are compacted.
"""

from collections.abc import Collection, Iterable, Sequence

from attrs import define, field

from application.errors import ApplicationError
from application.ports.evidence_archive import BatchName, EvidenceArchive
from application.ports.evidence_cache import EvidenceCache
from domain.evidence import Evidence, Verdict
from domain.ids import DatasetUrn, EvidenceId
from domain.moments import EARLIEST

MARK = Evidence(
    EvidenceId("the-cache-is-whole"),
    DatasetUrn("none"),
    created_at=EARLIEST,
    recorded_at=EARLIEST,
    verdict=Verdict.PASS,
)
"""Lies in a cache that was filled to the end. One that was lost, or is being filled, has none.

No evidence and no dataset can have these names, so nobody is shown it, or puts it."""

MOST_HELD = 20_000
"""Items that are remembered while the cache does not take them."""


@define
class CacheFiller:
    """Knows which batches the cache shows."""

    archive: EvidenceArchive
    cache: EvidenceCache
    most_held: int = MOST_HELD
    _filled: set[BatchName] = field(factory=set, init=False)
    _lacking: dict[BatchName, Sequence[Evidence]] = field(factory=dict, init=False)
    """What the cache did not take; nothing in place of what is read from the archive again."""
    _held: int = field(default=0, init=False)
    _recovered: bool = field(default=False, init=False)
    _marked: bool = field(default=False, init=False)

    @property
    def is_whole(self) -> bool:
        """Whether the cache shows all that was kept, as far as this process knows."""
        return self._recovered and self._marked and not self._lacking

    @property
    def is_recovered(self) -> bool:
        """Whether the batches that were there at the beginning were looked at."""
        return self._recovered

    @property
    def filled(self) -> Collection[BatchName]:
        """Which batches are known to be in the cache, and were not compacted by this process."""
        return self._filled

    @property
    def lacking(self) -> Collection[BatchName]:
        """Which batches the cache is known not to show."""
        return self._lacking.keys()

    async def fill(self, name: BatchName, evidence: Sequence[Evidence]) -> None:
        """Show what was just kept. If the cache does not take it now, it is put later."""
        try:
            await self.cache.put(evidence)
        except ApplicationError:
            self._remember(name, evidence)
        else:
            self._filled.add(name)

    async def show(self, name: BatchName) -> None:
        """See to it that the cache shows a batch; what it has of it is not written again.

        Raises:
            Unavailable: The cache does not take it, or what it lacks cannot be read.
        """
        if name in self._filled:
            return
        held = self._lacking.get(name, ())
        evidence = held or await self.archive.batch(name)
        there = await self.cache.named([one.evidence_id for one in evidence])
        missing = [one for one in evidence if one.evidence_id not in there]
        if missing:
            await self.cache.put(missing)
        self._filled.add(name)
        if self._lacking.pop(name, None):
            self._held -= len(held)

    def lack(self, name: BatchName) -> None:
        """Take note that the cache may not show all of a batch."""
        self._lacking.setdefault(name, ())

    def recovered(self) -> None:
        """Take note that the batches which were there at the beginning were looked at."""
        self._recovered = True

    async def look_at_mark(self) -> bool:
        """Whether the cache was filled to the end since it was last empty, by whomever."""
        self._marked = bool(await self.cache.named([MARK.evidence_id]))
        return self._marked

    async def mark(self) -> None:
        """Take note, in the cache itself, that it was filled to the end."""
        await self.cache.put([MARK], pinned=[MARK.evidence_id])
        self._marked = True

    async def empty(self) -> None:
        """Throw away what the cache holds, the mark first: a crash may come in between."""
        self._marked = False
        await self.cache.unpin([MARK.evidence_id])
        await self.cache.clear()

    def forget(self, names: Iterable[BatchName]) -> None:
        """Batches that are no more need not be known."""
        self._filled.difference_update(names)

    def _remember(self, name: BatchName, evidence: Sequence[Evidence]) -> None:
        fits = self._held + len(evidence) <= self.most_held
        self._lacking[name] = evidence if fits else ()
        self._held += len(evidence) if fits else 0

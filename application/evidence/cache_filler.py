"""
Filling the cache from what was kept, so that it is a projection of the archive.

What a batch holds is put into the cache when it was kept. If that fails, it is tried again; what is
too much to be remembered until then is read from the archive. Batches that another process kept,
or this one before a crash, are not known: they are put before they are compacted.

The first evidence of an id counts, and the cache keeps what it has. Whether something came before
that the cache has not, or not any more, the archive is asked; of fresh ids nobody needs to.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta

from attrs import define, field

from application.errors import ApplicationError, Damaged, NotReadable, Unavailable
from application.evidence.archive import BatchName, EvidenceArchive
from application.evidence.cache import EvidenceCache
from application.evidence.put_order import InOrder
from domain.evidence.evidence import Evidence, Verdict
from domain.ids import DatasetUrn, EvidenceId, made_milliseconds
from domain.retention import KEPT_FOR
from domain.timestamps import EARLIEST
from domain.validation import AHEAD

MARK = Evidence(
    EvidenceId("cache-complete-marker"),
    DatasetUrn("none"),
    created_at=EARLIEST,
    recorded_at=EARLIEST,
    verdict=Verdict.PASS,
)
"""Lies in a cache that was filled to the end. One that was lost, or is being filled, has none.

No evidence and no dataset can have these names, so nobody is shown it, or puts it."""

MOST_HELD = 20_000
"""Items that are remembered while the cache does not take them."""

FRESH = timedelta(minutes=1)
"""An id that was made so shortly before, or after by another clock, was not heard before."""

_MILLISECOND = timedelta(milliseconds=1)


@define
class CacheFiller:
    """Knows which batches the cache shows."""

    archive: EvidenceArchive
    cache: EvidenceCache
    kept_for: timedelta = KEPT_FOR.evidence
    most_held: int = MOST_HELD
    _filled: dict[BatchName, int] = field(factory=dict, init=False)
    """With how many items each has."""
    _lacking: dict[BatchName, Sequence[Evidence]] = field(factory=dict, init=False)
    """What the cache did not take; nothing in place of what is read from the archive again."""
    _unread: set[BatchName] = field(factory=set, init=False)
    """Those that cannot be put, since the archive is damaged."""
    _in_order: InOrder = field(factory=InOrder, init=False)
    _held: int = field(default=0, init=False)
    _is_refused: bool = field(default=False, init=False)
    """Whether the cache took nothing when it was last tried."""
    _is_being_emptied: bool = field(default=False, init=False)
    _recovered: bool = field(default=False, init=False)
    _trusted: bool = field(default=False, init=False)
    _marked: bool = field(default=False, init=False)

    @property
    def is_whole(self) -> bool:
        """Whether the cache shows all that was kept, as far as this process knows."""
        return self._recovered and self.is_trusted and self._marked and not self.lacking

    @property
    def is_recovered(self) -> bool:
        """Whether the batches that were there at the beginning were looked at."""
        return self._recovered

    @property
    def is_trusted(self) -> bool:
        """Whether all of the cache was looked at, and what is found there can be relied on."""
        return self._trusted and not self.cache.is_suspect

    @property
    def filled(self) -> Collection[BatchName]:
        """Which batches are known to be in the cache, and were not compacted by this process."""
        return self._filled.keys()

    @property
    def items_filled(self) -> int:
        """How much evidence is in those."""
        return sum(self._filled.values())

    @property
    def lacking(self) -> Collection[BatchName]:
        """Which batches the cache is known not to show."""
        return [*self._lacking, *self._unread]

    @property
    def unread(self) -> Collection[BatchName]:
        """Which batches cannot be put there, since the archive is damaged."""
        return self._unread

    async def fill(self, name: BatchName, evidence: Sequence[Evidence]) -> None:
        """Show what was just kept. If the cache does not take it now, it is put later."""
        async with self._in_order.after_the_same([one.evidence_id for one in evidence]):
            await self._fill(name, evidence)

    async def _fill(self, name: BatchName, evidence: Sequence[Evidence]) -> None:
        if self._lacking and self._is_refused:
            # Most likely this would be, too, and its senders would wait for it.
            return self._remember(name, evidence)
        try:
            first = await self._heard_first(evidence, await self._doubtful(evidence))
            with self._not_of_the_batch():
                await self.cache.put(first)
        except ApplicationError:
            self._is_refused = True
            self._remember(name, evidence)
        else:
            self._filled[name] = len(evidence)

    async def show(self, name: BatchName) -> None:
        """See to it that the cache shows a batch; what it has of it is not written again.

        Raises:
            Unavailable: The cache does not take it, or what it lacks cannot be read.
        """
        if name in self._filled:
            return
        evidence = self._lacking.get(name) or await self.archive.batch(name)
        async with self._in_order.after_the_same([one.evidence_id for one in evidence]):
            await self._show(evidence)
        self._filled[name] = len(evidence)
        self._is_refused = False
        self._let_go(name)
        self._unread.discard(name)

    async def _show(self, evidence: Sequence[Evidence]) -> None:
        with self._not_of_the_batch():
            there = await self.cache.named([one.evidence_id for one in evidence])
        missing = [one for one in evidence if one.evidence_id not in there]
        if missing:
            # Why they are not there nobody knows: all may have been heard before.
            first = await self._heard_first(missing, missing)
            with self._not_of_the_batch():
                await self.cache.put(first)

    async def show_unsorted(self) -> None:
        """See to it that the cache shows all batches, but for those of which it cannot be done."""
        with suppress(ApplicationError):
            for name in await self.archive.batches():
                with suppress(ApplicationError):
                    await self.show(name)

    @contextmanager
    def _not_of_the_batch(self) -> Iterator[None]:
        """Damage in the cache says nothing about what is put there. The cache is to be checked."""
        try:
            yield
        except Damaged as error:
            self._trusted = False
            raise Unavailable(error.what, error.reason) from error

    def lack(self, name: BatchName) -> None:
        """Take note that the cache does not show all of a batch, and why is damage."""
        self._let_go(name)
        self._unread.add(name)

    def trust(self, trusted: bool) -> None:
        """Take note whether the cache can be relied on."""
        self._trusted = trusted

    def recovered(self) -> None:
        """Take note that the batches which were there at the beginning were looked at."""
        self._recovered = True

    async def look_at_mark(self) -> bool:
        """Whether the cache was filled to the end since it was last empty, by whomever."""
        try:
            self._marked = bool(await self.cache.named([MARK.evidence_id]))
        except Damaged:
            self._marked = False
        return self._marked

    async def has_lost_archive(self) -> bool:
        """Whether the archive is empty although the cache is not: it may lie elsewhere, as when a
        volume is not mounted."""
        return not (await self.archive.stock()).items and not await self._shows_nothing()

    async def _shows_nothing(self) -> bool:
        try:
            async for ids in self.cache.ids():
                if any(name != MARK.evidence_id for name in ids):
                    return False
        except Damaged:
            return False
        return True

    async def mark(self) -> None:
        """Take note, in the cache itself, that it was filled to the end."""
        await self.cache.put([MARK], pinned=[MARK.evidence_id])
        self._marked = True

    async def empty(self) -> None:
        """Drop what the cache holds, the mark first: a crash may come in between.

        What is being put was looked up in what is there: it is waited for. What comes after asks
        the archive. A cache that is damaged may not even let go of the mark.
        """
        self._is_being_emptied = True
        try:
            await self._in_order.all_are_done()
            with suppress(Damaged):
                await self.cache.unpin([MARK.evidence_id])
            await self.cache.clear()
        finally:
            self._marked = self._is_being_emptied = False

    def forget(self, names: Iterable[BatchName]) -> None:
        """Batches that are no more need not be known."""
        for name in names:
            self._filled.pop(name, None)

    async def _doubtful(self, evidence: Sequence[Evidence]) -> Sequence[Evidence]:
        """What may have been heard before without being in the cache: anything while that is not
        known to show all there is; if it was never lost, what was made before all it holds."""
        if self._lacking or self._is_being_emptied or not self._recovered or not self._marked:
            return evidence
        aged = _aged(evidence)
        if not aged or not await self.look_at_mark():
            return aged
        return [one for one in aged if not -AHEAD < _age(one) < self.kept_for - AHEAD - FRESH]

    async def _heard_first(
        self, evidence: Sequence[Evidence], doubtful: Sequence[Evidence]
    ) -> Sequence[Evidence]:
        """What counts under the ids."""
        if not doubtful:
            return evidence
        try:
            first = await self._archived(doubtful)
        except (Damaged, NotReadable):
            # What cannot be read is older than ids that were made just now, most likely.
            first = await self._archived(_aged(doubtful))
        return [first.get(one.evidence_id, one) for one in evidence]

    async def _archived(self, evidence: Sequence[Evidence]) -> Mapping[EvidenceId, Evidence]:
        ids = [one.evidence_id for one in evidence]
        return await self.archive.named(ids) if ids else {}

    def _let_go(self, name: BatchName) -> None:
        self._held -= len(self._lacking.pop(name, ()))

    def _remember(self, name: BatchName, evidence: Sequence[Evidence]) -> None:
        fits = self._held + len(evidence) <= self.most_held
        self._lacking[name] = evidence if fits else ()
        self._held += len(evidence) if fits else 0


def _aged(evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    return [one for one in evidence if not -FRESH <= _age(one) <= FRESH]


def _age(one: Evidence) -> timedelta:
    """How long before it was recorded its id was made."""
    recorded = (one.recorded_at - EARLIEST) // _MILLISECOND
    return (recorded - made_milliseconds(one.evidence_id)) * _MILLISECOND

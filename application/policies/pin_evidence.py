"""Keeps the evidence of severe incidents at hand until they are resolved (S0-327)."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import get_args

from attrs import define, field

from application.evidence.archive import EvidenceArchive
from application.evidence.cache import EvidenceCache
from application.evidence.damage_apart import damage_apart
from application.evidence.pins import PinnedEvidence, all_held
from application.ports.streams import Streams
from application.recorded import Recorded
from domain.ids import EvidenceId, IncidentId
from domain.incident.incident import Course, Growth, Merged, Resolved, SeverityChanged
from domain.stream_categories import INCIDENT, incident_of

LOOKS_EVERY = timedelta(minutes=5)

_ABOUT = (*get_args(Course), *get_args(Growth), SeverityChanged)
_ENDING = (Resolved, Merged, SeverityChanged)
"""After these an incident may hold nothing any more."""


@define
class PinEvidence:
    """Evidence may come later than its incident, and its row or its pin may be lost: now and then
    all that must be pinned is pinned again. What is not there is fetched from the archive.
    """

    streams: Streams
    pins: PinnedEvidence
    archive: EvidenceArchive
    cache: EvidenceCache
    name: str = "pin-evidence"
    _held: dict[IncidentId, frozenset[EvidenceId]] = field(factory=dict)
    _pinned: set[EvidenceId] = field(factory=set)
    """What was found and pinned."""
    _absent: set[EvidenceId] = field(factory=set)
    """What has not come yet; some never does."""
    _looks_at: datetime | None = None

    async def begin(self) -> None:
        self._held = dict(await self.pins.all())
        self._pinned.clear()
        self._looks_at = None

    def concerns(self, recorded: Recorded) -> bool:
        return isinstance(recorded.fact, _ABOUT)

    async def heed(self, recorded: Recorded) -> None:
        name = incident_of(recorded.stream)
        holds = await self.pins.of(name)
        # Only then is it noted: what could not be unpinned is tried again with the same fact.
        await self._unpin(await self._held_before(name, recorded) - holds - self._elsewhere(name))
        self._held.pop(name, None)
        if holds:
            self._held[name] = holds

    async def act(self, now: datetime) -> None:
        looks = self._looks_at is None or self._looks_at <= now
        if looks:
            self._pinned.clear()
            self._absent.clear()
        await self._pin(all_held(self._held) - self._pinned - self._absent)
        if looks:
            self._looks_at = now + LOOKS_EVERY

    def due(self) -> datetime | None:
        return self._looks_at if self._held else None

    async def _held_before(self, name: IncidentId, recorded: Recorded) -> frozenset[EvidenceId]:
        """After a restart it is not known: then all that the incident may have held."""
        known = self._held.get(name, frozenset())
        if not isinstance(recorded.fact, _ENDING):
            return known
        one = await self.streams.state(INCIDENT.of(recorded.stream))
        return known | frozenset(one.evidence)

    def _elsewhere(self, name: IncidentId) -> frozenset[EvidenceId]:
        return all_held({other: held for other, held in self._held.items() if other != name})

    async def _pin(self, ids: Collection[EvidenceId]) -> None:
        if not ids:
            return
        missing = sorted(await self.cache.pin(ids))
        self._pinned.update(set(ids).difference(missing))
        found, unread = await damage_apart(self.archive.named, missing) if missing else ({}, {})
        if found:
            await self.cache.put([*found.values()], pinned=found.keys())
            self._pinned.update(found)
        self._absent.update(set(missing).difference(found, unread))
        for error in unread.values():
            raise error

    async def _unpin(self, ids: Collection[EvidenceId]) -> None:
        if ids:
            await self.cache.unpin(ids)
            self._pinned.difference_update(ids)

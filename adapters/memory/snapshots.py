"""Snapshots in memory."""

from attrs import define, field

from adapters.eventstore.snapshots import Snapshot


@define
class MemorySnapshots:
    _kept: dict[tuple[str, str], Snapshot] = field(factory=dict)

    async def latest(self, stream: str, kind: str) -> Snapshot | None:
        return self._kept.get((stream, kind))

    def keep(self, snapshot: Snapshot) -> None:
        key = (snapshot.stream, snapshot.kind)
        if key not in self._kept or self._kept[key].version <= snapshot.version:
            self._kept[key] = snapshot

    async def clear(self) -> None:
        self._kept.clear()

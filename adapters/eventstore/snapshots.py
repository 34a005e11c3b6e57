"""
Snapshots: states kept so that long streams load quickly.

They are hints. A missing, lost or unreadable one costs time and nothing else: the stream is
folded from its beginning.
"""

import zlib
from contextlib import suppress
from typing import Any, Protocol

from attrs import define, frozen

from adapters.eventstore.catalogue import SNAPSHOTS, Catalogue
from adapters.eventstore.codec import Codec, UnreadableRecord
from adapters.eventstore.sealing.seals import Seals
from application.errors import Unavailable
from domain.streams import StreamId


@frozen
class Snapshot:
    stream: str
    kind: str
    schema: int
    version: int
    data: bytes


class SnapshotStore(Protocol):
    async def latest(self, stream: str, kind: str) -> Snapshot | None:
        """The stream's last snapshot of that kind."""
        ...

    def keep(self, snapshot: Snapshot) -> None:
        """Keep it some time soon, instead of the one before. It may be lost."""
        ...

    async def clear(self) -> None:
        """Throw all of them away."""
        ...


@define
class Snapshots:
    """Takes a snapshot of a stream every so many versions."""

    store: SnapshotStore
    codec: Codec
    every: int = 200

    @classmethod
    def of_catalogue(cls, store: SnapshotStore, seals: Seals, every: int) -> "Snapshots":
        return cls(store, Codec(Catalogue(SNAPSHOTS), seals), every)

    def covers(self, zero: object) -> bool:
        """Whether states of this kind are kept at all."""
        return self.codec.catalogue.lists(type(zero))

    def weight(self, state: object) -> int:
        """How much a state takes, compared with a small one."""
        return self.codec.catalogue.of(state).weight(state)

    async def latest(self, stream: StreamId, zero: object) -> tuple[Any, int]:
        """The last snapshot's state and version, or the state before anything happened."""
        entry = self.codec.catalogue.of(zero)
        snapshot = await self.store.latest(stream, entry.name)
        if snapshot is None:
            return zero, 0
        try:
            state = self.codec.read(snapshot.kind, snapshot.schema, snapshot.data)
        except UnreadableRecord:
            return zero, 0
        return state, snapshot.version

    def moved(self, stream: StreamId, state: object, *, since: int, version: int) -> None:
        """Take a snapshot if it is time for one."""
        # Streams that grow in step must not all take theirs at the same moment.
        shift = zlib.crc32(stream.encode()) % self.every
        if (since + shift) // self.every == (version + shift) // self.every:
            return
        # What it is a snapshot of is stored by now: that must not seem to have failed.
        with suppress(Unavailable):
            written = self.codec.write(state)
            self.store.keep(Snapshot(stream, written.name, written.schema, version, written.data))

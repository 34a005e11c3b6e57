"""What is known about where streams end, and how well it is known."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence

from attrs import define, field

from adapters.dynamodb.log.draft import Place, streams_of
from adapters.dynamodb.log_reading.stream_reader import StreamReader
from adapters.eventstore.appending.stream_heads import StreamHeads
from adapters.eventstore.appending.write_outcomes import Failed
from adapters.eventstore.log import Append


@define
class StreamBases:
    """Remembers the last versions of streams that were written or read lately.

    An append at version w needs evidence that the stream ends at w - 1. What is remembered will
    do: the transaction asks that nothing lies at w, and whoever went on must lie there.
    """

    reader: StreamReader
    heads: StreamHeads

    async def known(self, group: Sequence[Append], suspects: Iterable[str]) -> "Known":
        """What the group can be drafted on; streams under suspicion are read again."""
        self.heads.forget(dict.fromkeys(suspects, 0))
        known = Known(self)
        cold = {s for s in _begun(group) if self.heads.get(s) is None}
        await known.read(cold | set(suspects))
        return known

    def remember(self, versions: Mapping[str, int]) -> None:
        self.heads.remember(versions)


@define
class Known:
    """Last versions for one draft. What is not known is taken not to exist: the transaction
    checks that, too.
    """

    bases: StreamBases
    _read: dict[str, int | None] = field(factory=dict)

    def last(self, stream: str) -> int | None:
        return self._read[stream] if stream in self._read else self.bases.heads.get(stream)

    def doubtful(self, group: Sequence[Append], outcomes: Iterable[Place | Failed]) -> set[str]:
        """Streams of refused appends that were not read for this draft.

        All of an append's streams count, so that the first that does not fit is blamed.
        """
        refused = (
            append
            for append, outcome in zip(group, outcomes, strict=True)
            if isinstance(outcome, Failed)
        )
        return set().union(*map(streams_of, refused)) - self._read.keys()

    async def read(self, streams: Collection[str]) -> None:
        ordered = sorted(streams)
        versions = await asyncio.gather(*map(self.bases.reader.last_version, ordered))
        self._read.update(zip(ordered, versions, strict=True))
        found = {s: v for s, v in self._read.items() if v is not None}
        self.bases.heads.remember(found)


def _begun(group: Sequence[Append]) -> set[str]:
    """Streams that the group takes to exist already."""
    first: dict[str, int] = {}
    for append in group:
        for guard in append.guards:
            first.setdefault(guard.stream, guard.version + 1)
        for event in append.events:
            first.setdefault(event.stream, event.version)
    return {stream for stream, version in first.items() if version > 1}

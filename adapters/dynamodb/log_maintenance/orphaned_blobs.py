"""
Blobs that no batch refers to.

A large append stages its events before it commits. A process that dies in between leaves them
behind: nobody reads them, and they cost money. What was staged a moment ago may be committed yet,
so only old ones count. Where batches are missing, a blob may be all that is left of them.
"""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta

from attrs import define, field

from adapters.blobs.store import BlobStore
from adapters.dynamodb.log_maintenance.batch_walk import Met
from adapters.dynamodb.log_maintenance.remedies import RemoveBlob
from adapters.eventstore.inspection.inspector import Finding, Kind

OLD = timedelta(days=1)

_LOSSES = frozenset(
    {
        Kind.DAMAGED_BATCH,
        Kind.DAMAGED_BLOCK,
        Kind.GAP,
        Kind.INCOMPLETE_BATCH,
        Kind.OVERLAP,
        Kind.TORN_APPEND,
    }
)
"""What may hide a batch that refers to a blob."""


@define
class Orphans:
    blobs: BlobStore | None
    _used: set[str] = field(factory=set, init=False)
    _lost: bool = field(default=False, init=False)

    def met(self, met: Met) -> None:
        if met.blob is not None:
            self._used.add(met.blob)

    def beside(self, finding: Finding) -> None:
        """Something else that is wrong with the log."""
        self._lost = self._lost or finding.kind in _LOSSES

    async def findings(self, prefix: str, now: datetime) -> AsyncIterator[Finding]:
        if self.blobs is None:
            return
        for name in await self.blobs.names(prefix, before=now - OLD):
            if name not in self._used:
                yield self._orphaned(name)

    def _orphaned(self, name: str) -> Finding:
        what = "no batch refers to it, and it is more than a day old"
        if self._lost:
            what = f"{what}; it may be all that is left of what is missing"
            return Finding(Kind.ORPHANED_BLOB, name, what)
        return Finding(Kind.ORPHANED_BLOB, name, what, RemoveBlob(name))

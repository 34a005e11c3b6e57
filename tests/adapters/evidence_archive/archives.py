"""The archives that promise to keep evidence. To put another one under the suite, add a line."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from adapters.blobs.store import BlobStore
from adapters.evidence_archive.archive import BlobEvidenceArchive
from adapters.memory.evidence_archive import MemoryEvidenceArchive
from adapters.system.ulids import written
from application.evidence.archive import EvidenceArchive
from tests.adapters.blobs.stores import STORES

_numbers: Iterator[int] = count(1)


def fresh_ulid() -> str:
    """Increasing in this process, and read from no clock."""
    return written(next(_numbers).to_bytes(16))


def over(blobs: BlobStore, process: str = "p1", fan_in: int = 2) -> BlobEvidenceArchive:
    return BlobEvidenceArchive.over(blobs, process=process, ulids=fresh_ulid, fan_in=fan_in)


ARCHIVES: dict[str, Callable[[Path], EvidenceArchive]] = {
    "twin": lambda folder: MemoryEvidenceArchive(),
    **{
        kind: lambda folder, kind=kind: over(STORES[kind](folder))  # type: ignore[misc]
        for kind in STORES
    },
}

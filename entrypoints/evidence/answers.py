"""What the archive holds and what was done about it, in JSON: over HTTP and from commands."""

from typing import Any

from application.evidence.rebuilding import CacheRebuilt
from application.ports.evidence_archive import ArchiveStock, Forgotten
from domain.moments import stamp

Answer = dict[str, Any]


def stock(told: ArchiveStock) -> Answer:
    return {
        "items": told.items,
        "segments": told.segments,
        "batches": told.batches,
        "stored_bytes": told.stored_bytes,
        "oldest": stamp(told.oldest) if told.oldest else None,
    }


def compacted(done: tuple[ArchiveStock, ArchiveStock], seconds: float) -> Answer:
    before, after = done
    return {"before": stock(before), "after": stock(after), "seconds": round(seconds, 3)}


def forgotten(done: Forgotten, seconds: float) -> Answer:
    return {
        "items": done.items,
        "segments": done.segments,
        "spared": done.spared,
        "seconds": round(seconds, 3),
    }


def rebuilt(done: CacheRebuilt, seconds: float) -> Answer:
    return {
        "items": done.items,
        "pinned": done.pinned,
        "missing": done.missing,
        "seconds": round(seconds, 3),
    }

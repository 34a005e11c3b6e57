"""What the archive holds and what was done about it, in JSON: over HTTP and from commands."""

from typing import Any

from application.evidence.archive import ArchiveStock, Forgotten
from application.evidence.cache_rebuild import CacheRebuilt
from application.evidence.verification import EvidenceVerified
from domain.timestamps import stamp

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


def verified(done: EvidenceVerified, seconds: float) -> Answer:
    archive = done.archive
    return {
        "sound": done.sound,
        "repaired": done.repaired,
        "archive": {
            "objects": archive.objects,
            "items": archive.items,
            "faults": [{"object": one.name, "reason": one.reason} for one in archive.faults],
        },
        "cache_fault": done.cache_fault,
        "compared": done.compared,
        "undecided": done.undecided,
        "counts": {kind.value: number for kind, number in sorted(done.counts.items())},
        "differences": [
            {"evidence_id": name, "kind": kind.value} for name, kind in done.differences.items()
        ],
        "seconds": round(seconds, 3),
    }

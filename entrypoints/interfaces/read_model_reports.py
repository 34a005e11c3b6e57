"""What rebuilding and verifying found, in JSON: the same over HTTP and from a command."""

from collections.abc import Mapping, Sequence
from typing import Any

from application.maintenance.rebuild import Rebuilt
from application.maintenance.verify import Difference, FactTold, Verified
from domain.timestamps import stamp

Answer = dict[str, Any]


def rebuilt(done: Sequence[Rebuilt], seconds: float) -> Answer:
    return {
        "projections": [
            {"projection": one.projection, "generation": one.generation, "events": one.events}
            for one in done
        ],
        "events": max((one.events for one in done), default=0),
        "seconds": round(seconds, 3),
    }


def verified(
    done: Sequence[Verified], seconds: float, folded_first: Mapping[str, int] | None = None
) -> Answer:
    """`folded_first` tells how many events of each were not folded before it was compared."""
    first = folded_first or {}
    return {
        "sound": all(one.sound for one in done),
        "projections": [_verified(one, first.get(one.projection, 0)) for one in done],
        "seconds": round(seconds, 3),
    }


def _verified(one: Verified, folded_first: int) -> Answer:
    return {
        "projection": one.projection,
        "sound": one.sound,
        "events": one.upto,
        "events_replayed_first": folded_first,
        "differences": [_difference(each) for each in one.differences],
        "more_differences": one.more,
        "repaired_by_generation": one.repaired,
        "dropped_generations": [*one.dropped],
        "retained_generations": [*one.left.numbers] if one.left else [],
        "retained_until": stamp(one.left.until) if one.left else None,
    }


def _difference(one: Difference) -> Answer:
    row = one.row
    kind = "missing" if row.found is None else "extra" if row.expected is None else "different"
    return {
        "kind": kind,
        "table": row.table,
        "key": [*row.key],
        "attributes": [
            {"attribute": name, "expected": expected, "found": found}
            for name, expected, found in row.attributes()
        ],
        "facts": [_fact(each) for each in one.facts],
    }


def _fact(fact: FactTold) -> Answer:
    return {
        "position": fact.position,
        "stream": fact.stream,
        "version": fact.version,
        "name": fact.name,
        "at": stamp(fact.at),
        "by": fact.by,
    }

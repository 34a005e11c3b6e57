"""
What can be wrong with an object whose bytes are as they were written: it was written wrong.

Rows are looked at as they go by, so that an object of any size takes the memory of a block.
"""

from collections.abc import Iterable, Iterator

from attrs import define

from adapters.evidence_archive.object_names import (
    BATCHES,
    IDS,
    Stored,
    ids_folder,
    segment_folder,
    segment_hour,
)
from adapters.evidence_archive.rows import (
    CREATED,
    DATASET,
    ID,
    Row,
    from_row,
    hour_of,
    place,
    recorded,
)
from adapters.evidence_archive.segments import id_key
from domain.ids import DatasetUrn, EvidenceId, is_evidence_id


@define
class Flaw(Exception):
    """An object was written that should not have been."""

    reason: str


def is_segment(one: Stored) -> bool:
    return segment_hour(one.folder) is not None


def is_run(one: Stored) -> bool:
    return one.folder.startswith(f"{IDS}/") and one.folder.removeprefix(f"{IDS}/").isdecimal()


def flawless(one: Stored, rows: Iterable[Row]) -> Iterator[Row]:
    """The rows, until one is wrong. Raises Flaw."""
    count, before = 0, ""
    for row in rows:
        count += 1
        key = _key(one, row)
        if before >= key and one.folder != BATCHES:
            raise Flaw("its rows are not in their order")
        before = key
        yield row
    if count != one.rows:
        raise Flaw(f"it has {count:,} rows instead of {one.rows:,}")


def _key(one: Stored, row: Row) -> str:
    try:
        return _key_of_id(one, row) if is_run(one) else _key_of_evidence(one, row)
    except (TypeError, ValueError, AttributeError) as error:
        raise Flaw(f"a row of it is not understood: {error}") from error


def _key_of_id(run: Stored, row: Row) -> str:
    name, dataset, created = row
    _must_belong(run, ids_folder(_checked(name)))
    segment_folder(dataset, hour_of(created))
    return id_key(row)


def _checked(name: str) -> EvidenceId:
    if not is_evidence_id(name):
        raise ValueError(f"{name[:100]} is no id")
    return EvidenceId(name)


def _key_of_evidence(one: Stored, row: Row) -> str:
    from_row(row)
    _checked(row[ID])
    if recorded(row) > one.latest:
        raise Flaw("something in it was recorded later than its name says")
    if one.folder != BATCHES:
        _must_belong(one, segment_folder(DatasetUrn(row[DATASET]), hour_of(row[CREATED])))
    return place(row)


def _must_belong(one: Stored, folder: str) -> None:
    if folder != one.folder:
        raise Flaw(f"something in it belongs to {folder}")

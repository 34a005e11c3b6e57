"""
How objects of the archive are called. A name tells what can be told without reading.

    batches/<object>                         what was kept at once
    segments/<dataset>/<hour>/<object>       evidence of a dataset, by the hour it was created in
    ids/<hour>/<object>                      which dataset and moment an id belongs to, by the hour
                                             in the id

    object   <ulid>-<process>-<latest>-<rows>-<bytes>
    latest   when the last recorded row was recorded, in microseconds since 1970
    hour     since 1970, ten digits

Names of a folder sort by when they were written. Anything else that lies there is not ours.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from attrs import frozen

from domain.ids import DatasetUrn, EvidenceId, made_milliseconds

BATCHES, SEGMENTS, IDS = "batches", "segments", "ids"

_OBJECT = re.compile(r"(.+)/([0-9A-Z]{26})-([0-9A-Za-z]+)-([0-9]+)-([0-9]+)-([0-9]+)")
_DATASET_FOLDER = re.compile(rf"{SEGMENTS}/([A-Za-z0-9_.=-]+)/([0-9]{{10}})")
_URN = "urn:dp:"
_HOUR_MS = 3_600_000


@frozen
class Stored:
    """One object, as its name describes it."""

    name: str
    folder: str
    stem: str
    latest: int
    rows: int
    size: int


@frozen
class Namer:
    """Who writes, and fresh ULIDs."""

    process: str
    ulids: Callable[[], str]

    def stem(self, folder: str) -> str:
        return f"{folder}/{self.ulids()}-{self.process}"

    def named(self, stem: str, *, latest: int, rows: int, size: int) -> Stored:
        name = f"{stem}-{latest}-{rows}-{size}"
        return Stored(name, stem.rpartition("/")[0], stem, latest, rows, size)


def stored(names: Iterable[str]) -> Iterator[Stored]:
    """What is ours of all that lies there."""
    for name in names:
        if match := _OBJECT.fullmatch(name):
            folder, ulid, process, latest, rows, size = match.groups()
            stem = f"{folder}/{ulid}-{process}"
            yield Stored(name, folder, stem, int(latest), int(rows), int(size))


def dataset_folder(dataset: DatasetUrn) -> str:
    """A colon cannot be part of a blob's name, and an equals sign not of a URN."""
    return f"{SEGMENTS}/{dataset.removeprefix(_URN).replace(':', '=')}"


def segment_folder(dataset: DatasetUrn, hour: int) -> str:
    return f"{dataset_folder(dataset)}/{hour:010}"


def segment_hour(folder: str) -> int | None:
    """None if it is no folder of segments."""
    match = _DATASET_FOLDER.fullmatch(folder)
    return int(match[2]) if match else None


def ids_folder(name: EvidenceId) -> str:
    return f"{IDS}/{id_hour(name):010}"


def id_hour(name: EvidenceId) -> int:
    """The hour that the ULID in an id was made in."""
    return made_milliseconds(name) // _HOUR_MS

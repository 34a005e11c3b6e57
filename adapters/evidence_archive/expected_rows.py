"""
Rows of segments that runs of ids must name, and what the runs say about them.

Of each row three hashes are held and nothing else. They are as good as what they stand for: that
two of the millions of an hour are the same is less likely than a broken disk.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

import orjson
from attrs import define, field

from adapters.evidence_archive.object_names import ids_folder
from adapters.evidence_archive.rows import ID, Row
from adapters.evidence_archive.segments import id_row
from domain.ids import EvidenceId

Hash = int


def place_named(run_row: Row) -> Hash:
    """Of an id, a dataset and a moment."""
    return hash(tuple(run_row))


def place_of(row: Row) -> Hash:
    return place_named(id_row(row))


@define
class _Hour:
    """What is sought in the runs of one folder."""

    places: dict[Hash, Hash] = field(factory=dict)
    """By id."""
    named: set[Hash] = field(factory=set)


@define
class Sought:
    unnamed: set[Hash] = field(factory=set, init=False)
    """The places that no run names."""
    disputed: set[Hash] = field(factory=set, init=False)
    """Those whose id or place something else claims as well. That may have been forgotten."""
    _hours: dict[str, _Hour] = field(factory=lambda: defaultdict(_Hour), init=False)
    _contents: dict[Hash, Hash] = field(factory=dict, init=False)

    def add(self, row: Row) -> None:
        place, content = place_of(row), hash(orjson.dumps(row))
        places = self._hours[ids_folder(EvidenceId(row[ID]))].places
        first = places.setdefault(hash(row[ID]), place)
        if first != place or self._contents.setdefault(place, content) != content:
            self.disputed |= {first, place}

    def folders(self) -> Iterable[str]:
        return sorted(self._hours)

    def hear(self, folder: str, run_row: Row) -> None:
        hour = self._hours[folder]
        wanted = hour.places.get(hash(run_row[0]))
        if wanted is None:
            return
        if wanted == place_named(run_row):
            hour.named.add(wanted)
        else:
            self.disputed.add(wanted)

    def heard(self, folder: str, *, all_of_it: bool) -> None:
        """No more comes. What a run that cannot be read may name is not held against a segment."""
        hour = self._hours.pop(folder)
        if all_of_it:
            self.unnamed.update(_lacking(hour))

    def is_unnamed(self, row: Row) -> bool:
        return place_of(row) in self.unnamed

    def is_unsettled(self, row: Row) -> bool:
        place = place_of(row)
        return place in self.unnamed or place in self.disputed


def _lacking(hour: _Hour) -> Iterator[Hash]:
    return (place for place in hour.places.values() if place not in hour.named)

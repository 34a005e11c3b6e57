"""
Which streams there ever were, found by what they are about.

A stream is listed when it begins, so that this costs nothing later. Lineage is listed under every
place and writer that it ever named, and apart from those under every place that it named as
written: a place may have a hundred times as many readers.
"""

from collections.abc import Iterable, Iterator

from attrs import frozen

from application.maintenance.stream_directory import Listed, ListedKey, Shelf
from application.projections.projection import Changes, View
from application.projections.view_store import Group, Key
from application.recorded import Recorded
from domain.incident.incident import Opened
from domain.lineage.lineage import Declared, Role
from domain.stream_categories import dataset_of, incident_of, producer_of, signal_of, signature_of
from domain.timestamps import stamp

DIRECTORY = "stream-directory"


@frozen
class StreamDirectory:
    name: str = DIRECTORY

    def concerns(self, fact: object, version: int) -> bool:
        return version == 1 or type(fact) is Declared

    def keys(self, recorded: Recorded) -> Iterable[Key]:
        return ()

    def groups(self, recorded: Recorded) -> Iterable[Group]:
        return ()

    def after(self, view: View, recorded: Recorded) -> Changes:
        if isinstance(recorded.fact, Declared):
            keys = _declared(recorded, recorded.fact)
        elif recorded.version == 1:
            keys = _begun(recorded)
        else:
            return
        for key in keys:
            yield key, Listed(key, recorded.stream)


def _begun(recorded: Recorded) -> Iterator[ListedKey]:
    stream = recorded.stream
    match stream.partition("-")[0]:
        case "dataset":
            yield ListedKey(Shelf.DATASETS, "", dataset_of(stream))
        case "signal":
            yield ListedKey(Shelf.SIGNALS, dataset_of(stream), signal_of(stream))
        case "fault":
            yield ListedKey(Shelf.FAULTS, dataset_of(stream), signature_of(stream))
    if isinstance(recorded.fact, Opened):
        opened = recorded.fact
        name = f"{stamp(opened.at)}#{incident_of(stream)}"
        yield ListedKey(Shelf.INCIDENTS, opened.dataset, name)
        yield ListedKey(Shelf.INCIDENTS, "", name)


def _declared(recorded: Recorded, fact: Declared) -> Iterable[ListedKey]:
    producer, found = producer_of(recorded.stream), dict[ListedKey, None]()
    for tie in fact.spec.entries.ties():
        found[ListedKey(Shelf.DECLARED_AT, tie.place, producer)] = None
        if tie.role is Role.WRITER:
            found[ListedKey(Shelf.DECLARED_BY, tie.entity, producer)] = None
            found[ListedKey(Shelf.WRITTEN_AT, tie.place, producer)] = None
    return found

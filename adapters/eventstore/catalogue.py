"""
Every fact and snapshot that is stored: its name, its schema version, what in it is personal.

Stored names never change and are never module paths, so that code can move and logs cannot rot.
To change a fact's shape, raise its schema version here and add the way from the old shape in
`upcasts`.
"""

from collections.abc import Callable, Iterable
from typing import Any

from attrs import define, field, fields, frozen

from application import idempotency
from domain.dataset import config
from domain.dataset.config import DatasetConfig
from domain.delivery import dead_letter
from domain.incident import fault_slot, incident
from domain.incident.decisions import Incident
from domain.incident.fault_slot import FaultSlot
from domain.incident.values import Notifications
from domain.lineage import lineage
from domain.lineage.lineage import Lineage
from domain.signal import signal
from domain.signal.signal import SignalState
from domain.stream_categories import (
    DATASET,
    FAULT,
    INCIDENT,
    LINEAGE,
    SIGNAL,
    dataset_of,
    incident_of,
    producer_of,
)
from domain.streams import StreamId

Path = tuple[str, ...]


def _light(state: object) -> int:
    return 1


def _by_windows(state: SignalState) -> int:
    return 1 + len(state.windows) // 50


@frozen
class Entry:
    """`personal` tells where in the stored form a person's name or address lies.

    What is `confidential` is sealed too, with one key for all of it.
    """

    name: str
    type: type
    schema: int = 1
    personal: tuple[Path, ...] = ()
    confidential: tuple[Path, ...] = ()
    sealed_since: int = 1
    """Records of an earlier schema hold all of it in clear."""
    weight: Callable[[Any], int] = _light
    """How much memory a state takes, compared with a small one."""
    exact: bool = False
    """Whether it comes back from storage to the letter, whatever it says: then it need not be
    decoded where it was written. Moments are to the millisecond, and nothing in it is sealed."""

    def __attrs_post_init__(self) -> None:
        if self.exact and (self.personal or self.confidential):
            raise ValueError(f"{self.name} is sealed: who is erased would be shown")


def _ids_in_other_systems(place: str) -> tuple[Path, ...]:
    return tuple((place, attribute.name) for attribute in fields(Notifications))


FACTS = (
    Entry("dataset.registered", config.Registered, 1, (("settings", "owner_email"),)),
    Entry("dataset.reconfigured", config.Reconfigured, 1, (("to", "owner_email"),)),
    Entry("dataset.retired", config.Retired),
    Entry("dataset.restored", config.Restored),
    Entry("dataset.rule_added", config.RuleAdded),
    Entry("dataset.rule_changed", config.RuleChanged),
    Entry("dataset.rule_removed", config.RuleRemoved),
    Entry("signal.tracked", signal.Watched),
    Entry("signal.evaluated", signal.Evaluated, schema=2, exact=True),
    Entry("signal.baseline_changed", signal.Rebased),
    Entry("lineage.declared", lineage.Declared),
    Entry("signal.linked", signal.Linked),
    Entry("signal.unlinked", signal.Unlinked),
    Entry("fault.claimed", fault_slot.Taken),
    Entry("fault.released", fault_slot.Freed),
    Entry("incident.opened", incident.Opened),
    Entry("incident.acknowledged", incident.Acknowledged),
    Entry("incident.assigned", incident.Assigned, 1, (("oncall_user",),)),
    Entry("incident.severity_changed", incident.SeverityChanged),
    Entry("incident.note_added", incident.Noted),
    Entry("incident.rca_summarized", incident.Explained),
    Entry(
        "incident.notifications_linked",
        incident.NotificationsLinked,
        schema=2,
        confidential=_ids_in_other_systems("notifications"),
        sealed_since=2,
    ),
    Entry("incident.signals_attached", incident.SignalsAttached),
    Entry("incident.signatures_attached", incident.SignaturesAttached),
    Entry("incident.evidence_attached", incident.EvidenceAttached),
    Entry("incident.resolved", incident.Resolved, 1, (("resolution", "resolved_by"),)),
    Entry("incident.reopened", incident.Reopened),
    Entry("incident.snoozed", incident.Snoozed),
    Entry("incident.snooze_ended", incident.Woken),
    Entry("incident.merged", incident.Merged),
    Entry("incident.merged_in", incident.Absorbed),
    Entry("incident.split", incident.SplitOff),
    Entry("incident.merge_undone", incident.Released),
    Entry("dead_letter.recorded", dead_letter.SetAside),
    Entry("dead_letter.resent", dead_letter.Resent),
    Entry("dead_letter.dropped", dead_letter.Dropped),
    Entry("request.answered", idempotency.Answered),
)

SNAPSHOTS = (
    Entry("dataset", DatasetConfig, 1, (("settings", "owner_email"),)),
    Entry("signal", SignalState, schema=2, weight=_by_windows),
    Entry("lineage", Lineage),
    Entry("fault", FaultSlot, schema=2),
    Entry(
        "incident",
        Incident,
        schema=2,
        personal=(("oncall_user",), ("resolution", "resolved_by")),
        confidential=_ids_in_other_systems("notifications"),
    ),
)


@define
class NotInCatalogue(Exception):
    what: str

    def __str__(self) -> str:
        return f"the catalogue does not know {self.what}"


@define
class Catalogue:
    """Looks entries up by name and by type."""

    entries: tuple[Entry, ...]
    _by_name: dict[str, Entry] = field(init=False)
    _by_type: dict[type, Entry] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._by_name = {entry.name: entry for entry in self.entries}
        self._by_type = {entry.type: entry for entry in self.entries}

    def named(self, name: str) -> Entry:
        try:
            return self._by_name[name]
        except KeyError:
            raise NotInCatalogue(name) from None

    def of(self, value: object) -> Entry:
        try:
            return self._by_type[type(value)]
        except KeyError:
            raise NotInCatalogue(type(value).__qualname__) from None

    def lists(self, kind: type) -> bool:
        return kind in self._by_type


def tags(stream: StreamId) -> Iterable[str]:
    """What a fact is about, for whoever looks for facts across streams."""
    if any(category.has(stream) for category in (DATASET, SIGNAL, FAULT)):
        yield f"dataset:{dataset_of(stream)}"
    elif LINEAGE.has(stream):
        yield f"producer:{producer_of(stream)}"
    elif INCIDENT.has(stream):
        yield f"incident:{incident_of(stream)}"

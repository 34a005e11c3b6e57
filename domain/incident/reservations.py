"""
What an incident holds while it is open: the slots of its faults, and links from its signals.

    no slot has two holders        a slot is taken only when it is free
    no slot is held by nobody      whatever ends an incident frees its slots, in the same append
    no link to what is resolved    and unlinks its signals

Decisions about incidents go through `settled`, which adds what follows for slots and signals. A
decision finds out which streams it needs while it is made: what was not read for it, it asks
for by `Unread`, and is made again.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

from attrs import define

from domain.errors import DomainError, Impossible
from domain.ids import IncidentId
from domain.incident.decisions import Incident
from domain.incident.fault_slot import Fault, FaultSlot
from domain.incident.incident import IncidentFact
from domain.signal.signal import SignalState
from domain.stream_categories import incident_stream, signal_stream, slot_of
from domain.streams import Decision, States, Stream


@define
class Unread(DomainError):
    """The decision depends on streams that were not read for it."""

    streams: Sequence[Stream[Any]]

    def __str__(self) -> str:
        return f"read {', '.join(self.streams)} too"


def must_know(states: States, streams: Iterable[Stream[Any]]) -> None:
    unread = [stream for stream in streams if stream not in states]
    if unread:
        raise Unread(unread)


def claims(incident: Incident) -> Mapping[Stream[Any], None]:
    """The streams of the slots and signals that the incident holds now, in a fixed order."""
    if not incident.is_open:
        return {}
    slots = [slot_of(fault) for fault in faults(incident)]
    signals = [signal_stream(one.dataset, s) for one in incident.concerns for s in one.signals]
    return dict.fromkeys([*slots, *signals])


def faults(incident: Incident) -> Sequence[Fault]:
    """Every fault the incident is about, open or not."""
    return [Fault(one.dataset, s) for one in incident.concerns for s in one.signatures]


def must_be_free(states: States, name: IncidentId, incident: Incident, attempted: str) -> None:
    """Raises Impossible if another incident was opened for one of the faults meanwhile."""
    must_know(states, [slot_of(fault) for fault in faults(incident)])
    for fault in faults(incident):
        holder = states[slot_of(fault)].holder
        if holder not in (None, name):
            reason = f"{incident.status}, and {holder} is open for {fault.signature}"
            raise Impossible("incident", incident.status, attempted, reason)


def settled(
    states: States,
    name: IncidentId,
    facts: Sequence[IncidentFact],
    also: Iterable[Stream[Any]] = (),
) -> Decision:
    """The facts together with what follows from them.

    `also` names signals that may have been evaluated only after they were attached.

    Raises:
        Impossible: Another incident holds one of the slots.
        Unread: More streams must be read.
    """
    return settled_together(states, {name: facts}, dict.fromkeys(also, name))


def settled_together(
    states: States,
    facts: Mapping[IncidentId, Sequence[IncidentFact]],
    also: Mapping[Stream[Any], IncidentId] | None = None,
) -> Decision:
    """The facts of several incidents with what follows: what one lets go, another may hold."""
    gone: list[tuple[Stream[Any], IncidentId]] = []
    new: list[tuple[Stream[Any], IncidentId]] = []
    for name, said in facts.items():
        before = states[incident_stream(name)]
        held, then = claims(before), claims(reduce(Incident.after, said, before))
        gone += [(stream, name) for stream in held if stream not in then]
        new += [(stream, name) for stream in then if stream not in held]
    new += [one for one in (also or {}).items() if one not in new]
    must_know(states, dict.fromkeys(stream for stream, _ in [*gone, *new]))
    decision: dict[Stream[Any], list[Any]] = {
        **{incident_stream(name): list(said) for name, said in facts.items()},
        **{stream: [] for stream, _ in [*gone, *new]},
    }
    for changes, decide in ((gone, _let_go), (new, _held)):
        for stream, name in changes:
            state = reduce(lambda then, fact: then.after(fact), decision[stream], states[stream])
            decision[stream] += decide(state, name)
    return decision


def _let_go(state: FaultSlot | SignalState, name: IncidentId) -> Sequence[Any]:
    return state.free(name) if isinstance(state, FaultSlot) else state.unlink(name)


def _held(state: FaultSlot | SignalState, name: IncidentId) -> Sequence[Any]:
    return state.take(name) if isinstance(state, FaultSlot) else state.link(name)

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

from domain.errors import DomainError
from domain.fault import Fault, FaultSlot
from domain.ids import IncidentId, StreamId, incident_stream, signal_stream
from domain.incident import Incident, IncidentFact
from domain.signal_state import SignalState

States = Mapping[StreamId, Any]
Decision = Mapping[StreamId, Sequence[Any]]


@define
class Unread(DomainError):
    """The decision depends on streams that were not read for it."""

    streams: Sequence[StreamId]

    def __str__(self) -> str:
        return f"read {', '.join(self.streams)} too"


def must_know(states: States, streams: Iterable[StreamId]) -> None:
    unread = [stream for stream in streams if stream not in states]
    if unread:
        raise Unread(unread)


def claims(incident: Incident) -> Mapping[StreamId, None]:
    """The streams of the slots and signals that the incident holds now, in a fixed order."""
    if not incident.is_open:
        return {}
    slots = [Fault(incident.dataset, signature).slot for signature in incident.signatures]
    signals = [signal_stream(incident.dataset, signal) for signal in incident.signals]
    return dict.fromkeys([*slots, *signals])


def settled(
    states: States,
    name: IncidentId,
    facts: Sequence[IncidentFact],
    also: Iterable[StreamId] = (),
) -> Decision:
    """The facts together with what follows from them.

    `also` names signals that may have been evaluated only after they were attached.

    Raises:
        Impossible: Another incident holds one of the slots.
        Unread: More streams must be read.
    """
    before: Incident = states[incident_stream(name)]
    held, then = claims(before), claims(reduce(Incident.after, facts, before))
    gone = [stream for stream in held if stream not in then]
    new = dict.fromkeys([*(stream for stream in then if stream not in held), *also])
    must_know(states, [*gone, *new])
    return {
        incident_stream(name): facts,
        **{stream: _let_go(states[stream], name) for stream in gone},
        **{stream: _held(states[stream], name) for stream in new},
    }


def _let_go(state: FaultSlot | SignalState, name: IncidentId) -> Sequence[Any]:
    return state.free(name) if isinstance(state, FaultSlot) else state.unlink(name)


def _held(state: FaultSlot | SignalState, name: IncidentId) -> Sequence[Any]:
    return state.take(name) if isinstance(state, FaultSlot) else state.link(name)

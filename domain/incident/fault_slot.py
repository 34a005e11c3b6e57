"""
A fault: one way in which one dataset fails. Its slot holds the open incident about it.

Two callers who find the same fault must not open two incidents. The slot is what they race for:
it is taken when an incident opens and freed when it ends.
"""

from collections.abc import Sequence
from typing import assert_never

from attrs import frozen

from domain.errors import Impossible
from domain.ids import DatasetUrn, FailureSignature, IncidentId


@frozen
class Fault:
    dataset: DatasetUrn
    signature: FailureSignature


# Facts. Names and fields are the storage format: to change one, add an upcast.


@frozen
class Taken:
    incident: IncidentId


@frozen
class Freed:
    incident: IncidentId


FaultFact = Taken | Freed


@frozen
class FaultSlot:
    holder: IncidentId | None = None
    last: IncidentId | None = None
    """Who held it last, once it is free."""

    # Decisions: what may happen next. Repeating one yields no facts.

    def take(self, incident: IncidentId) -> Sequence[FaultFact]:
        if self.holder == incident:
            return []
        if self.holder is not None:
            raise Impossible("fault", "TAKEN", "attach", f"the subject of {self.holder}")
        return [Taken(incident)]

    def free(self, incident: IncidentId) -> Sequence[FaultFact]:
        return [Freed(incident)] if self.holder == incident else []

    # Evolution: what has happened. Never refuses.

    def after(self, fact: FaultFact) -> "FaultSlot":
        match fact:
            case Taken(incident):
                return FaultSlot(holder=incident)
            case Freed(incident):
                return FaultSlot(last=incident)
            case _:
                assert_never(fact)

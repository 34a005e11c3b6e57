"""What a fact concerns, as its projection says."""

from collections.abc import Sequence

from attrs import define, frozen

from application.ports.cards import Group, Key
from application.projections.projection import Projection
from application.recorded import Recorded, Unreadable


@define
class NotUnderstood(Exception):
    fact: Unreadable

    def __str__(self) -> str:
        return f"{self.fact.name}: {self.fact.because}"


@frozen
class Concern:
    keys: Sequence[Key] = ()
    groups: Sequence[Group] = ()
    refused: Exception | None = None
    """Why it cannot be told."""

    @classmethod
    def of(cls, projection: Projection, recorded: Recorded) -> "Concern":
        if isinstance(recorded.fact, Unreadable):
            return cls(refused=NotUnderstood(recorded.fact))
        try:
            return cls([*projection.keys(recorded)], [*projection.groups(recorded)])
        except Exception as error:  # noqa: BLE001  # whatever it raises is about this fact
            return cls(refused=error)


def as_many_as(most: int, projection: Projection, facts: Sequence[Recorded]) -> Sequence[Recorded]:
    """The first of the facts, as long as they concern no more cards than that; at least one."""
    keys: set[Key] = set()
    for number, fact in enumerate(facts):
        keys.update(Concern.of(projection, fact).keys)
        if len(keys) > most and number:
            return facts[:number]
    return facts

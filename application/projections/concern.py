"""What facts concern, as their projection says."""

from collections.abc import Collection, Mapping, Sequence

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
    facts: Sequence[Recorded]
    keys: Collection[Key]
    groups: Collection[Group]
    refused: Mapping[int, Exception]
    """Why it cannot be told, for the positions where it cannot."""

    @classmethod
    def of(
        cls, projection: Projection, facts: Sequence[Recorded], most: int | None = None
    ) -> "Concern":
        """Of all the facts, or of the first ones that concern no more cards than `most`."""
        keys: set[Key] = set()
        groups: set[Group] = set()
        refused: dict[int, Exception] = {}
        for number, fact in enumerate(facts):
            try:
                keys.update(projection.keys(fact))
                groups.update(projection.groups(fact))
            except Exception as error:  # noqa: BLE001  # whatever it raises is about this fact
                refused[fact.position] = error
            if most is not None and len(keys) > most and number:
                return cls(facts[:number], keys, groups, refused)
        return cls(facts, keys, groups, refused)

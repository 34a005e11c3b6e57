"""What facts concern, as their projection says."""

from collections.abc import Collection, Mapping, Sequence

from attrs import define, frozen

from application.projections.projection import Projection
from application.projections.view_store import Group, Key
from application.recorded import Recorded, Unreadable


@define
class NotUnderstood(Exception):
    fact: Unreadable

    def __str__(self) -> str:
        return f"{self.fact.name}: {self.fact.reason}"


def concerning(projection: Projection, facts: Sequence[Recorded]) -> Sequence[Recorded]:
    """Those the projection has to look at. What nobody understands may be any projection's."""
    concerns = projection.concerns
    return [one for one in facts if concerns(one.fact, one.version) or type(one.fact) is Unreadable]


@frozen
class Concern:
    keys: Collection[Key]
    groups: Collection[Group]
    refused: Mapping[int, Exception]
    """Why it cannot be told, for the positions where it cannot."""

    @classmethod
    def of(cls, projection: Projection, facts: Sequence[Recorded]) -> "Concern":
        keys: set[Key] = set()
        groups: set[Group] = set()
        refused: dict[int, Exception] = {}
        for fact in facts:
            try:
                keys.update(projection.keys(fact))
                groups.update(projection.groups(fact))
            except Exception as error:  # noqa: BLE001  # whatever it raises is about this fact
                refused[fact.position] = error
        return cls(keys, groups, refused)

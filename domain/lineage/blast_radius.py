"""How far an incident reaches downstream, as it was when the incident opened."""

from collections.abc import Collection, Sequence
from enum import StrEnum

from attrs import frozen

from domain.dataset.tier import Tier
from domain.ids import FailureSignature

MOST_NAMED = 100


class EstimatedImpact(StrEnum):
    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"
    UNKNOWN = "UNKNOWN"


@frozen
class BlastRadius:
    """Who depends on the data: how many, the first of them by name, and how bad that is."""

    downstream_count: int
    downstream_services: tuple[str, ...]
    estimated_impact: EstimatedImpact

    @classmethod
    def of(cls, names: Sequence[str], tiers: Collection[Tier]) -> "BlastRadius":
        """From the names of those who read, nearest first, and the tiers of what they write.

        Several may have one name: each counts, and the name is told once.
        """
        told = tuple(dict.fromkeys(names))[:MOST_NAMED]
        return cls(len(names), told, _estimate(len(names), tiers))


def _estimate(count: int, tiers: Collection[Tier]) -> EstimatedImpact:
    if count == 0:
        # Nobody declared to read it; that is not the same as nobody reads it.
        return EstimatedImpact.UNKNOWN
    if count >= 10 or Tier.TIER_1 in tiers:
        return EstimatedImpact.HIGH
    if count >= 3 or Tier.TIER_2 in tiers:
        return EstimatedImpact.MEDIUM
    return EstimatedImpact.LOW


def field_of(signature: FailureSignature) -> str:
    """The field that a failure signature names."""
    return signature.partition(":")[2]

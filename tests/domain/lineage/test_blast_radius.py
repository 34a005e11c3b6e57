"""How bad it is that others depend on broken data (S0-056)."""

import pytest

from domain.dataset.tier import Tier
from domain.ids import FailureSignature
from domain.lineage.blast_radius import MOST_NAMED, BlastRadius, EstimatedImpact, field_of

LOW, MEDIUM, HIGH = EstimatedImpact.LOW, EstimatedImpact.MEDIUM, EstimatedImpact.HIGH


@pytest.mark.parametrize(
    ("count", "tiers", "estimate"),
    [
        (0, set(), EstimatedImpact.UNKNOWN),
        (1, set(), LOW),
        (2, {Tier.TIER_3}, LOW),
        (3, set(), MEDIUM),
        (1, {Tier.TIER_2}, MEDIUM),
        (9, {Tier.TIER_2}, MEDIUM),
        (10, set(), HIGH),
        (1, {Tier.TIER_1, Tier.TIER_3}, HIGH),
    ],
)
def test_the_estimate_follows_from_tier_and_count(
    count: int, tiers: set[Tier], estimate: EstimatedImpact
) -> None:
    assert BlastRadius.of(["x"] * count, tiers).estimated_impact is estimate


def test_all_are_counted_and_the_first_named() -> None:
    radius = BlastRadius.of([f"job-{n}" for n in range(250)], [])
    assert radius.downstream_count == 250
    assert radius.downstream_services == tuple(f"job-{n}" for n in range(MOST_NAMED))


def test_who_has_the_name_of_another_counts_too() -> None:
    radius = BlastRadius.of(["loader", "loader", "audit", "loader"], [])
    assert (radius.downstream_count, radius.downstream_services) == (4, ("loader", "audit"))


def test_a_signature_names_its_field() -> None:
    assert field_of(FailureSignature("MISSING_FIELD:customer_id")) == "customer_id"

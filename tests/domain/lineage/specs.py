"""Lineage specs to test with: one short way to write them, and any that a producer may declare."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from domain.ids import DatasetUrn, EntityId, Place, SpecId, column_urn
from domain.lineage.lineage import TTL_SECONDS, Entity, EntityType, Entries, Entry, Spec
from domain.signal.evaluation import Confidence

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
ORDERS = DatasetUrn("urn:dp:orders:order_created:v1")
INVOICES = DatasetUrn("urn:dp:finance:invoices:v1")
REVENUE = DatasetUrn("urn:dp:finance:revenue:v2")
LANDING = "job:orders-delta-landing"


def entity(name: str, kind: EntityType = EntityType.JOB) -> Entity:
    return Entity(EntityId(name), name.rpartition(":")[2], kind)


def entry(place: str, name: str) -> Entry:
    return Entry(Place(place), entity(name))


def spec(
    *,
    reads: Iterable[tuple[str, str]] = (),
    writes: Iterable[tuple[str, str]] = (),
    producer: str = LANDING,
    commit: str = "9f31c2d",
    at: datetime = NOON,
    confidence: Confidence = Confidence.HIGH,
    ttl_seconds: int = TTL_SECONDS,
) -> Spec:
    """A spec of pairs of a place and an entity; whether a place is a column shows."""
    read = [entry(place, name) for place, name in reads]
    written = [entry(place, name) for place, name in writes]
    entries = Entries(
        tuple(one for one in read if not one.place.startswith("urn:col:")),
        tuple(one for one in written if not one.place.startswith("urn:col:")),
        tuple(one for one in read if one.place.startswith("urn:col:")),
        tuple(one for one in written if one.place.startswith("urn:col:")),
    )
    return Spec(
        spec_id=SpecId(f"lspec:{producer}:git:{commit}"),
        commit=commit,
        confidence=confidence,
        updated_at=at,
        entries=entries.ordered(),
        ttl_seconds=ttl_seconds,
    )


# Any.

datasets = st.sampled_from([ORDERS, INVOICES, REVENUE])
columns = st.builds(column_urn, datasets, st.sampled_from(["id", "amount"]))
places = datasets | columns
pairs = st.tuples(places, st.sampled_from(["job:a", "svc:b", "c"]))
commits = st.sampled_from(["9f31c2d", "a2b4c6d"])


def specs(producer: str = LANDING) -> st.SearchStrategy[Spec]:
    """Few enough different ones that they meet."""
    return st.builds(
        lambda reads, writes, commit, hour, confidence, days: spec(
            reads=sorted(reads),
            writes=sorted(writes),
            producer=producer,
            commit=commit,
            at=NOON + timedelta(hours=hour),
            confidence=confidence,
            ttl_seconds=days * 24 * 3600,
        ),
        st.sets(pairs, max_size=4),
        st.sets(pairs, max_size=4),
        commits,
        st.integers(0, 2),
        st.sampled_from(Confidence),
        st.sampled_from([30, 90]),
    )

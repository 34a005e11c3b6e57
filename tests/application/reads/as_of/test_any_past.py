"""As of any moment of any story, the answers are those of the log's prefix, folded whole."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from functools import partial
from itertools import product
from typing import TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from application.datasets.read_model import DatasetFilter, DatasetReadModel
from application.datasets.resolution_read_model import RuleReadModel
from application.incidents.read_model import IncidentFilter, IncidentReadModel
from application.lineage.read_model import LineageGraph
from application.reads.as_of.datasets import PastDatasets, PastRules
from application.reads.as_of.incidents import PastIncidents
from application.reads.as_of.lineage import PastLineage
from application.reads.as_of.signals import PastSignals
from application.reads.as_of.snapshot import Past
from application.reads.paging import Page, PageRequest
from application.signals.read_model import SignalKey, SignalReadModel
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn, EntityId, Place, SignalType, column_urn
from domain.incident.severity import Severity
from domain.incident.values import IncidentStatus
from domain.signal.evaluation import SignalStateEnum
from tests.application.projections.story import (
    FRESHNESS,
    NOON,
    ONE,
    ORDERS,
    PAYMENTS,
    TWO,
    VOLUME,
)
from tests.application.projections.test_any_story import chapters, told
from tests.application.reads.as_of.past_states import brute_force, past_of
from tests.domain.lineage.specs import INVOICES, REVENUE
from tests.support.scale import scaled

T = TypeVar("T")

NOWHERE = DatasetUrn("urn:dp:nowhere:nothing:v1")
DATASETS = [ORDERS, PAYMENTS, NOWHERE]
PLACES = [
    Place(place)
    for dataset in (ORDERS, INVOICES, REVENUE)
    for place in (dataset, column_urn(dataset, "id"), column_urn(dataset, "amount"))
]
ENTITIES = [EntityId(name) for name in ("job:a", "svc:b", "c")]
NOT_OK = [SignalStateEnum.CRITICAL, SignalStateEnum.WARNING, SignalStateEnum.UNKNOWN]
FILTERS = [
    IncidentFilter(),
    IncidentFilter(dataset=ORDERS),
    IncidentFilter(statuses=(IncidentStatus.RESOLVED,)),
    IncidentFilter(severities=(Severity.SEV_1,)),
    IncidentFilter(since=NOON + timedelta(seconds=5), until=NOON + timedelta(seconds=12)),
    IncidentFilter(dataset=PAYMENTS, since=NOON + timedelta(seconds=8)),
]

moments = st.one_of(
    st.integers(-1, 80).map(lambda seconds: timedelta(seconds=seconds)),
    st.sampled_from([31, 91, 400]).map(lambda days: timedelta(days=days)),
)


async def pages(read: Callable[[PageRequest], Awaitable[Page[T]]]) -> Sequence[T]:
    """A list, one item at a time."""
    items: list[T] = []
    page = await read(PageRequest(1))
    while page.next is not None:
        items += page.items
        page = await read(PageRequest(1, page.next))
    return [*items, *page.items]


async def everything(
    signals: SignalReadModel,
    incidents: IncidentReadModel,
    datasets: DatasetReadModel,
    rules: RuleReadModel,
    lineage: LineageGraph,
) -> dict[object, object]:
    """Every answer that the read models give about the story."""
    said: dict[object, object] = {}
    # Before anything else has made the graph grow.
    said["writings"] = (await lineage.writings(ENTITIES, most=1_000)).found
    for dataset in DATASETS:
        said["signals", dataset] = await signals.of_dataset(dataset)
        said["open", dataset] = await incidents.open_of(dataset)
        said["rules", dataset] = await rules.rules_of(dataset)
        said["versions", dataset] = await pages(partial(datasets.versions, dataset))
        for version in (None, 1, 2):
            said["dataset", dataset, version] = await datasets.find(dataset, version)
    for dataset, kind in product(DATASETS, (FRESHNESS, VOLUME)):
        said[dataset, kind] = await signals.find(dataset, kind)
    keys = [SignalKey(*one) for one in product(DATASETS, (VOLUME, SignalType("PII"), FRESHNESS))]
    said["named"] = await signals.find_many(keys)
    for state, tier in product(NOT_OK, (None, Tier.TIER_1)):
        said[state, tier] = await pages(partial(signals.not_ok, state, tier=tier))
    said["owned"] = await pages(partial(signals.not_ok, SignalStateEnum.CRITICAL, owner_team="r"))
    for name in (ONE, TWO):
        said[name] = await incidents.find(name)
    said["incidents named"] = await incidents.find_many([TWO, ONE])
    for wanted in FILTERS:
        said[wanted] = await pages(partial(incidents.matching, wanted))
    for listed in (DatasetFilter(), DatasetFilter(retired=True), DatasetFilter(Tier.TIER_3)):
        said[listed] = await pages(partial(datasets.matching, listed))
    said["tiers"] = await datasets.tiers(DATASETS)
    said["datasets named"] = await datasets.find_many(DATASETS)
    said["editions"] = await datasets.editions(DATASETS)
    for place in PLACES:
        said["writers", place] = await pages(partial(lineage.writers, place))
        said["readers", place] = await pages(partial(lineage.readers, place))
    said["readings"] = (await lineage.readings(PLACES, most=1_000)).found
    return said


async def as_found(past: Past) -> dict[object, object]:
    return await everything(
        PastSignals(past),
        PastIncidents(past),
        PastDatasets(past),
        PastRules(past),
        PastLineage(past),
    )


@settings(max_examples=scaled(120, 1_000), deadline=None)
@given(st.lists(chapters, min_size=8, max_size=40), moments)
def test_as_of_any_moment_is_the_fold_of_what_was_recorded_by_then(
    chapters: list[tuple[object, dict[str, object]]], moment: timedelta
) -> None:
    facts, at = told(chapters).facts, NOON + moment

    async def compare() -> None:
        then = await brute_force(facts, at)
        expected = await everything(
            then.signals, then.incidents, then.datasets, then.rules, then.lineage
        )
        found = await as_found(await past_of(facts, at))
        assert found == expected

    asyncio.run(compare())

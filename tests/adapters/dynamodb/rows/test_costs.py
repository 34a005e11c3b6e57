"""What rows cost in write units, by AWS's rules."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest
from attrs import evolve

from adapters.dynamodb.items.item_sizes import item_size
from adapters.dynamodb.rows.engine import DynamoEngine
from adapters.dynamodb.rows.row_items import row_item
from adapters.dynamodb.transport.capacity_meter import CapacityMeter
from adapters.eventstore.sealing.seals import Seals
from adapters.memory.keys import MemoryKeys
from adapters.row_layouts.catalogue import CATALOGUE, PROJECTION_STATE, SIGNAL_STATE
from adapters.row_layouts.engine import Put
from adapters.row_layouts.incident_rows import to_row as incident_row
from adapters.row_layouts.projection_state_rows import facets_to_row
from adapters.row_layouts.signal_rows import to_row
from application.projections.signals import Facets
from application.signals.read_model import SignalView
from domain.dataset.tier import Tier
from domain.ids import EvidenceId, FailureSignature, IncidentId
from domain.signal.evaluation import Confidence, Producer, SignalStateEnum
from tests.adapters.dynamodb.log.logs import retrying, sends_once
from tests.adapters.dynamodb.rows.engines import empty_tables, row_tables
from tests.adapters.row_layouts.sample_views import NOON, ORDERS, incident_card, signal_card

KB = 1024


def usual(state: SignalStateEnum) -> SignalView:
    """A signal with all that an engine says about it."""
    card = signal_card(state=state, signal_type="CONTRACT_COMPLIANCE")
    broken = state is not SignalStateEnum.OK
    evaluation = evolve(
        card.evaluation,
        slo_threshold=0.95,
        window_type="TUMBLING_5MIN",
        failure_signature=FailureSignature("MISSING_FIELD:customer_id") if broken else None,
        top_producer=Producer("orders-svc", "v3.17", Confidence.HIGH) if broken else None,
        evidence_sample=tuple(
            EvidenceId(f"evd-01HQXY8MNP4QR7ST9VW2XYZ45{n}") for n in range(3 if broken else 0)
        ),
    )
    return evolve(
        card,
        evaluation=evaluation,
        previous_state=SignalStateEnum.OK,
        breach_start=NOON if broken else None,
        incident_id=IncidentId("INC-01HQXY8MNP4QR7ST9VW2XYZ456") if broken else None,
        last_updated=NOON + timedelta(seconds=1),
    )


def units(shown: Sequence[Put] = (), remembered: Sequence[Put] = ()) -> float:
    """Of a write, without the progress's own one."""

    async def scene(prefix: str) -> float:
        indexes = {prefix + table.name: table.indexes for table in CATALOGUE}
        meter = CapacityMeter(retrying(sends_once()), indexes)
        try:
            engine = DynamoEngine(meter, row_tables(prefix))
            await engine.write("p", shown, upto=1, remembered=remembered)
            return meter.total().write
        finally:
            await meter.close()

    with empty_tables() as prefix:
        return asyncio.run(scene(prefix))


@pytest.mark.parametrize(
    ("state", "cost"), [(SignalStateEnum.OK, 1), (SignalStateEnum.CRITICAL, 2)]
)
def test_a_signal_is_one_unit_and_one_more_in_the_index(state: SignalStateEnum, cost: int) -> None:
    row = to_row(usual(state), 4_000_000)
    assert item_size(row_item(row)) <= KB
    assert units([Put(SIGNAL_STATE.name, row)]) - units() == cost


def test_progress_alone_is_one_unit() -> None:
    assert units() == 1


def test_what_is_remembered_is_two_units_and_so_is_the_progress_then() -> None:
    row = facets_to_row(Facets(ORDERS, Tier.TIER_1, "orders-platform"), 7)
    assert units(remembered=[Put(PROJECTION_STATE.name, row)]) == 4


def test_an_incident_is_in_two_indexes() -> None:
    row = incident_row(incident_card(), 7, Seals(MemoryKeys()))
    assert units([Put("observability-incident-index", row)]) - units() == 3

"""Rows of the read models and of the evidence cache, as every engine stores them."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from adapters.eventstore.sealing.seals import Seals
from adapters.memory.engine import MemoryEngine
from adapters.memory.keys import MemoryKeys
from adapters.read_models.view_store import TableCards
from adapters.row_layouts import evidence_rows
from adapters.row_layouts.catalogue import CATALOGUE, EVERY_TABLE, Table
from adapters.row_layouts.engine import Row
from application.projections.quarantined_facts import SetAside as SetAsideFact
from application.projections.signals import CHECKPOINT_EVERY
from application.recorded import Recorded
from domain.dataset.config import RuleAdded
from domain.delivery.dead_letter import SetAside
from domain.retention import KEPT_FOR
from domain.stream_categories import dataset_stream, dead_letter_stream
from domain.streams import StreamId
from entrypoints.wiring.projections import all_projections
from tests.adapters.eventstore.examples import RULE
from tests.adapters.evidence_cache.some_evidence import FULL
from tests.adapters.row_layouts.test_schemas import eventful
from tests.application.projections.story import NOON, ORDERS, VOLUME, runner
from tests.golden.golden import Golden
from tests.golden.sealed import unsealed

DEAD_LETTER = ("SIGNAL_STATE_CHANGED", 12, "it answered with 400", 3)


def test_tables(golden: Golden) -> None:
    golden.json("tables.json", {table.name: _declared(table) for table in EVERY_TABLE})


def test_rows_of_read_models(golden: Golden) -> None:
    golden.json("rows.json", unsealed(asyncio.run(_rows())))


def test_rows_of_evidence(golden: Golden) -> None:
    day = timedelta(days=1)
    rows = {
        "expires": evidence_rows.to_row(FULL, day),
        "pinned": evidence_rows.to_row(FULL, day, pinned=True),
    }
    golden.json("evidence_rows.json", rows)


def _declared(table: Table) -> dict[str, Any]:
    return {
        "keys": [*table.keys],
        "sort key": table.range and table.range_type,
        "time to live": table.ttl,
        "stream": table.stream and table.stream.value,
        "classification": table.classification.value,
        "second generation": table.of_generation(2).name,
        "indexes": {one.name: [one.hash, one.range, one.projection] for one in table.indexes},
    }


async def _rows() -> dict[str, list[Row]]:
    """All that is written of a story in which everything happens."""
    engine = MemoryEngine()
    cards = TableCards(engine, Seals(MemoryKeys()))
    await runner(all_projections(KEPT_FOR), _story(), cards).catch_up()
    quarantined = SetAsideFact("dataset-registry", 12, "0c", NOON, "KeyError: 'tier'")
    await cards.file("dataset-registry", {quarantined.key: (quarantined, 12)}, upto=1_000)
    return {table.name: [*(await engine.scan(table.name, limit=1000)).rows] for table in CATALOGUE}


def _story() -> Sequence[Recorded]:
    story = eventful()
    for hour in range(CHECKPOINT_EVERY):
        story.evaluate(hour=hour + 2, signal_type=VOLUME)
    last = story.facts[-1].position
    owner, letter = dataset_stream(ORDERS), dead_letter_stream("webhook-oncall", "0c" * 16)
    more = [(owner, RuleAdded(RULE)), (letter, SetAside(*DEAD_LETTER))]
    return [
        *story.facts,
        *(_recorded(last + number, *one) for number, one in enumerate(more, start=1)),
    ]


def _recorded(position: int, stream: StreamId, fact: object) -> Recorded:
    return Recorded(position, NOON, stream, position, fact, position.to_bytes(16), "jane", "cor-1")

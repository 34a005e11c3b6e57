"""The directory of streams over every engine."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from adapters.eventstore.sealing.seals import Seals
from adapters.memory.keys import MemoryKeys
from adapters.read_models.stream_directory import TableDirectory
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.engine import TableEngine
from application.errors import TooWide
from application.maintenance.stream_directory import Checkpoint, CheckpointKey
from application.projections.stream_directory import StreamDirectory
from domain.ids import DatasetUrn, EntityId, Place, ProducerId
from domain.stream_categories import (
    dataset_stream,
    fault_stream,
    incident_stream,
    lineage_stream,
    producer_of,
    signal_stream,
)
from domain.streams import StreamId
from tests.adapters.row_layouts.sample_views import FRESHNESS, ORDERS, signal_card
from tests.application.projections.story import (
    MISSING,
    NOON,
    ONE,
    PAYMENTS,
    TWO,
    VOLUME,
    Story,
    runner,
)
from tests.domain.lineage.specs import spec

SECOND = timedelta(seconds=1)


@pytest.fixture
def story(engine: TableEngine) -> Story:
    """Recorded and listed."""
    told = Story().register(ORDERS).register(PAYMENTS)
    told.evaluate(dataset=ORDERS).evaluate(dataset=ORDERS, hour=1)
    told.evaluate(signal_type=VOLUME, dataset=ORDERS).open(ONE, dataset=ORDERS)
    told.open(TWO, dataset=PAYMENTS)
    told.declare(spec(reads=[(ORDERS, "c")], writes=[(PAYMENTS, "job:a")], producer="job:a"))
    cards = TableCards(engine, Seals(MemoryKeys()))
    asyncio.run(runner([StreamDirectory()], told.facts, cards).catch_up())
    return told


@pytest.fixture
def directory(engine: TableEngine, story: Story) -> TableDirectory:
    return TableDirectory(engine)


def opened(story: Story) -> Sequence[int]:
    """The positions at which the incidents opened."""
    return [fact.position for fact in story.facts if fact.stream.startswith("incident-")]


def test_streams_are_found_once_they_had_begun(directory: TableDirectory) -> None:
    both = [dataset_stream(ORDERS), dataset_stream(PAYMENTS)]
    assert asyncio.run(directory.datasets(upto=99)) == both
    assert asyncio.run(directory.datasets(upto=1)) == both[:1]
    assert asyncio.run(directory.datasets(upto=0)) == []


def test_signals_and_faults_are_found_by_their_dataset(directory: TableDirectory) -> None:
    signals = [signal_stream(ORDERS, FRESHNESS), signal_stream(ORDERS, VOLUME)]
    assert asyncio.run(directory.signals([ORDERS, PAYMENTS], upto=99)) == signals
    assert asyncio.run(directory.signals([PAYMENTS], upto=99)) == []
    assert asyncio.run(directory.signals([], upto=99)) == []
    assert asyncio.run(directory.faults(ORDERS, upto=99)) == [fault_stream(ORDERS, MISSING)]


def test_incidents_are_found_by_dataset_and_time(directory: TableDirectory, story: Story) -> None:
    one, two = (incident_stream(name) for name in (ONE, TWO))
    first, second = (NOON + SECOND * position for position in opened(story))

    def found(
        dataset: DatasetUrn | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        upto: int = 99,
    ) -> Sequence[StreamId]:
        asked = directory.incidents(dataset, since=since, until=until, upto=upto)
        return asyncio.run(asked)

    assert found() == [one, two]
    assert found(PAYMENTS) == [two]
    assert found(since=first, until=first) == [one]
    assert found(since=second) == [two]
    assert found(until=first - SECOND) == []
    assert found(upto=opened(story)[0]) == [one]


def test_lineage_is_found_by_places_and_writers(directory: TableDirectory) -> None:
    stream = lineage_stream(ProducerId("job:a"))
    assert producer_of(stream) == "job:a"
    places = [Place(ORDERS), Place(PAYMENTS)]
    assert asyncio.run(directory.declared_at(places)) == [stream]
    assert asyncio.run(directory.declared_at([Place("urn:dp:no:where:v1")])) == []
    assert asyncio.run(directory.declared_by([EntityId("job:a")])) == [stream]
    assert asyncio.run(directory.declared_by([EntityId("c")])) == [], "it only reads"
    assert asyncio.run(directory.written_at([Place(PAYMENTS)])) == [stream]
    assert asyncio.run(directory.written_at([Place(ORDERS)])) == [], "it is only read"


def test_too_many_are_not_told(engine: TableEngine, story: Story) -> None:
    narrow = TableDirectory(engine, most=1)
    with pytest.raises(TooWide):
        asyncio.run(narrow.datasets(upto=99))
    with pytest.raises(TooWide):
        asyncio.run(narrow.signals([ORDERS], upto=99))
    assert len(asyncio.run(narrow.datasets(upto=1))) == 1


def test_the_last_checkpoint_up_to_a_version(engine: TableEngine) -> None:
    kept = {
        CheckpointKey(ORDERS, FRESHNESS, version): Checkpoint(
            signal_card(version=version), version, position=version * 10
        )
        for version in (20, 40, 100)
    }
    cards, directory = TableCards(engine, Seals(MemoryKeys())), TableDirectory(engine)
    for key, one in kept.items():
        filed = {key: (one, one.position)}
        asyncio.run(cards.file("signal-state", filed, upto=one.position))

    def found(version: int) -> int | None:
        one = asyncio.run(directory.checkpoint(ORDERS, FRESHNESS, version=version))
        assert one is None or one == kept[CheckpointKey(ORDERS, FRESHNESS, one.version)]
        return None if one is None else one.version

    assert [found(version) for version in (19, 20, 39, 99, 100, 5_000)] == [
        None, 20, 20, 40, 100, 100
    ]  # fmt: skip
    assert asyncio.run(directory.checkpoint(ORDERS, VOLUME, version=99)) is None

"""What recorders promise beyond the library's own cases, on every engine that has some."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event
from typing import Any
from uuid import uuid4

import pytest
from attrs import define, field
from eventsourcing.persistence import (
    DataError,
    InfrastructureFactory,
    IntegrityError,
    StoredEvent,
    Tracking,
    TrackingRecorder,
)
from eventsourcing.utils import Environment

from adapters.eventsourcing_library.dynamodb import Factory as DynamoFactory
from adapters.eventsourcing_library.shared.subscription import LogSubscription, Look
from adapters.eventsourcing_library.sqlite import Factory as SqliteFactory
from tests.adapters.dynamodb.support import dynamodb_local, environment

Factory = InfrastructureFactory[TrackingRecorder]
Opens = Callable[..., Factory]


@pytest.fixture(params=["sqlite", "dynamodb"])
def open_factory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opens]:
    """Opens factories on one place; they are closed in the end."""
    with environment.surroundings(), ExitStack() as opened:
        kind: Any
        if request.param == "sqlite":
            kind, place = SqliteFactory, {"SQLITE_DBNAME": str(tmp_path / "log.db")}
        else:
            kind, place = (
                DynamoFactory,
                environment.library_environment(dynamodb_local.unused_table("recorders")),
            )

        def opens(name: str = "", **more: str) -> Any:
            factory = kind(Environment(name, {"ORIGINATOR_ID_TYPE": "text", **place, **more}))
            opened.callback(factory.close)
            return factory

        yield opens


@pytest.fixture
def factory(open_factory: Opens) -> Factory:
    return open_factory()


def stored(originator: str, *versions: int, topic: str = "topic") -> list[StoredEvent]:
    return [StoredEvent(originator, version, topic, b"state") for version in versions]


# Versions.


@pytest.mark.parametrize("versions", [(1,), (2,), (4,), (3, 3), (3, 5)])
def test_versions_that_do_not_continue_are_refused(
    factory: Factory, versions: tuple[int, ...]
) -> None:
    recorder = factory.application_recorder()
    recorder.insert_events(stored("a-1", 1, 2))

    with pytest.raises(IntegrityError, match=rf"a-1 is at .* cannot use version {versions[-1]}"):
        recorder.insert_events(stored("a-1", *versions))
    assert recorder.max_notification_id() == 2


def test_snapshots_may_be_sparse(factory: Factory) -> None:
    recorder = factory.aggregate_recorder("snapshots")
    recorder.insert_events(stored("a-1", 100))
    recorder.insert_events(stored("a-1", 7))

    assert recorder.select_events("a-1", desc=True, limit=1) == stored("a-1", 100)
    assert recorder.select_events("a-1", lte=99, desc=True) == stored("a-1", 7)
    with pytest.raises(IntegrityError):
        recorder.insert_events(stored("a-1", 7))


def test_a_snapshot_twice_in_one_call_is_refused(factory: Factory) -> None:
    recorder = factory.aggregate_recorder("snapshots")
    with pytest.raises(IntegrityError):
        recorder.insert_events(stored("a-1", 7, 8, 7))
    assert recorder.select_events("a-1") == []


def test_any_number_of_snapshots_may_be_stored_in_one_call(factory: Factory) -> None:
    recorder = factory.aggregate_recorder("snapshots")
    recorder.insert_events(stored("a-1", *range(250)))
    assert recorder.select_events("a-1") == stored("a-1", *range(250))


def test_snapshots_of_any_size_may_be_stored_in_one_call(factory: Factory) -> None:
    recorder = factory.aggregate_recorder("snapshots")
    large = [StoredEvent("a-1", version, "topic", os.urandom(340_000)) for version in range(14)]
    recorder.insert_events(large)
    assert recorder.select_events("a-1") == large


def test_snapshots_are_apart_from_events_and_other_purposes(factory: Factory) -> None:
    factory.aggregate_recorder("snapshots").insert_events(stored("a-1", 5))

    assert factory.aggregate_recorder().select_events("a-1") == []
    assert factory.aggregate_recorder("drafts").select_events("a-1") == []


def test_ids_of_the_library_are_uuids_unless_told_otherwise(open_factory: Opens) -> None:
    factory = open_factory(ORIGINATOR_ID_TYPE="uuid")
    recorder, originator = factory.application_recorder(), uuid4()
    event = StoredEvent(originator, 1, "topic", b"state")
    recorder.insert_events([event])

    assert recorder.select_events(originator) == [event]
    assert recorder.select_notifications(None, 10)[0].originator_id == originator


# Applications that share a place.


def test_applications_of_different_names_do_not_meet(open_factory: Opens) -> None:
    one, two = open_factory("One"), open_factory("Two")
    for factory in (one, two):
        factory.process_recorder().insert_events(stored("a-1", 1), tracking=Tracking("up", 3))
        factory.aggregate_recorder("snapshots").insert_events(stored("a-1", 1))

    assert one.application_recorder().max_notification_id() == 1
    assert two.process_recorder().max_tracking_id("up") == 3


def test_factories_of_one_name_share_a_log(open_factory: Opens) -> None:
    one, two = open_factory("App"), open_factory("App")
    one.application_recorder().insert_events(stored("a-1", 1))

    with pytest.raises(IntegrityError):
        two.application_recorder().insert_events(stored("a-1", 1))
    assert two.application_recorder().insert_events(stored("a-1", 2)) == [2]


# Tracking.


def test_an_append_to_too_many_aggregates_is_an_error_of_its_own() -> None:
    with environment.surroundings():
        table = dynamodb_local.unused_table("recorders")
        env = {"ORIGINATOR_ID_TYPE": "text", **environment.library_environment(table)}
        factory: Any = DynamoFactory(Environment("", env))
        try:
            many = [one for n in range(99) for one in stored(f"a-{n}", 1)]
            with pytest.raises(DataError, match="99 streams"):
                factory.application_recorder().insert_events(many)
        finally:
            factory.close()


def test_events_and_their_tracking_are_stored_together_or_not_at_all(factory: Factory) -> None:
    recorder = factory.process_recorder()
    recorder.insert_events(stored("a-1", 1), tracking=Tracking("up", 5))

    with pytest.raises(IntegrityError, match="up was already followed to 5"):
        recorder.insert_events(stored("a-1", 2), tracking=Tracking("up", 5))
    with pytest.raises(IntegrityError, match="a-1 is at version 1"):
        recorder.insert_events(stored("a-1", 1), tracking=Tracking("up", 6))
    assert recorder.max_tracking_id("up") == 5
    assert recorder.insert_events(stored("a-1", 2), tracking=Tracking("up", 6)) == [2]


# Subscriptions.


def test_a_subscription_goes_on_with_what_others_record(
    open_factory: Opens, factory: Factory
) -> None:
    other = open_factory()
    with factory.application_recorder().subscribe() as subscription:
        for version in (1, 2, 3):
            other.application_recorder().insert_events(stored("a-1", version))
            assert next(subscription).originator_version == version


@define
class Watched:
    """A recorder that notes from where each look at the log starts."""

    inner: Any
    starts: list[int] = field(factory=list)
    looked: Event = field(factory=Event)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def look(self, after: int, *args: Any, **kwargs: Any) -> Look:
        found: Look = self.inner.look(after, *args, **kwargs)
        self.starts.append(after)
        self.looked.set()
        return found


def test_a_subscription_to_a_rare_topic_does_not_look_twice(factory: Factory) -> None:
    recorder = Watched(factory.application_recorder())
    recorder.insert_events(stored("a-1", *range(1, 21), topic="common"))
    watched: Any = recorder
    with LogSubscription(watched, recorder.log.watch, topics=["rare"]) as subscription:
        recorder.looked.wait()
        recorder.insert_events(stored("b-1", 1, topic="rare"))
        assert next(subscription).topic == "rare"
    assert recorder.starts[0] == 0
    assert recorder.starts[-1] in (20, 21)


def test_a_subscription_may_begin_beyond_the_head(factory: Factory) -> None:
    recorder = factory.application_recorder()
    recorder.insert_events(stored("a-1", 1))
    with recorder.subscribe(gt=2) as subscription:
        recorder.insert_events(stored("a-1", 2))
        recorder.insert_events(stored("a-1", 3))
        assert next(subscription).id == 3


# What the library's cases do not ask for.


@pytest.mark.parametrize("first", [0, 1])
def test_aggregates_begin_at_version_zero_or_one(factory: Factory, first: int) -> None:
    recorder = factory.application_recorder()
    recorder.insert_events(stored("a-1", first))
    recorder.insert_events(stored("a-1", first + 1, first + 2))

    for taken in (first, first + 1, first + 2, first + 4):
        with pytest.raises(IntegrityError, match=f"cannot use version {taken}"):
            recorder.insert_events(stored("a-1", taken))
    assert [e.originator_version for e in recorder.select_events("a-1")] == [
        first,
        first + 1,
        first + 2,
    ]


def test_versions_that_overlap_in_part_are_refused_whole(factory: Factory) -> None:
    recorder = factory.application_recorder()
    recorder.insert_events(stored("a-1", 1, 2, 3))

    with pytest.raises(IntegrityError, match="a-1 is at version 3: cannot use version 2"):
        recorder.insert_events([*stored("b-1", 1), *stored("a-1", 2, 3, 4)])
    assert recorder.select_events("b-1") == []
    assert recorder.max_notification_id() == 3


def test_one_aggregate_may_appear_in_turns(factory: Factory) -> None:
    recorder = factory.application_recorder()
    mixed = [*stored("a-1", 1), *stored("b-1", 1), *stored("a-1", 2), *stored("b-1", 2)]

    assert recorder.insert_events(mixed) == [1, 2, 3, 4]
    found = recorder.select_notifications(None, 10)
    assert [(n.originator_id, n.originator_version) for n in found] == [
        ("a-1", 1),
        ("b-1", 1),
        ("a-1", 2),
        ("b-1", 2),
    ]
    assert recorder.select_events("a-1", desc=True, limit=1) == stored("a-1", 2)
    assert recorder.select_events("a-1", gt=1, lte=2) == stored("a-1", 2)

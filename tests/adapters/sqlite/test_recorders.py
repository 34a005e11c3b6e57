"""What our recorders promise beyond the library's own cases."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import Any
from uuid import uuid4

import apsw
import pytest
from eventsourcing.persistence import (
    IntegrityError,
    Notification,
    OperationalError,
    StoredEvent,
    Tracking,
)
from eventsourcing.utils import Environment

from adapters.sqlite.log import SqliteLog
from adapters.sqlite.persistence import Factory
from adapters.sqlite.persistence.recorders import SqliteApplicationRecorder


@pytest.fixture
def factory(tmp_path: Path) -> Iterator[Factory]:
    factory = open_factory(tmp_path)
    yield factory
    factory.close()


def open_factory(folder: Path, name: str = "", **more: str) -> Factory:
    env = {"SQLITE_DBNAME": str(folder / "log.db"), "ORIGINATOR_ID_TYPE": "text", **more}
    return Factory(Environment(name, env))


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


def test_snapshots_are_apart_from_events_and_other_purposes(factory: Factory) -> None:
    factory.aggregate_recorder("snapshots").insert_events(stored("a-1", 5))

    assert factory.aggregate_recorder().select_events("a-1") == []
    assert factory.aggregate_recorder("drafts").select_events("a-1") == []


def test_ids_of_the_library_are_uuids_unless_told_otherwise(tmp_path: Path) -> None:
    factory = open_factory(tmp_path, ORIGINATOR_ID_TYPE="uuid")
    recorder, originator = factory.application_recorder(), uuid4()
    event = StoredEvent(originator, 1, "topic", b"state")
    recorder.insert_events([event])

    assert recorder.select_events(originator) == [event]
    assert recorder.select_notifications(None, 10)[0].originator_id == originator
    factory.close()


# Applications in one file.


def test_applications_of_different_names_do_not_meet(tmp_path: Path) -> None:
    one, two = open_factory(tmp_path, "One"), open_factory(tmp_path, "Two")
    for factory in (one, two):
        factory.process_recorder().insert_events(stored("a-1", 1), tracking=Tracking("up", 3))
        factory.aggregate_recorder("snapshots").insert_events(stored("a-1", 1))

    assert one.application_recorder().max_notification_id() == 1
    assert two.process_recorder().max_tracking_id("up") == 3
    one.close()
    two.close()


def test_factories_of_one_name_share_a_log(tmp_path: Path) -> None:
    one, two = open_factory(tmp_path, "App"), open_factory(tmp_path, "App")
    one.application_recorder().insert_events(stored("a-1", 1))

    with pytest.raises(IntegrityError):
        two.application_recorder().insert_events(stored("a-1", 1))
    assert two.application_recorder().insert_events(stored("a-1", 2)) == [2]
    one.close()
    two.close()


# Tracking.


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


def test_a_subscription_goes_on_with_what_others_record(tmp_path: Path, factory: Factory) -> None:
    other = open_factory(tmp_path)
    with factory.application_recorder().subscribe() as subscription:
        for version in (1, 2, 3):
            other.application_recorder().insert_events(stored("a-1", version))
            assert next(subscription).originator_version == version
    other.close()


class Watched(SqliteApplicationRecorder):
    """Notes from where each look at the log starts."""

    def __init__(self, log: SqliteLog) -> None:
        super().__init__(log, "text")
        self.starts: list[int | None] = []
        self.looked = Event()

    def select_notifications(
        self, start: int | None, *args: Any, **kwargs: Any
    ) -> Sequence[Notification]:
        found = super().select_notifications(start, *args, **kwargs)
        self.starts.append(start)
        self.looked.set()
        return found


def test_a_subscription_to_a_rare_topic_does_not_look_twice(factory: Factory) -> None:
    recorder = Watched(SqliteLog(factory.database))
    recorder.insert_events(stored("a-1", *range(1, 21), topic="common"))
    with recorder.subscribe(topics=["rare"]) as subscription:
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


# Trouble.


def test_a_locked_file_is_an_operational_error(tmp_path: Path) -> None:
    factory = open_factory(tmp_path, SQLITE_LOCK_TIMEOUT="0.01")
    recorder = factory.application_recorder()
    other = apsw.Connection(str(tmp_path / "log.db"))
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(OperationalError, match="locked"):
        recorder.insert_events(stored("a-1", 1))
    other.close()
    recorder.insert_events(stored("a-1", 1))
    factory.close()


def test_a_closed_factory_is_an_operational_error(factory: Factory) -> None:
    recorder = factory.process_recorder()
    factory.close()

    with pytest.raises(OperationalError, match="closed"):
        recorder.insert_events(stored("a-1", 1))
    with pytest.raises(OperationalError, match="closed"):
        recorder.select_notifications(None, 10)
    with pytest.raises(OperationalError, match="closed"):
        recorder.insert_tracking(Tracking("up", 1))


def test_tables_that_must_exist_and_do_not_are_an_operational_error(tmp_path: Path) -> None:
    factory = open_factory(tmp_path, CREATE_TABLE="no")
    for make in (factory.application_recorder, factory.tracking_recorder):
        with pytest.raises(OperationalError, match="have not been created"):
            make()
    factory.close()


# The environment.


def test_a_database_must_be_named() -> None:
    with pytest.raises(OSError, match="APP_SQLITE_DBNAME, SQLITE_DBNAME"):
        Factory(Environment("App"))


@pytest.mark.parametrize(
    ("key", "value"), [("SQLITE_LOCK_TIMEOUT", "soon"), ("ORIGINATOR_ID_TYPE", "number")]
)
def test_values_that_make_no_sense_are_refused(tmp_path: Path, key: str, value: str) -> None:
    with pytest.raises(OSError, match=f"{key} must be .*{value}"):
        open_factory(tmp_path, **{key: value})


def test_a_recorder_class_must_be_one_of_ours(tmp_path: Path) -> None:
    factory = open_factory(
        tmp_path, APPLICATION_RECORDER_TOPIC="eventsourcing.popo:POPOApplicationRecorder"
    )
    with pytest.raises(TypeError, match="must name a SqliteApplicationRecorder"):
        factory.application_recorder()
    factory.close()

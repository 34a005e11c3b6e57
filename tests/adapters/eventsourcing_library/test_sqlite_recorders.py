"""What our recorders promise beyond the library's own cases."""

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from eventsourcing.persistence import (
    OperationalError,
    StoredEvent,
    Tracking,
)
from eventsourcing.utils import Environment

from adapters.eventsourcing_library.sqlite import Factory


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

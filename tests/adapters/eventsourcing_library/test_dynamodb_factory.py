"""How the library's factory is configured, and what it says when that does not work."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from eventsourcing.persistence import IntegrityError, OperationalError, StoredEvent, Tracking
from eventsourcing.utils import Environment

from adapters.eventsourcing_library.dynamodb import Factory
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.dynamodb.support import environment as aws


@pytest.fixture(autouse=True)
def only_dynamodb_local() -> Iterator[None]:
    with aws.surroundings():
        yield


def environment(name: str = "", **more: str) -> Environment:
    return Environment(
        name, aws.library_environment(dynamodb_local.unused_table("factory"), **more)
    )


def stored(version: int, size: int = 1) -> StoredEvent:
    return StoredEvent("a-1", version, "topic", bytes(size))


def test_a_table_must_be_named() -> None:
    with pytest.raises(OSError, match="no table is named: set one of APP_DYNAMODB_TABLE, DYNAMO"):
        Factory(Environment("App"))


def test_a_table_that_must_exist_and_does_not_is_an_operational_error() -> None:
    with pytest.raises(OperationalError, match="does not exist"):
        Factory(environment(CREATE_TABLE="no"))


def test_an_endpoint_that_is_none_is_an_operational_error() -> None:
    with pytest.raises(OperationalError, match="nonsense"):
        Factory(environment(DYNAMODB_ENDPOINT_URL="nonsense"))


def test_a_closed_factory_is_an_operational_error() -> None:
    factory = Factory(environment(ORIGINATOR_ID_TYPE="text"))
    recorder = factory.process_recorder()
    factory.close()
    factory.close()

    with pytest.raises(OperationalError, match="closed"):
        recorder.insert_events([stored(1)])
    with pytest.raises(OperationalError, match="closed"):
        recorder.select_notifications(None, 10)
    with pytest.raises(OperationalError, match="closed"):
        recorder.insert_tracking(Tracking("up", 1))


def test_a_recorder_class_must_be_one_of_ours() -> None:
    topic = "eventsourcing.popo:POPOApplicationRecorder"
    with (
        closing(Factory(environment(APPLICATION_RECORDER_TOPIC=topic))) as factory,
        pytest.raises(TypeError, match="must name a DynamoApplicationRecorder"),
    ):
        factory.application_recorder()


def test_events_of_a_megabyte_are_stored_or_refused_whole() -> None:
    with closing(Factory(environment(ORIGINATOR_ID_TYPE="text"))) as factory:
        recorder = factory.application_recorder()
        assert recorder.insert_events([stored(n, 250_000) for n in range(1, 5)]) == [1, 2, 3, 4]
        with pytest.raises(IntegrityError):
            recorder.insert_events([stored(n, 250_000) for n in range(4, 8)])
        assert recorder.max_notification_id() == 4
        assert [len(e.state) for e in recorder.select_events("a-1", gt=2)] == [250_000] * 2

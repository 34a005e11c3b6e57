"""The eventsourcing library's own cases for recorders and factories, on the DynamoDB log."""

from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest
from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    ProcessRecorder,
    TrackingRecorder,
)
from eventsourcing.tests import persistence as library
from eventsourcing.utils import Environment

from adapters.eventsourcing_library.dynamodb import Factory
from adapters.eventsourcing_library.dynamodb.recorders import (
    DynamoAggregateRecorder,
    DynamoApplicationRecorder,
)
from adapters.eventsourcing_library.dynamodb.tracking import (
    DynamoProcessRecorder,
    DynamoTrackingRecorder,
)
from tests.adapters.dynamodb.support import dynamodb_local, environment


@pytest.fixture(autouse=True, scope="module")
def only_dynamodb_local() -> Iterator[None]:
    with environment.surroundings():
        yield


class Recorders:
    """A factory on a table of its own for every test."""

    ids = "uuid"

    def setUp(self) -> None:
        table = dynamodb_local.unused_table("library")
        self.factory = Factory(environment.library_environment(table, ORIGINATOR_ID_TYPE=self.ids))
        self.addCleanup(self.factory.close)  # type: ignore[attr-defined]


class TestAggregateRecorder(Recorders, library.AggregateRecorderTestCase):
    def create_recorder(self) -> AggregateRecorder:
        return self.factory.aggregate_recorder()


class TestSnapshotRecorder(Recorders, library.AggregateRecorderTestCase):
    def create_recorder(self) -> AggregateRecorder:
        return self.factory.aggregate_recorder("snapshots")


class TestApplicationRecorder(Recorders, library.ApplicationRecorderTestCase):
    def create_recorder(self) -> ApplicationRecorder:
        return self.factory.application_recorder()

    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()


class TestApplicationRecorderWithTextIds(TestApplicationRecorder):
    ids = "text"

    def new_originator_id(self) -> UUID | str:
        return f"thing-{uuid4()}"


class TestTrackingRecorder(Recorders, library.TrackingRecorderTestCase):
    def create_recorder(self) -> TrackingRecorder:
        return self.factory.tracking_recorder()


class TestProcessRecorder(Recorders, library.ProcessRecorderTestCase):
    def create_recorder(self) -> ProcessRecorder:
        return self.factory.process_recorder()


class TestNonInterleaving(Recorders, library.NonInterleavingNotificationIDsBaseCase):
    def create_recorder(self) -> ApplicationRecorder:
        return self.factory.application_recorder()


class MyTrackingRecorder(DynamoTrackingRecorder):
    pass


class TestFactory(library.InfrastructureFactoryTestCase[Factory]):
    def setUp(self) -> None:
        table = dynamodb_local.unused_table("library")
        self.env = Environment(name="TestCase", env=environment.library_environment(table))
        super().setUp()

    def tearDown(self) -> None:
        self.factory.close()
        super().tearDown()

    def expected_factory_class(self) -> type[Factory]:
        return Factory

    def expected_aggregate_recorder_class(self) -> type[AggregateRecorder]:
        return DynamoAggregateRecorder

    def expected_application_recorder_class(self) -> type[ApplicationRecorder]:
        return DynamoApplicationRecorder

    def expected_tracking_recorder_class(self) -> type[TrackingRecorder]:
        return DynamoTrackingRecorder

    def tracking_recorder_subclass(self) -> type[TrackingRecorder]:
        return MyTrackingRecorder

    def expected_process_recorder_class(self) -> type[ProcessRecorder]:
        return DynamoProcessRecorder

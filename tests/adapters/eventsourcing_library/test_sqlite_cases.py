"""The eventsourcing library's own cases for recorders and factories, on ours."""

from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID, uuid4

from eventsourcing.persistence import (
    AggregateRecorder,
    ApplicationRecorder,
    ProcessRecorder,
    TrackingRecorder,
)
from eventsourcing.tests import persistence as library
from eventsourcing.utils import Environment

from adapters.eventsourcing_library.sqlite import Factory
from adapters.eventsourcing_library.sqlite.recorders import (
    SqliteAggregateRecorder,
    SqliteApplicationRecorder,
)
from adapters.eventsourcing_library.sqlite.tracking import (
    SqliteProcessRecorder,
    SqliteTrackingRecorder,
)


class Recorders:
    """A factory on a file of its own for every test."""

    ids = "uuid"

    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)  # type: ignore[attr-defined]
        self.factory = Factory(
            {
                "SQLITE_DBNAME": str(Path(folder.name) / "log.db"),
                "ORIGINATOR_ID_TYPE": self.ids,
            }
        )
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


class TestApplicationRecorderInMemory(library.ApplicationRecorderTestCase):
    def setUp(self) -> None:
        self.factory = Factory({"SQLITE_DBNAME": ":memory:"})
        self.addCleanup(self.factory.close)

    def create_recorder(self) -> ApplicationRecorder:
        return self.factory.application_recorder()

    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()


class TestTrackingRecorder(Recorders, library.TrackingRecorderTestCase):
    def create_recorder(self) -> TrackingRecorder:
        return self.factory.tracking_recorder()


class TestProcessRecorder(Recorders, library.ProcessRecorderTestCase):
    def create_recorder(self) -> ProcessRecorder:
        return self.factory.process_recorder()


class TestNonInterleaving(Recorders, library.NonInterleavingNotificationIDsBaseCase):
    def create_recorder(self) -> ApplicationRecorder:
        return self.factory.application_recorder()


class MyTrackingRecorder(SqliteTrackingRecorder):
    pass


class TestFactory(library.InfrastructureFactoryTestCase[Factory]):
    def setUp(self) -> None:
        self.env = Environment(
            name="TestCase",
            env={
                "PERSISTENCE_MODULE": "adapters.eventsourcing_library.sqlite",
                "SQLITE_DBNAME": ":memory:",
            },
        )
        super().setUp()

    def expected_factory_class(self) -> type[Factory]:
        return Factory

    def expected_aggregate_recorder_class(self) -> type[AggregateRecorder]:
        return SqliteAggregateRecorder

    def expected_application_recorder_class(self) -> type[ApplicationRecorder]:
        return SqliteApplicationRecorder

    def expected_tracking_recorder_class(self) -> type[TrackingRecorder]:
        return SqliteTrackingRecorder

    def tracking_recorder_subclass(self) -> type[TrackingRecorder]:
        return MyTrackingRecorder

    def expected_process_recorder_class(self) -> type[ProcessRecorder]:
        return SqliteProcessRecorder

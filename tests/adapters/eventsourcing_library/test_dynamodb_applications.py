"""The eventsourcing library's own cases for applications and projections, on the DynamoDB log.

Left out are those that need tags: the library's dynamic consistency boundaries are not supported.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from eventsourcing.persistence import Tracking
from eventsourcing.tests import application as applications
from eventsourcing.tests import projection as projections
from eventsourcing.tests.projection import EventCountersView
from eventsourcing.utils import get_topic

from adapters.dynamodb.items.typed_values import Key, int_of, number
from adapters.eventsourcing_library.dynamodb import Factory
from adapters.eventsourcing_library.dynamodb.tracking import DynamoTrackingRecorder
from tests.adapters.dynamodb.support import dynamodb_local, environment


@pytest.fixture(autouse=True)
def closed_in_the_end(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The library's cases leave their applications open, each of them on a table of its own."""
    opened: list[Factory] = []
    made = Factory.__init__

    def noted(self: Factory, env: Any) -> None:
        made(self, env)
        opened.append(self)

    with environment.surroundings():
        monkeypatch.setattr(Factory, "__init__", noted)
        for name, value in environment.library_environment(
            dynamodb_local.unused_table("library")
        ).items():
            monkeypatch.setenv(name, value)
        yield
        for factory in opened:
            factory.close()


@pytest.mark.filterwarnings("default::DeprecationWarning")
class TestApplication(applications.ApplicationTestCase):
    pass


class TestExampleApplication(applications.ExampleApplicationTestCase):
    expected_factory_topic = get_topic(Factory)


CREATED, SUBSEQUENT = "created", "subsequent"


class Counters(DynamoTrackingRecorder, EventCountersView):
    """Counts in items of its own, in the transaction that tracks the position."""

    def get_created_event_counter(self) -> int:
        return self._count(CREATED)

    def get_subsequent_event_counter(self) -> int:
        return self._count(SUBSEQUENT)

    def incr_created_event_counter(self, tracking: Tracking) -> None:
        self._increment(CREATED, tracking)

    def incr_subsequent_event_counter(self, tracking: Tracking) -> None:
        self._increment(SUBSEQUENT, tracking)

    def _key(self, name: str) -> Key:
        return Key(f"counter#{self.trackings.items.keys.app}#{name}", 0)

    def _count(self, name: str) -> int:
        item = self.trackings.thread.run(self.trackings.items.table.get(self._key(name)))
        return 0 if item is None else int_of(item, "n")

    def _increment(self, name: str, tracking: Tracking) -> None:
        add = {
            "TableName": self.trackings.items.table.name,
            "Key": self._key(name).item(),
            "UpdateExpression": "ADD n :one",
            "ExpressionAttributeValues": {":one": number(1)},
        }
        self.insert_tracking(tracking, [{"Update": add}])


class TestEventCountersView(projections.EventCountersViewTestCase):
    def construct_event_counters_view(self) -> EventCountersView:
        factory = Factory(environment.library_environment(dynamodb_local.unused_table("library")))
        view = factory.tracking_recorder(Counters)
        assert isinstance(view, Counters)
        return view


class TestEventCountersProjection(projections.AggregateEventCountersProjectionTestCase):
    view_class = Counters


class TestEventSourcedProjection(projections.EventSourcedProjectionTestCase):
    pass

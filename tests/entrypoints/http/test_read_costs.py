"""What a read costs on DynamoDB, in calls."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from attrs import define, evolve
from dependency_injector import providers

from adapters.dynamodb.log.log import DynamoLog
from adapters.dynamodb.log.opening import table_at
from adapters.dynamodb.transport.capacity_meter import CapacityMeter
from adapters.eventstore.log import Append, NewEvent
from application.reads.position import Position
from domain.timestamps import stamp
from entrypoints.container import Container
from entrypoints.wiring.locations import log_location
from tests.entrypoints.http.api import ORDERS, Api, problem, serving, update
from tests.entrypoints.http.validation.test_models import DATASET, SIGNAL, asking, done

READS = 30
EVENTS = 100
MOST_CALLS = (16, 12, 8)
"""For the first moment ever asked about, another one, and the first one again."""
SECOND = timedelta(seconds=1)


@define
class Metered:
    """Counts the calls of a container to DynamoDB."""

    meter: CapacityMeter | None = None

    def __call__(self, container: Container) -> None:
        table = table_at(log_location(container.settings()))
        self.meter = CapacityMeter(table.transport)
        metered = evolve(table, transport=self.meter)
        log = providers.Singleton(DynamoLog, metered, now=container.clock.provided.now)
        container.log.override(log)

    def reset(self) -> None:
        assert self.meter
        self.meter.reset()

    def calls(self, table: str) -> int:
        assert self.meter
        used = self.meter.snapshot()
        return sum(usage.calls for (name, _), usage in used.items() if name.endswith(table))


@pytest.fixture
def metered() -> Metered:
    return Metered()


@pytest.fixture
def api(metered: Metered) -> Iterator[Api]:
    uncached = {"STATESTORE_READ_WAIT_SECONDS": "0", "STATESTORE_LOCAL_CACHE_ENTRIES": "0"}
    with serving("dynamodb", metered, **uncached) as served:
        served.registered()
        done(served.put(SIGNAL, update(1)))
        done(served.get(asking(SIGNAL, consistency="strong")))
        served.stop_projecting()
        served.loop.run(served.container.runner().catch_up())
        metered.reset()
        yield served


def test_a_read_does_not_look_for_the_end_of_the_log(api: Api, metered: Metered) -> None:
    for _ in range(READS):
        done(api.get(SIGNAL))
    assert metered.calls("signal-state") == READS
    # Nobody follows the log here, so it is looked for now and then.
    assert metered.calls("event-log") < READS / 3


def test_many_signals_take_a_call_for_each_hundred(api: Api, metered: Metered) -> None:
    """S0-212"""
    names = [{"dataset_urn": ORDERS, "signal_type": f"CUSTOM_{n}"} for n in range(249)]
    mine = {"dataset_urn": ORDERS, "signal_type": SIGNAL.rpartition("/")[2]}
    found = done(api.post("/api/v1/signals/lookup", {"signals": [*names, mine]})).json()
    assert found["signals"][-1]["version"] == 1
    assert metered.calls("signal-state") == 3


def test_many_policies_take_a_call_for_each_hundred(api: Api, metered: Metered) -> None:
    """S0-216: only which they are is read, where the caller has the answers."""
    names = [
        {"dataset_urn": f"urn:dp:orders:d{n}:v1", "known_etag": "0-300-warn"} for n in range(99)
    ]
    mine = {"dataset_urn": ORDERS, "known_etag": "1-300-warn"}
    for known, calls in ((mine, 1), ({**mine, "known_etag": "stale"}, 2)):
        metered.reset()
        told = done(api.post("/api/v1/policies/lookup", {"policies": [*names, known]})).json()
        assert sum("not_modified" in one for one in told["policies"]) == 101 - calls
        assert metered.calls("dataset-registry") == calls


def test_a_position_that_was_not_heard_of_is_looked_for(api: Api) -> None:
    log = api.container.log()
    elsewhere = DynamoLog(log.table)
    api.loop.run(elsewhere.open())
    last = api.loop.run(elsewhere.append(Append([NewEvent("x-1", 1, "x", b"")]))).last
    api.loop.run(elsewhere.close())
    assert log.head_now() < last

    answer = api.get(asking(SIGNAL, min_position=Position(last).token()))

    assert problem(answer)["code"] == "POSITION_NOT_REACHED"
    beyond = api.get(asking(DATASET, min_position=Position(last + 1).token()))
    assert beyond.status_code == 422


def test_the_past_takes_few_calls_and_fewer_the_second_time(api: Api, metered: Metered) -> None:
    for window in range(2, EVENTS):
        api.clock.at += SECOND
        done(api.put(SIGNAL, update(window)))
    then, end = api.clock.at - EVENTS / 3 * SECOND, api.clock.at
    api.clock.at = end + SECOND
    api.loop.run(api.container.runner().catch_up())
    taken = []
    for moment in (then, then + 30 * SECOND, then):
        metered.reset()
        done(api.get(asking(SIGNAL, as_of=stamp(moment))))
        taken.append(metered.calls(""))
    assert all(calls <= most for calls, most in zip(taken, MOST_CALLS, strict=True)), taken

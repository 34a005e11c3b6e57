"""What callers are shown while DynamoDB shows nothing yet to those it need not (S0-009)."""

from collections.abc import Iterator

import pytest
from dependency_injector import providers

from adapters.dynamodb.rows.engine import DynamoEngine
from entrypoints.container import Container
from tests.adapters.dynamodb.support.stale_reads import StaleReads
from tests.entrypoints.http.api import ORDERS, OTHER_TOKEN, Api, serving, update
from tests.entrypoints.http.validation.test_models import (
    DATASET,
    READS,
    SIGNAL,
    asking,
    done,
    peopled,
)

JOE = {"Authorization": f"Bearer {OTHER_TOKEN}"}
RULES = f"{DATASET}/resolution-rules"


def stale_tables(container: Container) -> None:
    """Only rows are stale: that the log is not is a matter of its own."""
    transport = providers.Singleton(StaleReads, container.log.provided.table.transport)
    engine = providers.Singleton(DynamoEngine, transport, container.row_tables)
    container.bare_tables.override(engine)


@pytest.fixture
def api() -> Iterator[Api]:
    with serving("dynamodb", stale_tables, STATESTORE_LOCAL_CACHE_ENTRIES="0") as served:
        yield served


def test_whoever_wrote_it_is_shown_it(api: Api) -> None:
    peopled(api)
    for path in READS:
        done(api.get(path))
    assert len(api.get(f"{DATASET}/signals").json()["signals"]) == 1
    assert api.get(RULES).json()["rules"] != []
    asked = {"topic": "a", "payload": {}}
    assert api.post("/api/v1/resolve", asked).json()["dataset_urn"] == ORDERS


def test_whoever_names_a_position_is_shown_it(api: Api) -> None:
    peopled(api)
    token = done(api.put(SIGNAL, update(1, "OK"))).headers["statestore-position"]
    assert api.get(SIGNAL, headers=JOE).status_code == 404
    shown = done(api.get(asking(SIGNAL, min_position=token), headers=JOE))
    assert shown.json()["state"] == "OK"
    done(api.get(asking(f"{DATASET}/health", min_position=token), headers=JOE))


def test_the_past_is_found_in_a_directory_that_is_read_strongly(api: Api) -> None:
    peopled(api)
    then = api.clock.at.isoformat().replace("+00:00", "Z")
    told = done(api.get(asking(f"{DATASET}/signals", as_of=then), headers=JOE)).json()
    assert len(told["signals"]) == 1

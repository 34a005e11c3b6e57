"""However many rows a list has, what belongs to them costs as many reads as there are kinds."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import define
from dependency_injector import providers

from entrypoints.container import Container
from tests.application.replaced_readers import around
from tests.entrypoints.graphql.schema_client import Schema
from tests.entrypoints.http.api import Api, serving, update
from tests.entrypoints.http.validation.test_models import done

ROWS = 100
DASHBOARD = """query($limit: Int) {
  criticalSignals(limit: $limit) {
    datasetUrn
    dataset { datasetUrn displayName }
    incident { incidentId primaryDatasetUrn }
  }
}"""
INCIDENTS = """{
  activeIncidents {
    incidentId
    primaryDatasetUrn
    dataset { datasetUrn }
    relatedSignals { state datasetUrn dataset { datasetUrn } incident { incidentId } }
  }
}"""


@define
class Counted:
    """A read model that notes what it is asked."""

    model: Any
    asked: Counter[str]

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.model, name)

        async def counted(*args: Any, **more: Any) -> Any:
            self.asked[f"{type(self.model).__name__}.{name}"] += 1
            return await method(*args, **more)

        return counted


@define
class Costs:
    """A schema, and what its questions ask of the read models."""

    schema: Schema
    asked: Counter[str]

    def of(self, query: str, **variables: Any) -> tuple[Any, dict[str, int]]:
        """What is told, and what it took."""
        self.asked.clear()
        return self.schema.told(query, **variables), dict(self.asked)


def urn(number: int) -> str:
    return f"urn:dp:orders:table_{number:03}:v1"


def in_breach(api: Api, number: int) -> None:
    """A dataset with a critical signal and an incident."""
    path = api.registered(dataset_urn=urn(number))
    done(api.put(f"{path}/signals/CONTRACT_COMPLIANCE", update(0, "CRITICAL")))
    incident = {
        "incident_id": f"INC-{number}",
        "primary_dataset_urn": urn(number),
        "signal_types": ["CONTRACT_COMPLIANCE"],
        "failure_signatures": ["MISSING_FIELD:customer_id"],
        "severity": "SEV_1",
    }
    done(api.post("/api/v1/incidents", incident))


@pytest.fixture(scope="module")
def costs() -> Iterator[Costs]:
    asked = Counter[str]()
    with serving("memory", lambda container: _count(container, asked)) as api:
        for number in range(ROWS):
            in_breach(api, number)
        api.loop.run(api.container.runner().catch_up())
        yield Costs(Schema(api), asked)


def _count(container: Container, asked: Counter[str]) -> None:
    """Before the use cases are built: they hold the reads."""
    names = ("signals", "incidents", "datasets", "lineage")
    counted = dict.fromkeys(names, lambda model: Counted(model, asked))
    container.reads.override(providers.Object(around(container.reads(), counted)))


@pytest.mark.parametrize("rows", [1, 7, ROWS])
def test_a_dashboard_takes_three_reads(costs: Costs, rows: int) -> None:
    """S0-182"""
    told, asked = costs.of(DASHBOARD, limit=rows)
    assert [row["datasetUrn"] for row in told] == [urn(number) for number in range(rows)]
    assert all(row["dataset"]["datasetUrn"] == row["datasetUrn"] for row in told)
    assert all(row["incident"]["primaryDatasetUrn"] == row["datasetUrn"] for row in told)
    assert asked == {
        "TableSignals.not_ok": 1,
        "TableDatasets.find_many": 1,
        "TableIncidents.find_many": 1,
    }


def test_what_belongs_to_what_belongs_is_read_once(costs: Costs) -> None:
    """S0-184"""
    told, asked = costs.of(INCIDENTS)
    assert len(told) == ROWS
    for row in told:
        (signal,) = row["relatedSignals"]
        assert signal["datasetUrn"] == row["dataset"]["datasetUrn"] == row["primaryDatasetUrn"]
        assert signal["dataset"] == row["dataset"]
        assert signal["incident"] == {"incidentId": row["incidentId"]}
    assert asked == {
        "TableIncidents.matching": 1,
        "TableDatasets.find_many": 1,
        "TableSignals.find_many": 1,
        "TableIncidents.find_many": 1,
    }


def test_questions_in_one_document_share_what_they_read(costs: Costs) -> None:
    twice = "{ a: criticalSignals { dataset { tier } } b: criticalSignals { dataset { tier } } }"
    told, asked = costs.of(twice)
    assert told["a"] == told["b"]
    assert asked == {"TableSignals.not_ok": 2, "TableDatasets.find_many": 1}


def test_a_request_does_not_see_what_another_one_read(costs: Costs) -> None:
    for _ in range(2):
        _, asked = costs.of("{ criticalSignals(limit: 1) { dataset { tier } } }")
        assert asked["TableDatasets.find_many"] == 1

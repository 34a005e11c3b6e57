"""
Whatever fits the API's description, and whatever does not, is answered as the description says.

Schemathesis makes up the requests. They are asked on datasets that exist and on any others.
"""

import copy
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode, checks

from entrypoints.http.description import examples
from tests.entrypoints.http.api import TOKEN, Api, serving
from tests.support.scale import scaled

EXAMPLES = scaled(8, 150)

OPERATIONS = (
    "listDatasets",
    "registerDataset",
    "getDataset",
    "updateDataset",
    "retireDataset",
    "restoreDataset",
    "listDatasetVersions",
    "listResolutionRules",
    "addResolutionRule",
    "getResolutionRule",
    "updateResolutionRule",
    "removeResolutionRule",
    "resolveDataset",
    "updateSignal",
    "getSignal",
    "getDatasetSignals",
    "getDatasetHealth",
    "getSignalHistory",
    "updateSignals",
    "listSignals",
    "lookupSignals",
    "getPolicy",
    "lookupPolicies",
    "declareLineage",
    "listDatasetWriters",
    "listDatasetReaders",
    "listColumnWriters",
    "listColumnReaders",
    "getDatasetImpact",
    "openIncident",
    "listIncidents",
    "getIncident",
    "updateIncident",
    "reopenIncident",
    "snoozeIncident",
    "endSnooze",
    "mergeIncident",
    "splitIncident",
    "getIncidentTimeline",
    "getIncidentImpact",
    "putEvidence",
    "getEvidence",
    "lookupEvidence",
    "listEvidence",
    "streamEvents",
    "listDeadLetters",
    "getDeadLetter",
    "resendDeadLetter",
    "dropDeadLetter",
    "erasePerson",
    "listQuarantinedFacts",
    "listProjections",
    "rebuildProjections",
    "verifyProjections",
    "getIncidentContext",
    "getEvidenceArchive",
    "rebuildEvidence",
    "verifyEvidence",
    "compactEvidence",
    "purgeEvidence",
    "getCaches",
    "clearCaches",
    "getLiveness",
    "getReadiness",
    "getHealth",
)

CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]

KNOWN = {
    "urn": examples.DATASET,
    "signal_type": "CONTRACT_COMPLIANCE",
    "name": "by-event-type",
    "spec_id": examples.SPEC,
    "column_urn": examples.COLUMN,
    "incident_id": "INC-7721",
    "evidence_id": examples.EVIDENCE["evidence_id"],
}


@pytest.fixture(scope="module")
def peopled() -> Iterator[Api]:
    """A store that has a dataset with rules, a signal, lineage and an incident."""
    with serving() as api:
        path = f"/api/v1/datasets/{examples.DATASET}"
        api.post("/api/v1/datasets", examples.CREATE_DATASET)
        api.post(f"{path}/resolution-rules", examples.CONDITIONAL_RULE)
        api.put(f"{path}/signals/CONTRACT_COMPLIANCE", examples.SIGNAL_UPDATE)
        api.put(f"/api/v1/lineage/specs/{examples.SPEC}", examples.LINEAGE_SPEC)
        api.post("/api/v1/incidents", examples.OPEN_INCIDENT)
        api.post("/api/v1/evidence", examples.EVIDENCE)
        api.container.event_streams().end()  # so that an answer without an end has one
        yield api


@pytest.fixture(scope="module")
def described(peopled: Api) -> Any:
    return schemathesis.openapi.from_dict(_open(peopled))


def test_every_operation_is_asked(api: Api) -> None:
    paths = api.app.openapi()["paths"].values()
    described = {one["operationId"] for path in paths for one in path.values()}
    assert described == set(OPERATIONS)


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("name", OPERATIONS)
def test_answers_are_as_described(
    peopled: Api, described: Any, name: str, mode: GenerationMode
) -> None:
    operation = described.find_operation_by_id(name)
    known = {one: KNOWN[one] for one in KNOWN if f"{{{one}}}" in operation.path}
    for path_parameters in (known, None) if known else (None,):
        if mode is GenerationMode.NEGATIVE and _has_nothing_to_negate(operation, path_parameters):
            continue
        # What is wrong with one item of a batch is told within a success.
        strict = (
            [] if name in ("updateSignals", "putEvidence") else [checks.negative_data_rejection]
        )
        cases = operation.as_strategy(mode, path_parameters=path_parameters)
        _ask_all(peopled, cases, [*CHECKS, *strict])


def _open(api: Api) -> dict[str, Any]:
    """The description without tokens, which are always sent, and ids, which are never refused."""
    described = copy.deepcopy(api.app.openapi())
    for operations in described["paths"].values():
        for operation in operations.values():
            operation.pop("security", None)
            told = operation.get("parameters", [])
            operation["parameters"] = [one for one in told if one["name"] != "X-Request-Id"]
    return described


def _has_nothing_to_negate(operation: Any, path_parameters: Any) -> bool:
    given = operation.path_parameters if path_parameters is None else ()
    return not (operation.body or operation.query or operation.headers or given)


def _ask_all(api: Api, cases: Any, then: list[Any]) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases)
    def ask(case: Case[Any]) -> None:
        case.validate_response(_asked(api, case), checks=then)

    ask()


def _asked(api: Api, case: Case[Any]) -> httpx.Response:
    sent = case.as_transport_kwargs(base_url="http://statestore.test")
    headers = {**sent["headers"], "Authorization": f"Bearer {TOKEN}"}
    return api.ask(
        sent["method"],
        sent["url"],
        params=sent.get("params"),
        json=sent.get("json"),
        content=sent.get("data"),
        headers={name: value.encode("latin-1", "replace") for name, value in headers.items()},
    )

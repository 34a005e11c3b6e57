"""The API's description is complete, and its page needs nothing from elsewhere (S0-146, S0-167)."""

import json
import re
from typing import Any

import pytest

from entrypoints.http.description import examples
from tests.entrypoints.http.api import Api

SCHEMAS = (
    "DatasetConfig",
    "DatasetListResponse",
    "CreateDatasetRequest",
    "UpdateDatasetRequest",
    "SchemaBinding",
    "ContractBinding",
    "SLOConfig",
)


@pytest.fixture
def described(api: Api) -> dict[str, Any]:
    answer: dict[str, Any] = api.get("/openapi.json").json()
    return answer


def test_title_version_and_schemas(described: dict[str, Any]) -> None:
    assert described["info"]["title"] == "Data Observability State Store API"
    assert described["info"]["version"] == "1.0.0"
    assert set(SCHEMAS) <= described["components"]["schemas"].keys()


def test_every_operation_is_described(described: dict[str, Any]) -> None:
    operations = [
        (path, operation)
        for path, methods in described["paths"].items()
        for operation in methods.values()
    ]
    names = [operation["operationId"] for _, operation in operations]
    assert len(set(names)) == len(names) == 65
    for path, operation in operations:
        assert operation["summary"]
        assert ("security" in operation) == path.startswith("/api/v1")
        if path.startswith("/api/v1"):
            assert {"401", "403", "422", "500", "503"} <= operation["responses"].keys()
        if "requestBody" in operation:
            assert {"400", "413", "415"} <= operation["responses"].keys()


def test_every_reference_leads_somewhere(described: dict[str, Any]) -> None:
    known = {f"#/components/schemas/{name}" for name in described["components"]["schemas"]}
    assert set(re.findall(r'"\$ref": ?"([^"]+)"', _text(described))) <= known
    assert "HTTPValidationError" not in _text(described)


def _text(described: dict[str, Any]) -> str:
    return json.dumps(described)


def test_examples_work_as_they_are(api: Api) -> None:
    assert api.post("/api/v1/datasets", examples.CREATE_DATASET).status_code == 201
    path = f"/api/v1/datasets/{examples.DATASET}"
    assert api.put(path, examples.UPDATE_DATASET).status_code == 200
    assert api.post(f"{path}/resolution-rules", examples.RULE).status_code == 201
    assert api.post(f"{path}/resolution-rules", examples.CONDITIONAL_RULE).status_code == 201
    assert api.post("/api/v1/resolve", examples.RESOLVE).json()["registered"]
    signal = f"{path}/signals/CONTRACT_COMPLIANCE"
    assert api.put(signal, examples.SIGNAL_UPDATE).status_code == 200
    batch = api.post("/api/v1/signals/batch", examples.SIGNAL_BATCH)
    assert batch.json()["success_count"] == 1
    spec = api.put(f"/api/v1/lineage/specs/{examples.SPEC}", examples.LINEAGE_SPEC)
    assert spec.json()["result"] == "applied"
    assert api.get(f"/api/v1/columns/{examples.COLUMN}/writers").json()["writers"]
    assert api.post("/api/v1/incidents", examples.OPEN_INCIDENT).status_code == 201
    incident = f"/api/v1/incidents/{examples.OPEN_INCIDENT['incident_id']}"
    assert api.patch(incident, examples.CHANGE_INCIDENT).status_code == 200
    assert api.post(f"{incident}/reopen", examples.REOPEN_INCIDENT).status_code == 200
    assert api.post("/api/v1/people/erasure", examples.ERASURE).status_code == 200


def test_the_page_needs_nothing_from_elsewhere(api: Api) -> None:
    page = api.get("/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "//" not in page.text.replace("<!--", "")
    for asset in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        assert api.get(asset).status_code == 200

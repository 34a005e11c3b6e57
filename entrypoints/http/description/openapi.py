"""The API's description, as `/openapi.json` serves it."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from entrypoints.http.datasets.requests import CreateDatasetRequest, UpdateDatasetRequest
from entrypoints.http.datasets.resolve_models import ResolveRequest
from entrypoints.http.datasets.rule_models import ResolutionRuleRequest
from entrypoints.http.description.responses import REFERENCE
from entrypoints.http.evidence.archive_routes import (
    PurgeEvidenceRequest,
    RebuildEvidenceRequest,
    VerifyEvidenceRequest,
)
from entrypoints.http.evidence.requests import EvidenceRequest
from entrypoints.http.incidents.requests import (
    MergeIncidentRequest,
    OpenIncidentRequest,
    ReopenIncidentRequest,
    SnoozeIncidentRequest,
    SplitIncidentRequest,
    UpdateIncidentRequest,
)
from entrypoints.http.lineage.requests import LineageSpecRequest
from entrypoints.http.operations.people import ErasureRequest
from entrypoints.http.operations.projections import (
    RebuildProjectionsRequest,
    VerifyProjectionsRequest,
)
from entrypoints.http.policies.models import PolicyLookupRequest
from entrypoints.http.problems import Problem
from entrypoints.http.signals.lookup_routes import SignalLookupRequest
from entrypoints.http.signals.requests import SignalBatchRequest, SignalUpdate
from entrypoints.http.validation.names import API

TITLE = "Data Observability State Store API"
VERSION = "1.0.0"

_SUMMARY = "What is the current health of our data, and how did it come about?"

# Bodies are read and errors are written by ourselves, so FastAPI does not know these.
_OURS: tuple[type[BaseModel], ...] = (
    CreateDatasetRequest,
    UpdateDatasetRequest,
    ResolutionRuleRequest,
    ResolveRequest,
    SignalUpdate,
    SignalBatchRequest,
    SignalLookupRequest,
    LineageSpecRequest,
    OpenIncidentRequest,
    UpdateIncidentRequest,
    MergeIncidentRequest,
    ReopenIncidentRequest,
    SnoozeIncidentRequest,
    SplitIncidentRequest,
    PolicyLookupRequest,
    ErasureRequest,
    PurgeEvidenceRequest,
    RebuildEvidenceRequest,
    VerifyEvidenceRequest,
    RebuildProjectionsRequest,
    VerifyProjectionsRequest,
    EvidenceRequest,
    Problem,
)

_REQUEST_ID = {
    "name": "X-Request-Id",
    "in": "header",
    "description": "1 to 128 letters, digits, `.`, `_` and `-`; on the answer, too.",
    "schema": {"type": "string"},
}


def description_of(app: FastAPI) -> dict[str, Any]:
    if app.openapi_schema is None:
        app.openapi_schema = _described(app)
    return app.openapi_schema


def _described(app: FastAPI) -> dict[str, Any]:
    described = get_openapi(
        title=TITLE,
        version=VERSION,
        summary=_SUMMARY,
        routes=app.routes,
        separate_input_output_schemas=False,
    )
    _, ours = models_json_schema([(model, "validation") for model in _OURS], ref_template=REFERENCE)
    components = described.setdefault("components", {})
    components["schemas"] = dict(sorted({**components.get("schemas", {}), **ours["$defs"]}.items()))
    components["securitySchemes"] = {"bearer": {"type": "http", "scheme": "bearer"}}
    for path, operations in described["paths"].items():
        for operation in operations.values() if path.startswith(API) else ():
            operation["security"] = [{"bearer": []}]
            operation.setdefault("parameters", []).append(_REQUEST_ID)
    return described

"""The names in paths and queries, as the API's description shows them."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import Path, Query

from domain.dataset.tier import Tier
from domain.errors import Violation
from domain.ids import COLUMN_URN, DATASET_URN, FIELD, INCIDENT_ID, SIGNAL_TYPES, SPEC_ID
from entrypoints.http.description.examples import COLUMN, DATASET, SPEC

API = "/api/v1"

URN_SCHEMA = {"pattern": f"^{DATASET_URN.pattern}$", "maxLength": 200, "examples": [DATASET]}
COLUMN_SCHEMA = {"pattern": f"^{COLUMN_URN.pattern}$", "maxLength": 400, "examples": [COLUMN]}
FIELD_SCHEMA = {"pattern": f"^{FIELD.pattern}$", "maxLength": 378, "examples": ["customer_id"]}
SPEC_SCHEMA = {"pattern": f"^{SPEC_ID.pattern}$", "maxLength": 310, "examples": [SPEC]}
SIGNAL_TYPE_SCHEMA = {
    "pattern": f"^(?:{'|'.join(SIGNAL_TYPES)}|CUSTOM_[A-Z0-9](?:[A-Z0-9_]*[A-Z0-9])?)$",
    "maxLength": 64,
    "examples": ["CONTRACT_COMPLIANCE"],
}

INCIDENT_SCHEMA = {"pattern": f"^{INCIDENT_ID.pattern}$", "examples": ["INC-7721"]}

UrnInPath = Annotated[
    str,
    Path(
        alias="urn",
        description="The dataset, with or without its colons percent-encoded.",
        json_schema_extra=URN_SCHEMA,
    ),
]
ColumnInPath = Annotated[
    str,
    Path(
        description="The column, `urn:col:<dataset urn>:<column>`, percent-encoded or not.",
        json_schema_extra=COLUMN_SCHEMA,
    ),
]
SpecInPath = Annotated[
    str,
    Path(
        description="`lspec:<producer>:<source>:<commit>`; the producer may have colons.",
        json_schema_extra=SPEC_SCHEMA,
    ),
]
SignalTypeInPath = Annotated[str, Path(json_schema_extra=SIGNAL_TYPE_SCHEMA)]
IncidentInPath = Annotated[str, Path(json_schema_extra=INCIDENT_SCHEMA)]
RuleName = Annotated[str, Path(json_schema_extra={"pattern": "^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$"})]
TierFilter = Annotated[Tier | None, Query(description="Only datasets of this tier.")]
OwnerFilter = Annotated[str | None, Query(description="Only what this team owns.", max_length=100)]


def unlike_path(field: str, said: str | None, as_in_path: str) -> Sequence[Violation]:
    """What a body repeats of the path must be the same."""
    if said is None or said == as_in_path:
        return ()
    return (Violation(field, "INCONSISTENT", "must be what the path says"),)


def same(field: str, said: str | None, as_in_path: str, found: list[Violation]) -> None:
    """As `unlike_path`, for routes that still collect violations."""
    found += unlike_path(field, said, as_in_path)

"""The JSON Schemas of rows, and which table's rows each is about (S0-335)."""

import json
from pathlib import Path
from typing import Any

from adapters.row_layouts.catalogue import (
    COLUMN_READERS,
    COLUMN_WRITERS,
    DATASET_READERS,
    DATASET_REGISTRY,
    DATASET_WRITERS,
    EVIDENCE_CACHE,
    INCIDENT_INDEX,
    SIGNAL_STATE,
)

FOLDER = Path(__file__).parents[3] / "docs" / "schemas"

NAMES = {
    SIGNAL_STATE.name: "signal-state",
    INCIDENT_INDEX.name: "incident-index",
    DATASET_REGISTRY.name: "dataset-registry",
    EVIDENCE_CACHE.name: "evidence-cache",
    DATASET_WRITERS.name: "lineage-index",
    DATASET_READERS.name: "lineage-index",
    COLUMN_WRITERS.name: "lineage-index",
    COLUMN_READERS.name: "lineage-index",
}
"""By table."""


def schema(name: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((FOLDER / f"{name}.schema.json").read_text())
    return read

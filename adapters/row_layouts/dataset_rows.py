"""
Datasets as rows of `observability-dataset-registry`.

    PK           SK             config_version  listed_tier     listed_owner
    urn:dp:…:v1  CONFIG#LATEST  12              ACTIVE#TIER_1   ACTIVE#orders-platform
    urn:dp:…:v1  CONFIG#v11     11

The other attributes are the settings. `tier-index` and `owner-index` are built on the `listed_…`
attributes, which only the latest rows have: old versions never show up in a listing (S0-088).
They begin with the status, so that retired datasets are listed apart. The owner's address and
who made the change are sealed.
"""

from collections.abc import Callable
from typing import Any

from attrs import evolve, fields

from adapters.eventstore.sealing.seals import Seals
from adapters.row_layouts.attributes import present
from adapters.row_layouts.catalogue import DATASET_REGISTRY
from adapters.row_layouts.engine import Row, RowKey
from adapters.row_layouts.nested import converter
from adapters.row_layouts.personal_data import opened, sealed
from application.datasets.read_model import DatasetKey, DatasetView, Edition
from domain.dataset.config import DatasetStatus
from domain.dataset.settings import Settings
from domain.ids import DatasetUrn
from domain.timestamps import moment, moment_or_none, stamp, stamp_or_none

LATEST = "CONFIG#LATEST"

_SETTINGS = tuple(attribute.name for attribute in fields(Settings))


def version_sk(version: int) -> str:
    return f"CONFIG#v{version}"


def row_key(key: DatasetKey) -> RowKey:
    sk = LATEST if key.version is None else version_sk(key.version)
    return RowKey(DATASET_REGISTRY.name, key.dataset, sk)


def key_of(row: Row) -> DatasetKey:
    version = None if row["SK"] == LATEST else int(row["config_version"])
    return DatasetKey(DatasetUrn(row["PK"]), version)


def listed(status: DatasetStatus, by: str) -> str:
    """The partition in which datasets of a status are listed by tier or by owner."""
    return f"{status.value}#{by}"


# Writing.


def to_row(card: DatasetView, position: int, seals: Seals) -> Row:
    return present(
        {
            "PK": card.dataset,
            "dataset_urn": card.dataset,
            "status": card.status.value,
            **_settings(card.settings, seals),
            "created_at": stamp(card.created_at),
            "updated_at": stamp(card.updated_at),
            "updated_by": seals.seal_name(card.updated_by),
            "config_version": card.config_version,
            "previous_version_sk": _previous(card.config_version),
            "retired_at": stamp_or_none(card.retired_at),
            "position": position,
            **(_present_place(card) if card.archived_at is None else _archived_place(card)),
        }
    )


def _settings(settings: Settings, seals: Seals) -> dict[str, Any]:
    stored = evolve(settings, owner_email=sealed(seals, settings.owner_email))
    attributes: dict[str, Any] = converter().unstructure(stored)
    return attributes


def _previous(version: int) -> str | None:
    return version_sk(version - 1) if version > 1 else None


def _present_place(card: DatasetView) -> dict[str, Any]:
    return {
        "SK": LATEST,
        "listed_tier": listed(card.status, card.settings.tier),
        "listed_owner": listed(card.status, card.settings.owner_team),
    }


def _archived_place(card: DatasetView) -> dict[str, Any]:
    return {"SK": version_sk(card.config_version), "archived_at": stamp_or_none(card.archived_at)}


# Reading.


def from_row(
    row: Row, seals: Seals, stored: Callable[[Row], Settings] | None = None
) -> DatasetView:
    """`stored` reads the settings, if somebody knows how to do so faster."""
    settings = (stored or stored_settings)(row)
    return DatasetView(
        dataset=DatasetUrn(row["dataset_urn"]),
        status=DatasetStatus(row["status"]),
        settings=evolve(settings, owner_email=opened(seals, settings.owner_email)),
        config_version=int(row["config_version"]),
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
        updated_by=seals.open(row["updated_by"]),
        retired_at=moment_or_none(row.get("retired_at")),
        archived_at=moment_or_none(row.get("archived_at")),
    )


def edition_of(row: Row) -> Edition:
    return Edition(int(row["config_version"]), DatasetStatus(row["status"]))


def stored_settings(row: Row) -> Settings:
    """As they lie in the row: the owner's address is sealed."""
    said = {name: row[name] for name in _SETTINGS if name in row}
    return converter().structure(said, Settings)

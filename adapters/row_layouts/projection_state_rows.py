"""
What projections remember for themselves, as rows of `observability-projection-state`.

    PK                              SK     view
    dataset-attributes#urn:dp:…:v1  STATE  {"dataset": …, "tier": "TIER_1", "owner_team": …}
    rules#urn:dp:…:v1               STATE  {"dataset": …, "rules": {"default": …}, "retired": false}
    open-incidents#urn:dp:…:v1      STATE  {"dataset": …, "held": {"MISSING_FIELD:…": "INC-…"}}

Nobody but the projections reads the first kind; the others also answer which rules a dataset has
and which incidents are open for it. Other kinds are in `lineage_rows` (what an entity writes) and
`dead_letter_rows`.
"""

from typing import Any

from adapters.row_layouts.catalogue import PROJECTION_STATE
from adapters.row_layouts.engine import Row, RowKey
from adapters.row_layouts.nested import converter
from application.datasets.resolution_read_model import RuleBook, RuleBookKey
from application.incidents.read_model import OpenFaults, OpenFaultsKey
from application.projections.signals import Facets, FacetsKey
from domain.ids import DatasetUrn


def facets_key(key: FacetsKey) -> RowKey:
    return _row_key("dataset-attributes", key.dataset)


def facets_key_of(row: Row) -> FacetsKey:
    return FacetsKey(_dataset(row))


def facets_to_row(card: Facets, position: int) -> Row:
    return _row("dataset-attributes", card, position)


def facets_from_row(row: Row) -> Facets:
    return converter().structure(row["view"], Facets)


def rules_key(key: RuleBookKey) -> RowKey:
    return _row_key("rules", key.dataset)


def rules_key_of(row: Row) -> RuleBookKey:
    return RuleBookKey(_dataset(row))


def rules_to_row(card: RuleBook, position: int) -> Row:
    return _row("rules", card, position)


def rules_from_row(row: Row) -> RuleBook:
    return converter().structure(row["view"], RuleBook)


def faults_key(key: OpenFaultsKey) -> RowKey:
    return _row_key("open-incidents", key.dataset)


def faults_key_of(row: Row) -> OpenFaultsKey:
    return OpenFaultsKey(_dataset(row))


def faults_to_row(card: OpenFaults, position: int) -> Row:
    return _row("open-incidents", card, position)


def faults_from_row(row: Row) -> OpenFaults:
    return converter().structure(row["view"], OpenFaults)


def _row_key(kind: str, dataset: DatasetUrn) -> RowKey:
    return RowKey(PROJECTION_STATE.name, f"{kind}#{dataset}", "STATE")


def _dataset(row: Row) -> DatasetUrn:
    return DatasetUrn(row["PK"].partition("#")[2])


def _row(kind: str, card: Facets | RuleBook | OpenFaults, position: int) -> Row:
    place = _row_key(kind, card.dataset)
    content: dict[str, Any] = converter().unstructure(card)
    return {"PK": place.pk, "SK": place.sk, "view": content, "position": position}

"""
Incidents as rows of `observability-incident-index`.

    PK            SK    GSI1PK       GSI1SK               GSI2PK       GSI2SK
    INC#INC-01H…  META  DS#urn:dp:…  created_at#INC-01H…  STATUS#OPEN  SEV_1#created_at#INC-01H…

The other attributes are those of the incident. The sort keys of both indexes end with the id, so
that two incidents of one moment do not share one (T13). `ttl` is there once the incident is
resolved and goes when it is reopened. `mtta_seconds` and `mttr_seconds` follow from the moments.
Who is on call, who resolved it and ids in other systems are sealed.
"""

from typing import Any

from attrs import evolve

from adapters.eventstore.sealing.seals import CONFIDENTIAL, Seals, is_sealed
from adapters.row_layouts.attributes import present
from adapters.row_layouts.catalogue import INCIDENT_INDEX
from adapters.row_layouts.engine import Row, RowKey
from adapters.row_layouts.expiry import end_of, ttl
from adapters.row_layouts.nested import converter
from adapters.row_layouts.personal_data import opened, sealed
from application.incidents.read_model import IncidentKey, IncidentView
from domain.ids import DatasetUrn, EvidenceId, FailureSignature, IncidentId, SignalType
from domain.incident.severity import Severity
from domain.incident.values import Concern, Implicated, IncidentStatus, Notifications, Resolution
from domain.lineage.blast_radius import BlastRadius
from domain.signal.evaluation import Confidence, Producer
from domain.timestamps import moment, moment_or_none, stamp, stamp_or_none

META = "META"


def row_key(key: IncidentKey) -> RowKey:
    return RowKey(INCIDENT_INDEX.name, f"INC#{key.incident}", META)


def key_of(row: Row) -> IncidentKey:
    return IncidentKey(IncidentId(row["incident_id"]))


def of_dataset(dataset: DatasetUrn) -> str:
    """The partition in which a dataset's incidents lie by time."""
    return f"DS#{dataset}"


def of_status(status: IncidentStatus) -> str:
    """The partition in which incidents of a status lie by severity and time."""
    return f"STATUS#{status.value}"


def rank_of(severity: Severity) -> str:
    """What the ranks of incidents of a severity begin with."""
    return f"{severity.value}#"


# Writing.


def to_row(card: IncidentView, position: int, seals: Seals) -> Row:
    return present(
        {
            "PK": row_key(IncidentKey(card.incident)).pk,
            "SK": META,
            "incident_id": card.incident,
            "status": card.status.value,
            "severity": card.severity.value,
            "title": card.title,
            **_moments(card),
            "primary_dataset_urn": card.dataset,
            "signal_types": list(card.signals),
            "failure_signatures": list(card.signatures),
            "implicated_producer": _implicated(card.implicated),
            "blast_radius": card.blast_radius and converter().unstructure(card.blast_radius),
            "notification_state": _notifications(card.notifications, seals) or None,
            "primary_evidence_id": card.primary_evidence,
            "evidence_sample": list(card.evidence),
            "rca_summary": card.rca_summary,
            "owner_team": card.owner_team,
            "oncall_user": sealed(seals, card.oncall_user),
            "resolution": _resolution(card.resolution, seals),
            "snoozed_until": stamp_or_none(card.snoozed_until),
            "merged_into": card.merged_into,
            "related": converter().unstructure(card.elsewhere) or None,
            "absorbed": converter().unstructure(card.absorbed) or None,
            **_places(card),
            "ttl": ttl(card.ends_at),
            "version": card.version,
            "position": position,
        }
    )


def _moments(card: IncidentView) -> dict[str, Any]:
    return {
        "created_at": stamp(card.created_at),
        "updated_at": stamp(card.updated_at),
        "acknowledged_at": stamp_or_none(card.acknowledged_at),
        "resolved_at": stamp_or_none(card.resolved_at),
        "mtta_seconds": card.mtta_seconds,
        "mttr_seconds": card.mttr_seconds,
    }


def _places(card: IncidentView) -> dict[str, str]:
    place = f"{stamp(card.created_at)}#{card.incident}"
    return {
        "GSI1PK": of_dataset(card.dataset),
        "GSI1SK": place,
        "GSI2PK": of_status(card.status),
        "GSI2SK": f"{rank_of(card.severity)}{place}",
    }


def _implicated(implicated: Implicated | None) -> dict[str, Any] | None:
    if implicated is None:
        return None
    producer = implicated.producer
    return present(
        {
            "producer_id": producer.producer_id,
            "version": producer.version,
            "confidence": producer.confidence and producer.confidence.value,
            "deployed_at": stamp_or_none(implicated.deployed_at),
        }
    )


def _notifications(notifications: Notifications, seals: Seals) -> dict[str, str]:
    return {
        name: seals.seal(CONFIDENTIAL, value)
        for name, value in converter().unstructure(notifications).items()
    }


def _resolution(resolution: Resolution | None, seals: Seals) -> dict[str, Any] | None:
    if resolution is None:
        return None
    stored = evolve(resolution, resolved_by=sealed(seals, resolution.resolved_by))
    attributes: dict[str, Any] = converter().unstructure(stored)
    return attributes


# Reading.


def from_row(row: Row, seals: Seals) -> IncidentView:
    primary, resolved_at = row.get("primary_evidence_id"), moment_or_none(row.get("resolved_at"))
    return IncidentView(
        incident=IncidentId(row["incident_id"]),
        status=IncidentStatus(row["status"]),
        severity=Severity(row["severity"]),
        title=row["title"],
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
        dataset=DatasetUrn(row["primary_dataset_urn"]),
        signals=tuple(map(SignalType, row["signal_types"])),
        signatures=tuple(map(FailureSignature, row["failure_signatures"])),
        owner_team=row["owner_team"],
        version=int(row["version"]),
        acknowledged_at=moment_or_none(row.get("acknowledged_at")),
        resolved_at=resolved_at,
        implicated=_implicated_of(row.get("implicated_producer")),
        blast_radius=_blast_radius_of(row.get("blast_radius")),
        notifications=_notifications_of(row.get("notification_state", {}), seals),
        primary_evidence=None if primary is None else EvidenceId(primary),
        evidence=tuple(map(EvidenceId, row["evidence_sample"])),
        rca_summary=row.get("rca_summary"),
        oncall_user=opened(seals, row.get("oncall_user")),
        resolution=_resolution_of(row.get("resolution"), seals),
        snoozed_until=moment_or_none(row.get("snoozed_until")),
        merged_into=row.get("merged_into"),
        elsewhere=converter().structure(row.get("related", []), tuple[Concern, ...]),
        absorbed=converter().structure(
            row.get("absorbed", {}), dict[IncidentId, tuple[Concern, ...]]
        ),
        ends_at=resolved_at and end_of(row, resolved_at),
    )


def _implicated_of(stored: Row | None) -> Implicated | None:
    if stored is None:
        return None
    confidence = stored.get("confidence")
    producer = Producer(
        stored["producer_id"],
        stored.get("version"),
        Confidence(confidence) if confidence else None,
    )
    return Implicated(producer, moment_or_none(stored.get("deployed_at")))


def _blast_radius_of(stored: Row | None) -> BlastRadius | None:
    return None if stored is None else converter().structure(stored, BlastRadius)


def _notifications_of(stored: Row, seals: Seals) -> Notifications:
    """Rows of the first release hold them in clear; the next change seals them."""
    opened = {n: seals.open(value) if is_sealed(value) else value for n, value in stored.items()}
    return Notifications(**opened)


def _resolution_of(stored: Row | None, seals: Seals) -> Resolution | None:
    if stored is None:
        return None
    resolution = converter().structure(stored, Resolution)
    return evolve(resolution, resolved_by=opened(seals, resolution.resolved_by))

"""Incidents: opened by alerting engines, worked on by people."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Unpack

from statestore_client.enums import IncidentStatus, Severity
from statestore_client.incident_reads import IncidentReads
from statestore_client.messages import incidents_pb2 as pb
from statestore_client.models.incidents import (
    ImplicatedProducer,
    Incident,
    NotificationState,
    Resolution,
)
from statestore_client.options import Writing
from statestore_client.transport.translation import put, told


class AsyncIncidents(IncidentReads):
    """Changes name the version they were decided on with `expected_version`; any if they do not."""

    async def create(
        self,
        primary_dataset_urn: str,
        *,
        severity: Severity,
        signal_types: Iterable[str],
        failure_signatures: Iterable[str],
        title: str | None = None,
        incident_id: str | None = None,
        implicated_producer: ImplicatedProducer | None = None,
        primary_evidence_id: str | None = None,
        evidence_sample: Iterable[str] = (),
        **how: Unpack[Writing],
    ) -> Incident:
        """Open an incident, or join the one that is open for the same fault (`joined`)."""
        request = pb.CreateIncidentRequest(
            primary_dataset_urn=primary_dataset_urn,
            severity=severity,
            signal_types=signal_types,
            failure_signatures=failure_signatures,
            title=title or "",
            incident_id=incident_id or "",
            primary_evidence_id=primary_evidence_id or "",
            evidence_sample=evidence_sample,
        )
        put(request, "implicated_producer", implicated_producer)
        return await self._changed("CreateIncident", request, how)

    async def update(
        self,
        incident_id: str,
        *,
        status: IncidentStatus | None = None,
        severity: Severity | None = None,
        oncall_user: str | None = None,
        signal_types: Iterable[str] = (),
        failure_signatures: Iterable[str] = (),
        evidence_sample: Iterable[str] = (),
        notification_state: NotificationState | None = None,
        rca_summary: str | None = None,
        note: str | None = None,
        resolution: Resolution | None = None,
        expected_version: int | None = None,
        **how: Unpack[Writing],
    ) -> Incident:
        """All of it happens, or nothing. `oncall_user=""` is nobody; lists are added to."""
        request = pb.UpdateIncidentRequest(
            incident_id=incident_id,
            status=status or "",
            severity=severity or "",
            oncall_user=oncall_user,
            signal_types=signal_types,
            failure_signatures=failure_signatures,
            evidence_sample=evidence_sample,
            rca_summary=rca_summary or "",
            note=note or "",
            expected_version=expected_version,
        )
        put(request, "notification_state", notification_state)
        put(request, "resolution", resolution)
        return await self._changed("UpdateIncident", request, how)

    async def acknowledge(
        self,
        incident_id: str,
        *,
        note: str | None = None,
        expected_version: int | None = None,
        **how: Unpack[Writing],
    ) -> Incident:
        return await self.update(
            incident_id,
            status=IncidentStatus.ACKNOWLEDGED,
            note=note,
            expected_version=expected_version,
            **how,
        )

    async def resolve(
        self,
        incident_id: str,
        resolution: Resolution,
        *,
        note: str | None = None,
        expected_version: int | None = None,
        **how: Unpack[Writing],
    ) -> Incident:
        request = pb.ResolveIncidentRequest(
            incident_id=incident_id, note=note or "", expected_version=expected_version
        )
        put(request, "resolution", resolution)
        return await self._changed("ResolveIncident", request, how)

    async def reopen(
        self,
        incident_id: str,
        *,
        reason: str,
        expected_version: int | None = None,
        **how: Unpack[Writing],
    ) -> Incident:
        request = pb.ReopenIncidentRequest(
            incident_id=incident_id, reason=reason, expected_version=expected_version
        )
        return await self._changed("ReopenIncident", request, how)

    async def snooze(
        self,
        incident_id: str,
        until: datetime,
        *,
        reason: str | None = None,
        expected_version: int | None = None,
        **how: Unpack[Writing],
    ) -> Incident:
        """Let nobody look at it before a moment, at most 30 days ahead."""
        request = pb.SnoozeIncidentRequest(
            incident_id=incident_id, reason=reason or "", expected_version=expected_version
        )
        put(request, "until", until)
        return await self._changed("SnoozeIncident", request, how)

    async def wake(
        self, incident_id: str, *, expected_version: int | None = None, **how: Unpack[Writing]
    ) -> Incident:
        """End a snooze before its time."""
        request = pb.EndSnoozeRequest(incident_id=incident_id, expected_version=expected_version)
        return await self._changed("EndSnooze", request, how)

    async def merge(
        self,
        incident_id: str,
        into: str,
        *,
        reason: str | None = None,
        expected_version: int | None = None,
        **how: Unpack[Writing],
    ) -> Incident:
        """End it as a duplicate of another one that is open."""
        request = pb.MergeIncidentRequest(
            incident_id=incident_id,
            into=into,
            reason=reason or "",
            expected_version=expected_version,
        )
        return await self._changed("MergeIncident", request, how)

    async def split(
        self,
        incident_id: str,
        *,
        reason: str | None = None,
        expected_version: int | None = None,
        **how: Unpack[Writing],
    ) -> Incident:
        """Open a merged incident again, apart from the one it was merged into."""
        request = pb.SplitIncidentRequest(
            incident_id=incident_id, reason=reason or "", expected_version=expected_version
        )
        return await self._changed("SplitIncident", request, how)

    async def _changed(self, method: str, request: Any, how: Writing) -> Incident:
        fields = request.DESCRIPTOR.fields_by_name
        repeatable = "expected_version" in fields and request.expected_version > 0
        answered = await self._calls.write(
            f"IncidentService/{method}", request, pb.Incident, how, repeatable=repeatable
        )
        return told(Incident, answered.message)

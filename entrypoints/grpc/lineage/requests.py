"""The lineage specs that ingestors send."""

from collections.abc import Iterable

from domain.errors import Violation
from domain.lineage.report import MOST_ENTRIES, LineageReport, ReportedEntry
from domain.validation import required
from entrypoints.grpc.fields.fields import no_more_than, present, said
from entrypoints.grpc.fields.timestamps import moment_said
from entrypoints.grpc.messages import lineage_pb2 as pb


def spec_said(sent: pb.DeclareLineageRequest, found: list[Violation]) -> LineageReport:
    found += required("spec_id", sent.spec_id)
    return LineageReport(
        spec_id=sent.spec_id,
        confidence=said(sent.confidence),
        commit=said(sent.commit),
        updated_at=moment_said(sent, "updated_at", found),
        ttl_seconds=present(sent, "ttl_seconds"),
        dataset_reads=_entries(sent.dataset_reads),
        dataset_writes=_entries(sent.dataset_writes),
        column_reads=_entries(sent.column_reads),
        column_writes=_entries(sent.column_writes),
    )


def _entries(sent: Iterable[pb.DeclaredEntry]) -> tuple[ReportedEntry, ...]:
    return tuple(
        ReportedEntry(
            said(entry.urn),
            said(entry.entity_id),
            said(entry.entity_name),
            said(entry.entity_type),
        )
        for entry in no_more_than(MOST_ENTRIES, sent)
    )

"""The lineage specs that ingestors send."""

from collections.abc import Iterable

from domain.lineage.report import MOST_ENTRIES, LineageReport, ReportedEntry
from domain.validation import required
from entrypoints.grpc.fields.fields import no_more_than, present, said
from entrypoints.grpc.fields.timestamps import parse_moment
from entrypoints.grpc.messages import lineage_pb2 as pb


def lineage_report(sent: pb.DeclareLineageRequest) -> LineageReport:
    """The spec as it was sent, with what cannot be read of it."""
    updated_at = parse_moment(sent, "updated_at")
    return LineageReport(
        spec_id=sent.spec_id,
        confidence=said(sent.confidence),
        commit=said(sent.commit),
        updated_at=updated_at.value,
        ttl_seconds=present(sent, "ttl_seconds"),
        dataset_reads=_entries(sent.dataset_reads),
        dataset_writes=_entries(sent.dataset_writes),
        column_reads=_entries(sent.column_reads),
        column_writes=_entries(sent.column_writes),
        unreadable=(*required("spec_id", sent.spec_id), *updated_at.violations),
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

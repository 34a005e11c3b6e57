"""
The layout of seed 000 for the same updates, priced by the same rules: nothing is sent.

A signal is one item that every update changes in place (UpdateItem), and its index holds all
items, whatever their state. No history is kept.
"""

from typing import Any
from zlib import crc32

from attrs import define, field

from adapters.dynamodb.rows.row_items import row_item
from adapters.dynamodb.transport.capacity import charges_of_answer
from adapters.dynamodb.transport.transport import Item, Operation
from adapters.row_layouts.catalogue import Index
from benchmarks.measuring import varied
from domain.signal.report import SignalReport

TABLE = "signal-state"
INDEXES = {TABLE: (Index("state-tier-index", "state", "tier"),)}
STAMP = "2026-01-15T09:55:00.000Z"


@define
class DirectLayout:
    """Remembers the items, because an index is written twice when the state changes."""

    units: float = 0.0
    _items: dict[tuple[str, str], Item] = field(factory=dict)

    def update(self, report: SignalReport) -> None:
        item = _item(report)
        # An update is charged as a put of the whole item is.
        charged = charges_of_answer(
            Operation.PUT_ITEM,
            {"TableName": TABLE, "Item": item},
            {"Attributes": self._items.get(_key(report), {})},
            INDEXES,
        )
        self.units += sum(units.write for _, units in charged)
        self._items[_key(report)] = item


def _key(report: SignalReport) -> tuple[str, str]:
    return report.dataset_urn, report.signal_type


def _item(report: SignalReport) -> Item:
    number = crc32(report.dataset_urn.encode())
    row: dict[str, Any] = {
        "PK": report.dataset_urn,
        "SK": report.signal_type,
        "state": report.state,
        "previous_state": "OK",
        "state_changed_at": STAMP,
        "score": report.score,
        "slo_threshold": report.slo_threshold,
        "window_start": STAMP,
        "window_end": STAMP,
        "window_type": report.window_type,
        "metrics": {
            "evidence_count": report.evidence_count,
            "pass_count": report.pass_count,
            "fail_count": report.fail_count,
        },
        "tier": ("TIER_1", "TIER_2", "TIER_3")[number % 3],
        "owner_team": varied.team(number),
        "last_updated": STAMP,
        "ttl": 1768470000,
        "version": report.expected_version,
    }
    if report.producer_id is not None:
        row |= {
            "breach_start": STAMP,
            "failure_signature": report.failure_signature,
            "top_producer": report.producer_id,
            "top_producer_version": report.producer_version,
            "top_producer_confidence": report.confidence,
            "evidence_sample": list(report.evidence_sample or ()),
        }
    return row_item(row)

"""What a lineage ingestor may send (S0-244, S0-245)."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from attrs import evolve

from domain.errors import Invalid, Violation
from domain.lineage.lineage import TTL_SECONDS
from domain.lineage.report import LineageReport, ReportedEntry
from tests.domain.lineage.specs import INVOICES, NOON, ORDERS, spec

HOUR = timedelta(hours=1)
COLUMN = f"urn:col:{ORDERS}:customer_id"
READ = ReportedEntry(ORDERS, "job:finance-pipeline", "finance-pipeline", "JOB")
WRITTEN = ReportedEntry(COLUMN, "orders-svc", "orders-svc", "SERVICE")
REPORT = LineageReport(
    spec_id="lspec:job:orders-delta-landing:git:9f31c2d",
    confidence="HIGH",
    commit="9f31c2d",
    updated_at=NOON,
    dataset_reads=(READ,),
    dataset_writes=(evolve(READ, urn=INVOICES),),
    column_reads=(evolve(WRITTEN, entity_type="LAMBDA"),),
    column_writes=(evolve(WRITTEN, entity_type="NOTEBOOK"),),
)


def broken(report: LineageReport) -> set[tuple[str, str]]:
    try:
        report.parse(at=NOON)
    except Invalid as invalid:
        return {(each.field, each.code) for each in invalid.violations}
    return set()


def test_a_report_that_keeps_the_contract_has_no_violations() -> None:
    assert broken(REPORT) == set()


def test_a_spec_may_say_nothing_at_all() -> None:
    silent = evolve(REPORT, dataset_reads=(), dataset_writes=(), column_reads=(), column_writes=())
    assert broken(silent) == set()
    assert silent.parse(at=NOON).entries.ties() == {}


BREAKS: list[tuple[dict[str, Any], str, str]] = [
    ({"spec_id": "lspec:git:9f31c2d"}, "spec_id", "MALFORMED"),
    ({"spec_id": "spec:a:git:9f31c2d"}, "spec_id", "MALFORMED"),
    ({"spec_id": "lspec:a::git:9f31c2d"}, "spec_id", "MALFORMED"),
    ({"spec_id": "lspec:a:git:9f31c2d\n"}, "spec_id", "MALFORMED"),
    ({"spec_id": f"lspec:{'a' * 201}:git:9f31c2d"}, "spec_id", "MALFORMED"),
    ({"spec_id": f"lspec:a:{'g' * 33}:9f31c2d"}, "spec_id", "MALFORMED"),
    ({"spec_id": "lspec:a/b:git:9f31c2d"}, "spec_id", "MALFORMED"),
    ({"commit": None}, "commit", "REQUIRED"),
    ({"commit": ""}, "commit", "REQUIRED"),
    ({"commit": "a b"}, "commit", "MALFORMED"),
    ({"commit": "9f31c2d" + "0" * 58}, "commit", "MALFORMED"),
    ({"commit": "a2b4c6d"}, "commit", "INCONSISTENT"),
    ({"confidence": None}, "confidence", "REQUIRED"),
    ({"confidence": "high"}, "confidence", "UNKNOWN_VALUE"),
    ({"updated_at": None}, "updated_at", "REQUIRED"),
    ({"updated_at": NOON.replace(tzinfo=None)}, "updated_at", "MALFORMED"),
    ({"updated_at": NOON + HOUR * 1.01}, "updated_at", "IN_THE_FUTURE"),
    ({"updated_at": datetime(1969, 12, 31, tzinfo=UTC)}, "updated_at", "OUT_OF_RANGE"),
    ({"ttl_seconds": 24 * 3600 - 1}, "ttl_seconds", "OUT_OF_RANGE"),
    ({"ttl_seconds": 3650 * 24 * 3600 + 1}, "ttl_seconds", "OUT_OF_RANGE"),
    ({"dataset_reads": (READ,) * 1001}, "dataset_reads", "TOO_MANY"),
    ({"dataset_reads": (READ, READ)}, "dataset_reads[1]", "DUPLICATE"),
    (
        {"dataset_reads": (READ, evolve(READ, entity_name="x"))},
        "dataset_reads[1]",
        "DUPLICATE",
    ),
    ({"dataset_reads": (evolve(READ, urn=None),)}, "dataset_reads[0].dataset_urn", "REQUIRED"),
    ({"dataset_reads": (evolve(READ, urn=COLUMN),)}, "dataset_reads[0].dataset_urn", "MALFORMED"),
    ({"dataset_writes": (evolve(READ, urn="x"),)}, "dataset_writes[0].dataset_urn", "MALFORMED"),
    ({"column_reads": (evolve(WRITTEN, urn=ORDERS),)}, "column_reads[0].column_urn", "MALFORMED"),
    (
        {"column_writes": (WRITTEN, evolve(WRITTEN, urn=""))},
        "column_writes[1].column_urn",
        "REQUIRED",
    ),
    (
        {"column_writes": (evolve(WRITTEN, urn=f"urn:col:{ORDERS}"),)},
        "column_writes[0].column_urn",
        "MALFORMED",
    ),
]
ENTITY_BREAKS: list[tuple[dict[str, Any], str, str]] = [
    ({"entity_id": None}, "entity_id", "REQUIRED"),
    ({"entity_id": "job:"}, "entity_id", "MALFORMED"),
    ({"entity_id": "job#a"}, "entity_id", "MALFORMED"),
    ({"entity_id": "a" * 201}, "entity_id", "MALFORMED"),
    ({"entity_name": ""}, "entity_name", "REQUIRED"),
    ({"entity_name": "a" * 201}, "entity_name", "TOO_LONG"),
    ({"entity_name": "a\x00b"}, "entity_name", "MALFORMED"),
    ({"entity_type": None}, "entity_type", "REQUIRED"),
    ({"entity_type": "job"}, "entity_type", "UNKNOWN_VALUE"),
]


@pytest.mark.parametrize(("change", "field", "code"), BREAKS)
def test_each_break_is_named(change: dict[str, Any], field: str, code: str) -> None:
    assert broken(evolve(REPORT, **change)) == {(field, code)}


@pytest.mark.parametrize(("change", "field", "code"), ENTITY_BREAKS)
@pytest.mark.parametrize(
    "name", ["dataset_reads", "dataset_writes", "column_reads", "column_writes"]
)
def test_entities_are_checked_in_each_list(
    name: str, change: dict[str, Any], field: str, code: str
) -> None:
    (entry,) = getattr(REPORT, name)
    entries: dict[str, Any] = {name: (entry, evolve(entry, urn=_other(entry), **change))}
    assert broken(evolve(REPORT, **entries)) == {(f"{name}[1].{field}", code)}


def _other(entry: ReportedEntry) -> str:
    return str(entry.urn).replace("orders:", "other:").replace("finance:", "other:")


@pytest.mark.parametrize(
    "change",
    [
        {"updated_at": NOON + HOUR},
        {"updated_at": datetime(1970, 1, 1, tzinfo=UTC)},
        {"ttl_seconds": 24 * 3600},
        {"ttl_seconds": 3650 * 24 * 3600},
        {"ttl_seconds": None},
        {"commit": "9f31c2d" + "0" * 33},
        {"spec_id": f"lspec:{'a' * 200}:{'g' * 32}:9f31c2d"},
        {"dataset_reads": (READ, evolve(READ, entity_id="job:other"), evolve(READ, urn=INVOICES))},
        {
            "dataset_reads": tuple(
                evolve(READ, entity_id=f"job:n{number}") for number in range(1000)
            )
        },
    ],
)
def test_the_edges_belong_to_the_contract(change: dict[str, Any]) -> None:
    assert broken(evolve(REPORT, **change)) == set()


def test_everything_wrong_is_told_at_once() -> None:
    worst = LineageReport(
        "lspec", dataset_reads=(ReportedEntry(),), column_writes=(ReportedEntry(),)
    )
    entity = ("entity_id", "entity_name", "entity_type")
    assert {field for field, _ in broken(worst)} == {
        "spec_id",
        "commit",
        "confidence",
        "updated_at",
        *(f"dataset_reads[0].{name}" for name in ("dataset_urn", *entity)),
        *(f"column_writes[0].{name}" for name in ("column_urn", *entity)),
    }


def test_unreadable_fields_hide_what_follows_from_them() -> None:
    unreadable = (Violation("commit", "WRONG_TYPE", "must be a text"),)
    worse = evolve(REPORT, commit=None, confidence="SURE", unreadable=unreadable)
    assert broken(worse) == {("commit", "WRONG_TYPE"), ("confidence", "UNKNOWN_VALUE")}
    assert broken(evolve(REPORT, unreadable=unreadable)) == {("commit", "WRONG_TYPE")}


def test_the_spec_that_is_meant() -> None:
    local = timezone(timedelta(hours=2))
    report = LineageReport(
        spec_id="lspec:job:orders-delta-landing:git:9f31c2d",
        confidence="HIGH",
        commit="9f31c2d",
        updated_at=(NOON + timedelta(microseconds=999)).astimezone(local),
        dataset_reads=(READ, evolve(READ, urn=INVOICES)),
    )
    meant = report.parse(at=NOON)
    assert meant == spec(
        reads=[(INVOICES, "job:finance-pipeline"), (ORDERS, "job:finance-pipeline")]
    )
    assert meant.producer == "job:orders-delta-landing"
    assert meant.ttl_seconds == TTL_SECONDS == 7776000
    assert meant.ends_at == NOON + timedelta(days=90)


def test_the_order_of_entries_says_nothing() -> None:
    entries = (READ, evolve(READ, urn=INVOICES), evolve(READ, entity_id="a"))
    one = evolve(REPORT, dataset_reads=entries)
    other = evolve(REPORT, dataset_reads=entries[::-1])
    assert one.parse(at=NOON) == other.parse(at=NOON)
    assert one.parse(at=NOON).digest() == other.parse(at=NOON).digest()

"""Rows as projections write them are as their schemas say, and nothing else is (S0-335)."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Any

import jsonschema_rs
import pytest
from attrs import evolve, fields
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.eventstore.sealing.seals import Seals
from adapters.memory.engine import MemoryEngine
from adapters.memory.keys import MemoryKeys
from adapters.read_models.view_store import TableCards
from adapters.row_layouts import evidence_rows
from adapters.row_layouts.engine import Row
from application.recorded import Recorded
from domain.dataset.settings import IncidentPolicy, Settings
from domain.dataset.tier import Tier
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId, IncidentId
from domain.incident.patch import Assignment, Snooze
from domain.incident.values import Implicated, Notifications, Resolution, ResolutionReason
from domain.lineage.blast_radius import BlastRadius, EstimatedImpact
from domain.retention import KEPT_FOR
from domain.signal.evaluation import Confidence, Producer, SignalStateEnum
from tests.adapters.evidence_cache.some_evidence import BARE, FULL
from tests.adapters.row_layouts.schemas import FOLDER, NAMES, schema
from tests.adapters.row_layouts.test_dataset_rows import SEED_CARD as SEED_DATASET
from tests.application.projections.story import (
    LATE,
    MISSING,
    NOON,
    ONE,
    ORDERS,
    PAYMENTS,
    TWO,
    VOLUME,
    Story,
    runner,
)
from tests.application.projections.test_any_story import ALL, chapters, told
from tests.domain.lineage.specs import spec

EVIDENCE = EvidenceId("evd-01HQXY8MNP4QR7ST9VW2XYZ456")
PRODUCER = Producer("orders-svc", "v3.17", Confidence.HIGH)
THREE, FOUR = IncidentId("INC-3"), IncidentId("INC-4")
WRITTEN = sorted({name for name in NAMES.values() if name != "evidence-cache"})


@cache
def validator(name: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(schema(name))


def problems(name: str, row: Row) -> list[str]:
    return [str(error) for error in validator(name).iter_errors(row)]


def rows_of(facts: Sequence[Recorded]) -> dict[str, list[Row]]:
    """All rows that the projections write, by the schema they should fit."""
    engine = MemoryEngine()
    asyncio.run(runner(ALL, facts, TableCards(engine, Seals(MemoryKeys()))).catch_up())
    rows: defaultdict[str, list[Row]] = defaultdict(list)
    for table, name in NAMES.items():
        rows[name] += asyncio.run(engine.scan(table, limit=1000)).rows
    return rows


# One of everything.


def eventful() -> Story:
    """A story after which every attribute that there is stands in some row."""
    story = told([]).reconfigure(ORDERS, **_agreed()).reconfigure(PAYMENTS, tier=Tier.TIER_1)
    story.evaluate().evaluate(SignalStateEnum.CRITICAL, hour=1, **_found())
    story.evaluate(signal_type=VOLUME).evaluate(SignalStateEnum.CRITICAL, dataset=PAYMENTS)
    story.open(
        ONE,
        MISSING,
        evidence=(EVIDENCE,),
        primary_evidence=EVIDENCE,
        implicated=Implicated(PRODUCER, NOON),
        blast_radius=BlastRadius(1, ("finance",), EstimatedImpact.LOW),
    )
    story.change(ONE, acknowledge=True, assign=Assignment("jane"), rca_summary="a deploy")
    story.change(ONE, notifications=Notifications("PD-1", "1.2", "DATA-1"))
    story.change(ONE, snooze=Snooze(NOON.replace(year=2027)))
    story.open(TWO, LATE, dataset=PAYMENTS).merge(TWO, ONE)
    story.open(THREE, LATE, MISSING, dataset=PAYMENTS, signals=[VOLUME])
    story.open(FOUR, LATE).change(
        FOUR, resolution=Resolution("x", "y", "jane", True, ResolutionReason.FIXED)
    )
    column = f"urn:col:{ORDERS}:id"
    reads, writes = [(ORDERS, "job:a"), (column, "c")], [(PAYMENTS, "job:a"), (column, "b")]
    return story.declare(spec(reads=reads, writes=writes)).retire(PAYMENTS)


def _agreed() -> dict[str, Any]:
    everything = evolve(SEED_DATASET.settings, incident_policy=IncidentPolicy())
    return {one.name: getattr(everything, one.name) for one in fields(Settings)}


def _found() -> dict[str, Any]:
    return {
        "window_type": "TUMBLING_5MIN",
        "slo_threshold": 0.95,
        "failure_signature": MISSING,
        "top_producer": PRODUCER,
        "evidence_sample": (EVIDENCE,),
    }


@cache
def everything() -> dict[str, list[Row]]:
    return rows_of(eventful().facts)


# What is promised.


def test_there_are_five_of_the_current_draft() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(
        {f"{name}.schema.json" for name in NAMES.values()}
    )
    for name in NAMES.values():
        assert schema(name)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        jsonschema_rs.meta.validate(schema(name))


@settings(max_examples=60, deadline=None)
@given(st.lists(chapters, max_size=25))
def test_rows_of_any_story_fit(chapters: list[tuple[object, dict[str, object]]]) -> None:
    found = rows_of(told(chapters).facts)
    assert found["dataset-registry"]
    assert {name: problems(name, row) for name in WRITTEN for row in found[name]} == {
        name: [] for name in WRITTEN if found[name]
    }


@pytest.mark.parametrize("name", WRITTEN)
def test_every_attribute_that_is_described_is_written(name: str) -> None:
    """And every one that is written is described."""
    rows = everything()[name]
    assert {one for row in rows for one in row} == set(schema(name)["properties"])
    assert [told for row in rows for told in problems(name, row)] == []


WRONG: Sequence[Any] = (None, True, -1, {"a": 1}, [{}])


@pytest.mark.parametrize("name", WRITTEN)
def test_a_row_with_something_else_in_it_does_not_fit(name: str) -> None:
    for row in everything()[name]:
        assert problems(name, {**row, "surprise": 1})
        for attribute in row:
            for wrong in WRONG:
                assert problems(name, {**row, attribute: wrong}) or row[attribute] == wrong


@pytest.mark.parametrize("name", WRITTEN)
def test_a_row_that_lacks_something_does_not_fit(name: str) -> None:
    required = schema(name)["required"]
    assert {"PK", "SK", "position"} <= set(required)
    for row in everything()[name]:
        for attribute in required:
            assert problems(name, {key: row[key] for key in row if key != attribute})


def some(name: str, **wanted: Any) -> Row:
    """A row of everything with these attributes."""
    return next(row for row in everything()[name] if wanted.items() <= row.items())


def test_what_contradicts_itself_does_not_fit() -> None:
    """Sparse attributes stand only where they belong (T4, S0-088); open incidents do not expire."""
    ok = some("signal-state", state="OK")
    assert problems("signal-state", {**ok, "breach_state": "CRITICAL", "breach_rank": "x"})
    bad = some("signal-state", state="CRITICAL", breach_state="CRITICAL")
    assert problems("signal-state", {key: bad[key] for key in bad if key != "breach_rank"})
    still_open = some("incident-index", status="ACKNOWLEDGED")
    assert problems("incident-index", {**still_open, "ttl": 1_800_000_000})
    archived = some("dataset-registry", SK="CONFIG#v1")
    assert problems("dataset-registry", {**archived, "listed_tier": "ACTIVE#TIER_1"})
    reader = some("lineage-index", consumer_id="job:a")
    assert problems("lineage-index", {**reader, "producer_id": "job:a"})


# Evidence, which no projection writes.

SEED_EVIDENCE: dict[str, Any] = {
    "evidence_id": EVIDENCE,
    "dataset_urn": ORDERS,
    "created_at": "2026-01-15T09:58:02.312Z",
    "producer": {"producer_id": "orders-svc", "version": "v3.17", "confidence": "HIGH"},
    "source": {"topic": "raw.orders.events", "partition": 12, "offset": 847293847},
    "validation": {
        "result": "FAIL",
        "failed_gates": ["G4_CONTRACT"],
        "reason_codes": ["MISSING_FIELD:customer_id"],
    },
    "fingerprints": {"schema_fingerprint": "sha256:9f2c", "payload_hash": "sha256:ab12"},
    "otel": {"trace_id": "abc123def456", "span_id": "789xyz"},
    "payload_ref": "s3://evidence-bucket/2026/01/15/evd-01HQXY8MNP.json.gz",
    "payload_size_bytes": 2048,
    "ttl": 1768557483,
}
"""As the design has it, but for the ttl, which lay in the past (T2): 24 hours later, rounded up."""


def test_evidence_as_the_design_has_it_fits() -> None:
    """S0-103..S0-109"""
    row = {**SEED_EVIDENCE, "recorded_at": SEED_EVIDENCE["created_at"]}
    assert problems("evidence-cache", row) == []
    ours = {"recorded_at", "pinned"}
    assert set(schema("evidence-cache")["properties"]) == set(SEED_EVIDENCE) | ours


@pytest.mark.parametrize("one", [FULL, BARE, evolve(FULL, failed_gates=(), reason_codes=())])
@pytest.mark.parametrize("pinned", [True, False])
def test_evidence_fits_as_it_is_written(one: Evidence, pinned: bool) -> None:
    row = evidence_rows.to_row(one, KEPT_FOR.evidence, pinned=pinned)
    assert problems("evidence-cache", row) == []
    assert problems("evidence-cache", {**row, "ttl": 1, "pinned": True})


@pytest.mark.parametrize(
    ("attribute", "wrong"),
    [
        ("evidence_id", "evd-1"),
        ("created_at", "yesterday"),
        ("validation", {"result": "MAYBE"}),
        ("validation", {"result": "FAIL"}),
        ("payload_size_bytes", -1),
        ("ttl", "soon"),
        ("surprise", 1),
    ],
)
def test_evidence_that_is_wrong_does_not_fit(attribute: str, wrong: object) -> None:
    row = evidence_rows.to_row(FULL, KEPT_FOR.evidence)
    assert problems("evidence-cache", {**row, attribute: wrong})

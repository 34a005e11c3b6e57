"""Evidence over gRPC: what became of each, in order, and what is shown of it (S0-136..S0-138)."""

from datetime import timedelta
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from application.errors import Damaged, Overloaded
from domain.timestamps import stamp
from entrypoints.grpc.evidence.requests import AT_ONCE
from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import evidence_pb2 as m
from entrypoints.interfaces.evidence_input import MOST_ITEMS
from tests.entrypoints.grpc.support.alike import plain
from tests.entrypoints.grpc.support.both import Both, both_served
from tests.entrypoints.http.api import NOW, ORDERS, Raising
from tests.entrypoints.support.sample_evidence import (
    KEPT_PASS,
    LEFT_OUT,
    evidence,
    message,
    named,
    passed,
)

Code = grpc.StatusCode


def put(both: Both, *said: dict[str, Any]) -> m.BatchPutEvidenceResponse:
    told: m.BatchPutEvidenceResponse = both.call(
        m.BatchPutEvidenceRequest(evidence=map(message, said))
    )
    return told


def got(both: Both, name: str) -> m.Evidence:
    told: m.Evidence = both.call(m.GetEvidenceRequest(evidence_id=name))
    return told


def test_all_that_is_said_is_shown_again(both: Both) -> None:
    assert both.call(m.PutEvidenceRequest(evidence=message(evidence()))).kept
    assert plain(got(both, named(0))) == evidence() | {"recorded_at": stamp(NOW)}


def test_only_what_must_be_said(both: Both) -> None:
    said = {name: evidence()[name] for name in ("evidence_id", "dataset_urn", "created_at")}
    said["validation"] = {"result": "FAIL"}
    assert put(both, said).stored_count == 1
    shown = got(both, named(0))
    assert plain(shown) == said | {"recorded_at": stamp(NOW)}
    assert not shown.HasField("producer")
    assert not shown.HasField("source")


def test_each_is_answered_in_its_place(both: Both) -> None:
    """One that is wrong does not stop the others, and a PASS may be left out (S0-316)."""
    told = put(both, evidence(1), passed(LEFT_OUT), evidence(2, dataset_urn="?"), passed(KEPT_PASS))
    assert [one.kept for one in told.results] == [True, False, False, True]
    assert [one.error_code for one in told.results] == ["", "", "VALIDATION", ""]
    assert (told.stored_count, told.sampled_out_count, told.failure_count) == (2, 1, 1)
    assert [one.field for one in told.results[2].violations] == ["dataset_urn"]
    assert got(both, KEPT_PASS).validation.result == "PASS"
    assert both.refused(m.GetEvidenceRequest(evidence_id=LEFT_OUT)).code is Code.NOT_FOUND


def test_answers_keep_their_places_in_large_batches(both: Both) -> None:
    said = [
        evidence(n, dataset_urn="?" if n % 7 == 0 else ORDERS)
        for n in range(AT_ONCE - 3, 2 * AT_ONCE)
    ]
    told = put(both, *said)
    assert [one.kept for one in told.results] == [one["dataset_urn"] == ORDERS for one in said]


@pytest.mark.parametrize(
    ("seconds", "nanos"), [(2**62, 0), (-(2**62), 0), (1_768_478_400, -1), (1_768_478_400, 10**9)]
)
def test_a_moment_that_is_none(both: Both, seconds: int, nanos: int) -> None:
    one = message(evidence())
    one.created_at.CopyFrom(Timestamp(seconds=seconds, nanos=nanos))
    told = both.call(m.PutEvidenceRequest(evidence=one))
    assert not told.kept
    assert [(each.field, each.code) for each in told.violations] == [("created_at", "MALFORMED")]


def test_moments_are_kept_to_the_millisecond(both: Both) -> None:
    one = message(evidence())
    one.created_at.nanos = 123_999_999
    both.call(m.PutEvidenceRequest(evidence=one))
    assert got(both, named(0)).created_at.nanos == 123_000_000


def test_too_many_are_refused_whole(both: Both) -> None:
    sent = m.BatchPutEvidenceRequest(evidence=[message(evidence())] * (MOST_ITEMS + 1))
    told = both.refused(sent)
    assert (told.code, told.violations) == (Code.INVALID_ARGUMENT, {"evidence": "TOO_MANY"})
    assert both.refused(m.GetEvidenceRequest(evidence_id=named(0))).code is Code.NOT_FOUND


def test_many_are_read_in_the_order_asked(both: Both) -> None:
    put(both, evidence(1), evidence(2), evidence(3))
    asked = [named(3), named(9), named(1), named(3)]
    told = both.call(m.BatchGetEvidenceRequest(evidence_ids=asked))
    assert [one.evidence_id for one in told.evidence] == [named(3), named(1)]
    assert list(told.missing_ids) == [named(9)]


def test_what_is_asked_for_must_look_like_evidence(both: Both) -> None:
    told = both.refused(m.BatchGetEvidenceRequest(evidence_ids=[named(1), "EVD-1"]))
    assert told.violations == {"evidence_ids[1]": "MALFORMED"}
    many = [named(n) for n in range(501)]
    told = both.refused(m.BatchGetEvidenceRequest(evidence_ids=many))
    assert told.violations == {"evidence_ids": "TOO_MANY"}
    assert both.refused(m.GetEvidenceRequest()).violations == {"evidence_id": "MALFORMED"}


def test_a_dataset_is_listed_from_the_last_to_the_first(both: Both) -> None:
    put(both, *(evidence(n) for n in range(7)), evidence(8, dataset_urn="urn:dp:a:b:v1"))
    asked = m.ListEvidenceRequest(dataset_urn=ORDERS, page_size=3)
    pages = []
    while True:
        told = both.call(asked)
        pages.append([one.evidence_id for one in told.evidence])
        if not told.next_page_token:
            break
        asked.page_token = told.next_page_token
    assert pages == [[named(0), named(1), named(2)], [named(3), named(4), named(5)], [named(6)]]


def test_a_span_of_time(both: Both) -> None:
    put(both, *(evidence(n) for n in range(7)))
    asked = m.ListEvidenceRequest(
        dataset_urn=ORDERS,
        created_since=timestamp(NOW - timedelta(minutes=4)),
        created_before=timestamp(NOW - timedelta(minutes=2)),
    )
    assert [one.evidence_id for one in both.call(asked).evidence] == [named(3), named(4)]


def test_a_list_that_cannot_be_asked_for(both: Both) -> None:
    asked = m.ListEvidenceRequest(
        dataset_urn="orders",
        created_since=timestamp(NOW),
        created_before=timestamp(NOW - timedelta(minutes=2)),
        page_size=501,
        page_token="x",
    )
    assert both.refused(asked).violations == {
        "dataset_urn": "MALFORMED",
        "created_since": "INCONSISTENT",
        "page_size": "OUT_OF_RANGE",
        "page_token": "MALFORMED",
    }


def test_what_has_ended_comes_from_the_archive(both: Both) -> None:
    put(both, evidence(1))
    both.http.clock.at = NOW + timedelta(hours=25)
    assert got(both, named(1)).archived
    asked = m.ListEvidenceRequest(dataset_urn=ORDERS, created_since=timestamp(NOW - timedelta(1)))
    assert [one.archived for one in both.call(asked).evidence] == [True]


@pytest.mark.parametrize(
    ("error", "code", "reason", "later"),
    [
        (Overloaded("evidence"), Code.RESOURCE_EXHAUSTED, "OVERLOADED", 1.0),
        (Damaged("the archive", "a bit fell over"), Code.DATA_LOSS, "DATA_CORRUPTED", None),
    ],
)
def test_what_the_store_cannot_do(
    error: Exception, code: Code, reason: str, later: float | None
) -> None:
    with both_served("memory", lambda one: one.put_evidence.override(Raising(error))) as both:
        told = both.refused(m.BatchPutEvidenceRequest(evidence=[message(evidence())]))
    assert (told.code, told.reason, told.retry_after) == (code, reason, later)

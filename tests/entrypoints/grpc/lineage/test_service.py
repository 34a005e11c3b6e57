"""The LineageService, compared with what HTTP answers."""

from datetime import timedelta
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import lineage_pb2 as pb
from entrypoints.grpc.messages.common_pb2 import ReadOptions
from tests.entrypoints.grpc.support.alike import in_json, plain, without_nothing
from tests.entrypoints.grpc.support.both import Both
from tests.entrypoints.http.api import NOON, NOW, ORDERS, fields

INVOICES = "urn:dp:finance:invoices:v1"
CUSTOMER = f"urn:col:{ORDERS}:customer_id"
SPEC = "lspec:job:finance:git:9f31c2d"
PATH = f"/api/v1/lineage/specs/{SPEC}"


def entry(urn: str, name: str = "finance") -> pb.DeclaredEntry:
    return pb.DeclaredEntry(urn=urn, entity_id=f"job:{name}", entity_name=name, entity_type="JOB")


def spec(**other: Any) -> pb.DeclareLineageRequest:
    given: dict[str, Any] = {
        "spec_id": SPEC,
        "dataset_reads": [entry(ORDERS)],
        "dataset_writes": [entry(INVOICES)],
        "column_reads": [entry(CUSTOMER)],
        "column_writes": [entry(f"urn:col:{INVOICES}:customer")],
        "confidence": "HIGH",
        "commit": "9f31c2d",
        "updated_at": timestamp(NOON),
        **other,
    }
    return pb.DeclareLineageRequest(**given)


def as_http_has_it(sent: pb.DeclareLineageRequest) -> dict[str, Any]:
    """The same over HTTP, where entries say whether their URN is a dataset's or a column's."""
    said: dict[str, Any] = in_json(sent)
    for kind in ("dataset", "column"):
        for role in ("reads", "writes"):
            for one in said.get(f"{kind}_{role}", []):
                if "urn" in one:
                    one[f"{kind}_urn"] = one.pop("urn")
    return said


def over_http(both: Both, path: str, **parameters: str) -> Any:
    answer = both.http.get(path, params=parameters)
    assert answer.status_code == 200, answer.text
    return without_nothing(answer.json())


def test_a_spec_is_declared_as_over_http(both: Both) -> None:
    told = both.call(spec())
    assert told.result == "applied"
    assert told.answer.position
    again = both.http.put(PATH, as_http_has_it(spec())).json()
    assert {**plain(told), "result": "unchanged"} == {
        name: value for name, value in again.items() if name != "position"
    }
    assert both.call(spec()).result == "unchanged"
    older = spec(updated_at=timestamp(NOON - timedelta(days=1)), ttl_seconds=86400)
    assert both.call(older).result == "superseded"
    assert both.call(older).current_spec_id == SPEC


def test_how_long_it_holds_may_be_said(both: Both) -> None:
    told = both.call(spec(ttl_seconds=2 * 86400))
    assert told.expires_at == timestamp(NOON + timedelta(days=2))


@pytest.mark.parametrize(
    "wrong",
    [
        spec(confidence="", commit="", updated_at=None),
        spec(confidence="SOME", commit="abc", ttl_seconds=0),
        spec(updated_at=timestamp(NOW + timedelta(days=1)), ttl_seconds=2**63 - 1),
        spec(
            dataset_reads=[pb.DeclaredEntry(), entry("x"), entry(CUSTOMER)],
            column_writes=[entry(ORDERS), entry(CUSTOMER), entry(CUSTOMER)],
        ),
        spec(dataset_writes=[pb.DeclaredEntry(urn=ORDERS, entity_id=" ", entity_type="CAT")]),
        spec(dataset_reads=[entry(ORDERS)] * 1001),
    ],
    ids=["nothing", "words", "life", "entries", "entity", "many"],
)
def test_all_that_is_wrong_is_told_as_over_http(
    both: Both, wrong: pb.DeclareLineageRequest
) -> None:
    head = both.http.head()
    refused = both.refused(wrong)
    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations == fields(both.http.put(PATH, as_http_has_it(wrong)))
    assert both.http.head() == head


def test_names_and_moments_that_cannot_be(both: Both) -> None:
    early = Timestamp(seconds=-62135596801)
    assert both.refused(spec(spec_id="x", updated_at=early)).violations == {
        "spec_id": "MALFORMED",
        "updated_at": "MALFORMED",
    }
    assert both.refused(spec(spec_id="")).violations == {"spec_id": "REQUIRED"}
    before = spec(updated_at=Timestamp(seconds=-1))
    assert both.refused(before).violations == {"updated_at": "OUT_OF_RANGE"}


def test_writers_and_readers(both: Both) -> None:
    both.call(spec())
    others = [entry(ORDERS, "others"), entry(ORDERS, "third")]
    both.call(spec(spec_id="lspec:job:others:git:9f31c2d", dataset_reads=others))
    for urn, path in (
        (ORDERS, f"/api/v1/datasets/{ORDERS}"),
        (INVOICES, f"/api/v1/datasets/{INVOICES}"),
        (CUSTOMER, f"/api/v1/columns/{CUSTOMER}"),
    ):
        readers, writers = pb.ListReadersRequest(urn=urn), pb.ListWritersRequest(urn=urn)
        in_http = over_http(both, f"{path}/readers")
        assert plain(both.call(readers)).get("entries") == in_http.get("readers")
        in_http = over_http(both, f"{path}/writers")
        assert plain(both.call(writers)).get("entries") == in_http.get("writers")
    assert both.call(pb.ListReadersRequest(urn=CUSTOMER)).entries[0].other_spec_ids


def test_pages(both: Both) -> None:
    both.call(spec(dataset_reads=[entry(ORDERS, name) for name in ("a", "b", "c")]))
    every = both.call(pb.ListReadersRequest(urn=ORDERS))
    first = both.call(pb.ListReadersRequest(urn=ORDERS, page_size=2))
    assert list(first.entries) == every.entries[:2]
    token = first.next_page_token
    rest = both.call(pb.ListReadersRequest(urn=ORDERS, page_token=token))
    assert list(rest.entries) == every.entries[2:]
    other = both.refused(pb.ListWritersRequest(urn=ORDERS, page_token=token))
    assert other.violations == {"page_token": "MALFORMED"}


def test_lists_that_cannot_be(both: Both) -> None:
    for kind in (pb.ListWritersRequest, pb.ListReadersRequest):
        asked = kind(urn="x", page_size=-1, options=ReadOptions(strong=True, min_position="x"))
        assert both.refused(asked).violations == {
            "urn": "MALFORMED",
            "page_size": "OUT_OF_RANGE",
            "strong": "UNSUPPORTED",
            "min_position": "MALFORMED",
        }


def test_what_lies_downstream(both: Both) -> None:
    both.http.registered(dataset_urn=INVOICES, tier="TIER_2")
    both.call(spec())
    path = f"/api/v1/datasets/{ORDERS}/impact"
    for field, depth in (("", None), ("", 1), ("customer_id", None), ("customer_id", 20)):
        asked = pb.GetDatasetImpactRequest(dataset_urn=ORDERS, field=field, depth=depth)
        parameters = {"field": field} if field else {}
        parameters |= {"depth": str(depth)} if depth else {}
        told = both.call(asked)
        (affected,) = told.datasets
        assert affected.whole is (not field)
        affected.whole = False
        assert plain(told) == over_http(both, path, **parameters)


def test_impacts_that_cannot_be(both: Both) -> None:
    asked = pb.GetDatasetImpactRequest(
        dataset_urn="x", field="also wrong", depth=21, options=ReadOptions(strong=True)
    )
    assert both.refused(asked).violations == {
        "dataset_urn": "MALFORMED",
        "depth": "OUT_OF_RANGE",
        "strong": "UNSUPPORTED",
    }
    asked = pb.GetDatasetImpactRequest(dataset_urn=ORDERS, field="a b", depth=0)
    assert both.refused(asked).violations == {"field": "MALFORMED", "depth": "OUT_OF_RANGE"}


def test_lineage_as_it_was(both: Both) -> None:
    both.call(spec())
    both.http.clock.at += timedelta(hours=1)
    nobody = spec(dataset_reads=[], column_reads=[], updated_at=timestamp(NOW))
    both.call(nobody)
    assert not both.call(pb.ListReadersRequest(urn=ORDERS)).entries
    then = ReadOptions(as_of=timestamp(NOW))
    assert both.call(pb.ListReadersRequest(urn=ORDERS, options=then)).entries
    asked = pb.GetDatasetImpactRequest(dataset_urn=ORDERS, options=then)
    assert [one.entity_id for one in both.call(asked).entities] == ["job:finance"]


def test_a_repeated_call_is_done_once(both: Both) -> None:
    assert [both.call(spec(), key="a").answer.replayed for _ in range(2)] == [False, True]
    refused = both.refused(spec(ttl_seconds=86400), key="a")
    assert refused.reason == "IDEMPOTENCY_KEY_REUSED"

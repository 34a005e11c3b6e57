"""Evidence over HTTP: JSON and lines, plain and compressed, and what is shown of it."""

import asyncio
import gzip
import re
import zlib
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.types import Message

from application.errors import Damaged, Overloaded
from domain.timestamps import stamp
from entrypoints.http.evidence.body import LARGEST, NDJSON, SLICE, evidence_sent
from tests.entrypoints.http.api import NOW, ORDERS, Api, fields, problem, serving
from tests.entrypoints.support.sample_evidence import KEPT_PASS, LEFT_OUT, evidence, named, passed
from tests.support.event_loop_turns import others_go_on
from tests.support.scale import scaled

PATH = "/api/v1/evidence"
DOCUMENT = Path(__file__).parents[4] / "docs" / "evidence.md"


def lines(*items: Any) -> bytes:
    return b"\n".join(one if isinstance(one, bytes) else orjson.dumps(one) for one in items)


def put_lines(api: Api, sent: bytes, **headers: str) -> httpx.Response:
    said = {"Content-Type": NDJSON, **headers}
    return api.ask("POST", PATH, content=sent, headers=said)


def told(answer: httpx.Response) -> list[Any]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == NDJSON
    return [orjson.loads(line) for line in answer.content.splitlines()]


def test_all_that_is_said_is_shown_again(api: Api) -> None:
    answer = api.post(PATH, evidence()).json()
    assert answer == {
        "results": [{"evidence_id": named(0), "outcome": "STORED"}],
        "stored_count": 1,
        "sampled_out_count": 0,
        "failure_count": 0,
    }
    shown = api.get(f"{PATH}/{named(0)}").json()
    assert shown == evidence() | {"recorded_at": stamp(NOW), "archived": False}
    # What was read can be put again.
    assert api.post(PATH, shown).json()["stored_count"] == 1


def test_the_example_of_the_documents_is_taken_as_it_stands(api: Api) -> None:
    (example,) = re.findall(r"```json\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert api.post(PATH, orjson.loads(example)).json()["stored_count"] == 1


def test_a_list_is_answered_one_by_one(api: Api) -> None:
    sent = [evidence(1), passed(LEFT_OUT), evidence(2, dataset_urn=3), passed(KEPT_PASS), 7]
    answer = api.post(PATH, sent)
    assert answer.status_code == 200
    results = answer.json()["results"]
    outcomes = [one["outcome"] for one in results]
    assert outcomes == ["STORED", "SAMPLED_OUT", "REJECTED", "STORED", "REJECTED"]
    assert [one["field"] for one in results[2]["violations"]] == ["dataset_urn"]
    assert [one["code"] for one in results[4]["violations"]] == ["WRONG_TYPE"]
    assert answer.json()["failure_count"] == 2


def test_a_broken_line_does_not_lose_the_others(api: Api) -> None:
    sent = lines(evidence(1), b"", b'{"evidence_id": ', b"\r", passed(LEFT_OUT), b"[]")
    answers = told(put_lines(api, sent))
    assert [(one["line"], one["outcome"]) for one in answers] == [
        (1, "STORED"),
        (3, "REJECTED"),
        (5, "SAMPLED_OUT"),
        (6, "REJECTED"),
    ]
    assert "is not JSON" in answers[1]["error_message"]
    assert api.get(f"{PATH}/{named(1)}").status_code == 200


@pytest.mark.parametrize("compressed", [gzip.compress, lambda raw: raw], ids=["gzip", "plain"])
def test_both_shapes_plain_and_compressed(api: Api, compressed: Any) -> None:
    encoding = {"Content-Encoding": "gzip"} if compressed is gzip.compress else {}
    answers = told(put_lines(api, compressed(lines(evidence(1), evidence(2))), **encoding))
    assert [one["outcome"] for one in answers] == ["STORED", "STORED"]
    json = {"Content-Type": "application/json", **encoding}
    listed = compressed(orjson.dumps([evidence(3)]))
    assert api.ask("POST", PATH, content=listed, headers=json).json()["stored_count"] == 1


def test_several_members_of_a_gzip_are_one_body(api: Api) -> None:
    sent = gzip.compress(lines(evidence(1)) + b"\n") + gzip.compress(lines(evidence(2)))
    assert len(told(put_lines(api, sent, **{"Content-Encoding": "gzip"}))) == 2


@pytest.mark.parametrize("members", [1, 3])
def test_a_bomb_is_refused(api: Api, members: int) -> None:
    bomb = gzip.compress(b" " * (LARGEST // members + members)) * members
    answer = put_lines(api, bomb, **{"Content-Encoding": "gzip"})
    assert (answer.status_code, problem(answer)["code"]) == (413, "TOO_LARGE")


@pytest.mark.parametrize(
    ("sent", "encoding", "status", "code"),
    [
        (b"no gzip", "gzip", 400, "MALFORMED_GZIP"),
        (gzip.compress(lines(evidence()))[:-9], "gzip", 400, "MALFORMED_GZIP"),
        (gzip.compress(lines(evidence())) + b"rest", "gzip", 400, "MALFORMED_GZIP"),
        (zlib.compress(lines(evidence())), "deflate", 415, "UNSUPPORTED_MEDIA_TYPE"),
        (b"", "br", 415, "UNSUPPORTED_MEDIA_TYPE"),
    ],
)
def test_what_is_not_compressed_as_it_says(
    api: Api, sent: bytes, encoding: str, status: int, code: str
) -> None:
    answer = put_lines(api, sent, **{"Content-Encoding": encoding})
    assert (answer.status_code, problem(answer)["code"]) == (status, code)
    assert api.get(f"{PATH}/{named(0)}").status_code == 404


def test_what_says_that_it_is_something_else(api: Api) -> None:
    for kind in ("text/csv", "application/x-www-form-urlencoded", ""):
        answer = api.ask("POST", PATH, content=b"{}", headers={"Content-Type": kind})
        assert problem(answer)["status"] == 415
        assert "application/x-ndjson, plain or with gzip" in problem(answer)["detail"]


def test_when_every_item_is_wrong(api: Api) -> None:
    assert fields(api.post(PATH, [{}, 1])) == {
        "evidence[0].evidence_id": "MALFORMED",
        "evidence[0].dataset_urn": "MALFORMED",
        "evidence[0].created_at": "REQUIRED",
        "evidence[0].validation.result": "REQUIRED",
        "evidence[1].evidence": "WRONG_TYPE",
    }
    assert fields(put_lines(api, b"\n{")) == {"line 2.evidence": "MALFORMED"}


@pytest.mark.parametrize("sent", [b"", b"\n\n", b"[]"])
def test_nothing_at_all(api: Api, sent: bytes) -> None:
    kind = "application/json" if sent == b"[]" else NDJSON
    answer = api.ask("POST", PATH, content=sent, headers={"Content-Type": kind})
    assert fields(answer) == {"evidence": "REQUIRED"}


def test_too_many_are_refused_whole(api: Api) -> None:
    sent = gzip.compress(lines(evidence(), *[b"1"] * 5_000))
    assert fields(put_lines(api, sent, **{"Content-Encoding": "gzip"})) == {"evidence": "TOO_MANY"}
    assert api.get(f"{PATH}/{named(0)}").status_code == 404


@pytest.mark.parametrize("sent", [b"{}," * 100_001, b"[]," * 100_001, b"1," * 600_001])
def test_what_has_too_much_in_it_is_not_even_parsed(api: Api, sent: bytes) -> None:
    """It would be told that it is no JSON."""
    small = gzip.compress(b"[" + sent)
    said = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    answer = api.ask("POST", PATH, content=small, headers=said)
    assert fields(answer) == {"evidence": "TOO_MANY"}
    assert "at most 5000" in answer.text


def request_of(sent: bytes) -> Request:
    async def receive() -> Message:
        return {"type": "http.request", "body": sent, "more_body": False}

    headers = [(b"content-type", NDJSON.encode()), (b"content-encoding", b"gzip")]
    return Request({"type": "http", "headers": headers}, receive)


def test_no_more_lines_are_parsed_than_may_be_sent() -> None:
    request = request_of(gzip.compress(b"\n" * 70_000 + b"\n1" * 200_000))
    sent = asyncio.run(evidence_sent(request))
    assert len(sent.documents) == 5_001
    assert sent.lines == list(range(70_002, 75_003))


@pytest.mark.parametrize(
    "sent",
    [gzip.compress(b"x" * 200_000, 0), gzip.compress(b"1\n") * 9_000],
    ids=["one large member", "many small members"],
)
def test_others_have_their_turn_while_it_is_inflated(sent: bytes) -> None:
    """As often as it has slices."""

    async def story() -> int:
        reading, turns = asyncio.create_task(evidence_sent(request_of(sent))), 0
        while not reading.done():
            await others_go_on()
            turns += 1
        return turns

    assert asyncio.run(story()) >= len(sent) // SLICE


@pytest.mark.parametrize(
    ("error", "status", "code", "later"),
    [
        (Overloaded("evidence"), 429, "OVERLOADED", "1"),
        (Damaged("the archive", "a bit fell over"), 500, "DATA_CORRUPTED", None),
    ],
)
def test_what_the_store_cannot_do(
    api: Api, error: Exception, status: int, code: str, later: str | None
) -> None:
    with api.failing("put_evidence", error):
        answer = api.post(PATH, evidence())
    assert (answer.status_code, problem(answer)["code"]) == (status, code)
    assert answer.headers.get("retry-after") == later


def test_many_are_read_in_the_order_asked(api: Api) -> None:
    api.post(PATH, [evidence(1), evidence(2), evidence(3)])
    asked = [("ids", f"{named(3)},{named(9)}"), ("ids", named(1)), ("ids", named(3))]
    answer = api.get(PATH, params=asked).json()
    assert [one["evidence_id"] for one in answer["evidence"]] == [named(3), named(1)]
    assert answer["missing_ids"] == [named(9)]


def test_what_is_asked_for_must_look_like_evidence(api: Api) -> None:
    assert fields(api.get(f"{PATH}/evd-1")) == {"evidence_id": "MALFORMED"}
    assert fields(api.get(PATH, params={"ids": f"{named(1)},x"})) == {"ids[1]": "MALFORMED"}
    assert fields(api.get(PATH)) == {"ids": "REQUIRED"}
    many = ",".join(map(named, range(501)))
    assert fields(api.get(PATH, params={"ids": many})) == {"ids": "TOO_MANY"}
    assert problem(api.get(f"{PATH}/{named(1)}"))["code"] == "NOT_FOUND"


def listed(api: Api, **asked: Any) -> httpx.Response:
    return api.get(f"/api/v1/datasets/{ORDERS}/evidence", params=asked)


def test_a_dataset_is_listed_from_the_last_to_the_first(api: Api) -> None:
    api.post(PATH, [evidence(n) for n in range(5)])
    first = listed(api, page_size=3).json()
    assert [one["evidence_id"] for one in first["evidence"]] == [named(0), named(1), named(2)]
    rest = listed(api, page_size=3, page_token=first["next_page_token"]).json()
    assert [one["evidence_id"] for one in rest["evidence"]] == [named(3), named(4)]
    assert rest["next_page_token"] is None


def test_a_span_of_time_and_what_has_ended(api: Api) -> None:
    api.post(PATH, [evidence(n) for n in range(5)])
    span = {
        "created_since": stamp(NOW - timedelta(minutes=3)),
        "created_before": stamp(NOW - timedelta(minutes=1)),
    }
    shown = listed(api, **span).json()["evidence"]
    assert [(one["evidence_id"], one["archived"]) for one in shown] == [
        (named(2), False),
        (named(3), False),
    ]
    api.clock.at = NOW + timedelta(hours=25)
    assert [one["archived"] for one in listed(api, **span).json()["evidence"]] == [True, True]
    assert api.get(f"{PATH}/{named(1)}").json()["archived"]
    assert listed(api).json()["evidence"] == []


def test_a_list_that_cannot_be_asked_for(api: Api) -> None:
    asked = listed(api, created_since=stamp(NOW), created_before=stamp(NOW - timedelta(1)))
    assert fields(asked) == {"created_since": "INCONSISTENT"}
    assert fields(listed(api, created_since="noon")) == {"created_since": "MALFORMED"}
    assert fields(listed(api, page_size=501)) == {"page_size": "OUT_OF_RANGE"}
    assert fields(listed(api, page_token="x")) == {"page_token": "MALFORMED"}


plain = st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats() | st.text(max_size=9)
anything = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(sorted(evidence())) | st.text(max_size=5), inner)
    ),
    max_leaves=6,
)
spoilt = st.builds(
    lambda field, value: evidence(1) | {field: value}, st.sampled_from(sorted(evidence())), anything
)
deep: Any = b'{"otel":' * 500 + b"1" + b"}" * 500


@settings(max_examples=scaled(100, 3_000), suppress_health_check=list(HealthCheck), deadline=None)
@given(sent=st.lists(spoilt | anything, max_size=4), raw=st.binary(max_size=30))
def test_whatever_is_sent_each_has_its_answer(sent: list[Any], raw: bytes) -> None:
    """Good evidence beside it is kept all the same, and no answer is missing."""
    body = lines(evidence(7), *sent, deep, raw.replace(b"\n", b"") + b" x")
    answers = told(put_lines(_shared(), body))
    assert [one["line"] for one in answers] == list(range(1, len(sent) + 4))
    assert answers[0]["outcome"] == "STORED"
    assert answers[-2]["outcome"] == "REJECTED"
    for one in answers:
        assert (one["outcome"] == "REJECTED") == bool(one.get("violations"))


_store: list[Api] = []


def _shared() -> Api:
    return _store[0]


@pytest.fixture(scope="module", autouse=True)
def _stored() -> Any:
    with serving("memory") as api:
        _store.append(api)
        yield
        _store.clear()

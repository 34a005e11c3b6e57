"""
Evidence as bytes: no item comes twice.

Repeated fields of a message may be put together from their bytes, and a number of always the same
width may be put into the bytes of an item, so that a million items are prepared in seconds, before
the client begins to send them.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import count, islice

import orjson
from google.protobuf.json_format import MessageToDict
from google.protobuf.timestamp_pb2 import Timestamp

from adapters.system.ulids import Ulids
from domain.evidence import is_kept
from entrypoints.grpc.messages import common_pb2
from entrypoints.grpc.messages import evidence_pb2 as m
from tests.bench.http_wire import request
from tests.bench.prepared import STILL
from tests.bench.reports import dataset_urn

_SERVICE = "/observability.statestore.v1.EvidenceCacheService"
PUT_MANY, GET_MANY = f"{_SERVICE}/BatchPutEvidence", f"{_SERVICE}/BatchGetEvidence"

BATCH = 500
FAILING, KEPT_PASSING = BATCH * 2 // 100, BATCH // 100
PASS_RATE = 0.01
_STAND_IN = 10**16 - 1
"""The number of the items that others are made of."""


class EvidenceBatches:
    """Batches of which 2 % failed and 1 % passed and are kept, as in life."""

    def __init__(self) -> None:
        self._numbers = count(int(datetime.now(UTC).timestamp()) * 1_000_000)
        self.failed: list[str] = []
        self._left_out = [
            _sent(_item(_STAND_IN, place, "PASS")).split(_digits(_STAND_IN))
            for place in range(BATCH - FAILING - KEPT_PASSING)
        ]

    def requests(self, number: int) -> Sequence[bytes]:
        return [b"".join((*self._kept(), *self._sampled_out())) for _ in range(number)]

    def lines(self, number: int, token: str) -> Sequence[bytes]:
        """The same as whole HTTP requests."""
        return [self._as_lines(one, token) for one in self.requests(number)]

    def _as_lines(self, sent: bytes, token: str) -> bytes:
        items = m.BatchPutEvidenceRequest.FromString(sent).evidence
        body = b"\n".join(orjson.dumps(_plain(one)) for one in items)
        said = ["content-type: application/x-ndjson", f"content-length: {len(body)}"]
        return request("POST", "/api/v1/evidence", token, *said) + body

    def _kept(self) -> Iterator[bytes]:
        failed = list(islice(self._numbers, FAILING))
        self.failed += map(_named, failed)
        passed = islice(self._passing(kept=True), KEPT_PASSING)
        yield from (_sent(_item(number, place, "FAIL")) for place, number in enumerate(failed))
        yield from (_sent(_item(number, place, "PASS")) for place, number in enumerate(passed))

    def _sampled_out(self) -> Iterator[bytes]:
        numbers = map(_digits, self._passing(kept=False))
        # The template ends first, so that no number is lost.
        return (number.join(parts) for parts, number in zip(self._left_out, numbers, strict=False))

    def _passing(self, *, kept: bool) -> Iterator[int]:
        return (
            number for number in self._numbers if is_kept(_named(number), "PASS", PASS_RATE) is kept
        )


def lookups(names: Sequence[str], of: int) -> Sequence[bytes]:
    return [
        m.BatchGetEvidenceRequest(evidence_ids=names[start : start + of]).SerializeToString()
        for start in range(0, len(names) - of, of)
    ]


def _named(number: int) -> str:
    return f"evd-{_just_now()}{number:016}"


@cache
def _just_now() -> str:
    """What ids begin with that are made now: older ones are looked for before they are taken."""
    return Ulids().text()[:10]


def _digits(number: int) -> bytes:
    """How a number appears in an item, wherever it does."""
    return b"%016d" % number


def _sent(item: m.Evidence) -> bytes:
    return m.BatchPutEvidenceRequest(evidence=[item]).SerializeToString()


def _item(number: int, place: int, result: str) -> m.Evidence:
    """Of several producers and topics, at any moment of a second, at offsets of any size."""
    failed = result == "FAIL"
    return m.Evidence(
        evidence_id=_named(number),
        dataset_urn=dataset_urn(STILL[place % len(STILL)]),
        created_at=Timestamp(
            seconds=int(datetime.now(UTC).timestamp()), nanos=place * 2_000_000 % 10**9
        ),
        producer=common_pb2.ProducerInfo(
            producer_id=f"orders-svc-{place % 7}", version="v3.17", confidence="HIGH"
        ),
        source=m.SourceInfo(
            topic=f"raw.orders.{place % 13}", partition=place % 32, offset=place * 7_919
        ),
        validation=m.ValidationResult(
            result=result,
            failed_gates=["G4_CONTRACT"] if failed else [],
            reason_codes=["MISSING_FIELD:customer_id"] if failed else [],
        ),
        fingerprints=m.Fingerprints(
            schema_fingerprint="sha256:" + "0123456789abcdef" * 4,
            payload_hash=f"sha256:{number:064}",
        ),
        otel=m.OtelContext(trace_id=f"{number:032}", span_id=f"{number:016}"),
        payload_ref=f"s3://payloads/orders/{number:016}",
        payload_size_bytes=812,
    )


def _plain(item: m.Evidence) -> object:
    told = MessageToDict(item, preserving_proto_field_name=True)
    # Whole numbers of 64 bits are texts in protobuf's JSON; in ours they are numbers.
    told["source"]["offset"] = item.source.offset
    told["payload_size_bytes"] = item.payload_size_bytes
    return told

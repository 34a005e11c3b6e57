"""The worker answers a batch as the server itself would."""

import asyncio
from io import BytesIO
from typing import Any

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from application.evidence import Fate, Rejected
from application.evidence.sampling import Sieve
from domain.validation import AHEAD
from entrypoints.grpc.evidence_worker.frames import framed, read
from entrypoints.grpc.evidence_worker.in_process import SiftHere
from entrypoints.grpc.evidence_worker.worker import READY, sifter, work
from entrypoints.grpc.messages.evidence_pb2 import BatchPutEvidenceRequest, Evidence
from tests.entrypoints.http.api import NOW
from tests.entrypoints.support.sample_evidence import DIGEST, PASSING, evidence, message, passed

RATE = 0.01
LATEST = int((NOW + AHEAD).timestamp())
PASSED, FAILED = message(passed()), message(evidence())

NUMBERS = [0, 1, 127, 128, 2**28, 2**31 - 1, -1]
LARGE_NUMBERS = [*NUMBERS, 2**53 - 1, 2**53, 2**63 - 1]
TEXTS = ["", " ", "\n", "é", "x" * 2_000, DIGEST, DIGEST + "\n", "A" * 32]
OTHERS: dict[str, list[Any]] = {
    "evidence_id": ["", PASSING[0].lower(), PASSING[0] + "\n", *PASSING[:200]],
    "dataset_urn": ["urn:dp:orders:order_created:v2", "no urn", ""],
    "created_at.seconds": [0, 1, -1, 2**28, 2**50, *range(LATEST - 2, LATEST + 2)],
    "created_at.nanos": [0, 1, 999_999_999, 10**9, 2**31 - 1, -1],
    "producer.producer_id": TEXTS,
    "producer.confidence": ["LOW", "HIHG", ""],
    "source.topic": TEXTS,
    "source.partition": NUMBERS,
    "source.offset": LARGE_NUMBERS,
    "validation.result": ["FAIL", "PASS", "", "pass", "PASS\n"],
    "fingerprints.schema_fingerprint": TEXTS,
    "fingerprints.payload_hash": [*TEXTS, DIGEST[:-1] + "g"],
    "otel.trace_id": [*TEXTS, "a" * 32, "0" * 31 + "\n"],
    "otel.span_id": [*TEXTS, "a" * 16, "0" * 15 + " "],
    "payload_ref": [*TEXTS, "s3://payloads/1", "s3://payloads/\n", "\x00" * 15],
    "payload_size_bytes": LARGE_NUMBERS,
}
"""Values of fields, valid and invalid ones."""

FIELDS = [field.name for field in Evidence.DESCRIPTOR.fields]


@st.composite
def any_evidence(draw: st.DrawFn) -> Evidence:
    """Valid evidence of which a few fields have other values or are absent."""
    one = Evidence.FromString(PASSED.SerializeToString())
    for name in draw(st.lists(st.sampled_from(sorted(OTHERS)), max_size=3, unique=True)):
        *above, last = name.split(".")
        value = draw(st.sampled_from(OTHERS[name]))
        setattr(getattr(one, above[0]) if above else one, last, value)
    for name in draw(st.lists(st.sampled_from(FIELDS), max_size=2)):
        one.ClearField(name)
    return one


@given(st.lists(st.lists(any_evidence(), max_size=9), min_size=1, max_size=4))
def test_the_answers_are_those_of_the_server(batches: list[list[Evidence]]) -> None:
    """Also once values have been validated before."""
    sift, here = sifter(Sieve(RATE)), SiftHere(Sieve(RATE))
    for items in batches * 2:
        sent = BatchPutEvidenceRequest(evidence=[PASSED, *items])
        assert sift(sent.SerializeToString(), NOW) == asyncio.run(here(sent, NOW))


def test_an_unreadable_timestamp_is_a_violation_of_its_own_item() -> None:
    wrong = message(evidence(1))
    wrong.created_at.nanos = -1
    sent = BatchPutEvidenceRequest(evidence=[PASSED, wrong, FAILED]).SerializeToString()
    first, second, third = sifter(Sieve(RATE))(sent, NOW).outcomes
    assert (first, third) == (Fate.SAMPLED_OUT, Fate.KEPT)
    assert isinstance(second, Rejected)
    assert {one.field for one in second.violations} == {"created_at"}


def test_unknown_fields_are_ignored() -> None:
    sent = [BatchPutEvidenceRequest(evidence=[one]).SerializeToString() for one in (PASSED, FAILED)]
    outcomes = sifter(Sieve(RATE))(sent[0] + b"\x12\x00" + sent[1], NOW).outcomes
    assert outcomes == [Fate.SAMPLED_OUT, Fate.KEPT]


def test_half_a_batch_is_refused() -> None:
    sent = BatchPutEvidenceRequest(evidence=[PASSED]).SerializeToString()
    with pytest.raises(DecodeError):
        sifter(Sieve(RATE))(sent[:-1], NOW)


def test_each_batch_has_its_answer_until_the_pipe_is_closed() -> None:
    sent = BatchPutEvidenceRequest(evidence=[PASSED, FAILED]).SerializeToString()
    sift, answers = sifter(Sieve(RATE)), BytesIO()
    work(BytesIO(framed((sent, NOW)) * 2), answers, sift)
    answers.seek(0)
    assert [read(answers) for _ in range(3)] == [READY, sift(sent, NOW), sift(sent, NOW)]
    assert not answers.read()

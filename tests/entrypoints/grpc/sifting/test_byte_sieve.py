"""Batches that are sifted in bytes have the answers of those that are read field by field."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from application.evidence import Fate, Rejected
from application.evidence.sifting import Sieve, Sifted
from domain.evidence_contract import EvidenceReport
from domain.violations import AHEAD
from entrypoints.grpc.evidence_requests import Found, report
from entrypoints.grpc.messages.evidence_pb2 import BatchPutEvidenceRequest, Evidence
from entrypoints.grpc.sifting import byte_sieve, look_alikes
from entrypoints.grpc.sifting.byte_sieve import LONGEST_REST, ByteSieve
from entrypoints.grpc.sifting.look_alikes import MOST_ALIKE, MOST_CUT, LookAlikes
from entrypoints.grpc.sifting.stencils import as_number, cut, latest, nothing_known
from tests.entrypoints.http.api import NOW
from tests.entrypoints.some_evidence import DIGEST, KEPT_PASS, PASSING, evidence, message, passed

RATE = 0.01
SECONDS, HOUR = int(NOW.timestamp()), int(AHEAD.total_seconds())
RIGHT = message(passed())
FAILED = message(evidence())
BARE = Evidence(
    evidence_id=RIGHT.evidence_id,
    dataset_urn=RIGHT.dataset_urn,
    created_at=RIGHT.created_at,
    validation=RIGHT.validation,
)

NUMBERS = [0, 1, 127, 128, 2**28 - 1, 2**28, 2**31 - 1, -1]
LARGE_NUMBERS = [*NUMBERS, 2**49 - 1, 2**49, 2**53 - 1, 2**53, 2**63 - 1]
TEXTS = ["", " ", "\n", "é", "x" * 15, "x" * 2_000, DIGEST, DIGEST + "\n", "A" * 32]
OTHERS: dict[str, list[Any]] = {
    "evidence_id": ["", PASSING[0].lower(), "é" * 15, PASSING[0] + "\n", *PASSING[:200]],
    "dataset_urn": ["urn:dp:orders:order_created:v2", "urn:dp:a:b:v1", "no urn", ""],
    "created_at.seconds": [0, 1, -1, 2**28, *range(SECONDS + HOUR - 2, SECONDS + HOUR + 2)],
    "created_at.nanos": [0, 1, 2**28 - 1, 2**28, 999_999_999, 10**9, 2**31 - 1, -1],
    "producer.producer_id": TEXTS,
    "producer.confidence": ["LOW", "HIHG", ""],
    "source.topic": TEXTS,
    "source.partition": NUMBERS,
    "source.offset": LARGE_NUMBERS,
    "validation.result": ["FAIL", "PASS", "", "pass", "PASS\n"],
    "fingerprints.schema_fingerprint": TEXTS,
    "fingerprints.payload_hash": [*TEXTS, DIGEST[:-1] + "g", DIGEST[:-1] + "0"],
    "otel.trace_id": [*TEXTS, "a" * 32, "é" * 16, "0" * 31 + "\n"],
    "otel.span_id": [*TEXTS, "a" * 16, "0" * 15 + " "],
    "payload_ref": [*TEXTS, "s3://payloads/1", "s3://payloads/\n", "\x00" * 15],
    "payload_size_bytes": LARGE_NUMBERS,
}
"""Values for fields, right and wrong ones."""

FIELDS = [field.name for field in Evidence.DESCRIPTOR.fields]


def batch(*items: Evidence) -> bytes:
    return BatchPutEvidenceRequest(evidence=items).SerializeToString()


def field_by_field(sent: bytes, at: datetime = NOW) -> Sifted:
    found: Found = {}
    items = BatchPutEvidenceRequest.FromString(sent).evidence
    read = [report(one, index, found) for index, one in enumerate(items)]
    return Sieve(RATE).sifted(read, found, at)


def having(first: Evidence, **fields: Any) -> Evidence:
    """The same, but for these fields."""
    one = Evidence.FromString(first.SerializeToString())
    for name, value in fields.items():
        *above, last = name.split(".")
        setattr(getattr(one, above[0]) if above else one, last, value)
    return one


@st.composite
def any_evidence(draw: st.DrawFn) -> Evidence:
    """As what is right, but for a few fields, and there may be others that are not told at all."""
    names = draw(st.lists(st.sampled_from(sorted(OTHERS)), max_size=3, unique=True))
    one = having(RIGHT, **{name: draw(st.sampled_from(OTHERS[name])) for name in names})
    for name in draw(st.lists(st.sampled_from(FIELDS), max_size=2)):
        one.ClearField(name)
    return one


@given(st.lists(st.lists(any_evidence(), max_size=9), min_size=1, max_size=4))
def test_the_answers_are_those_of_reading_field_by_field(batches: list[list[Evidence]]) -> None:
    """Whatever was learned before, and also of what has been learned."""
    sift = ByteSieve(Sieve(RATE)).sifted
    for sent in [batch(*[RIGHT] * len(one), *one) for one in batches] * 2:
        assert sift(sent, NOW) == field_by_field(sent)


def alike(learned: bytes, sent: Iterable[bytes]) -> None:
    """Reports one after the other, when one has been learned, and each of them, too."""
    sift = ByteSieve(Sieve(RATE)).sifted
    assert sift(_one(learned), NOW).outcomes == [Fate.SAMPLED_OUT]
    for one in sent:
        # Beside one that is known: where nothing is, it is not looked for.
        both = _one(learned) + _one(one)
        try:
            told = field_by_field(both)
        except DecodeError:
            # The server has refused it before.
            continue
        assert sift(both, NOW) == told, one


def _one(sent: bytes) -> bytes:
    return b"\x0a" + bytes([len(sent) & 127 | 128, len(sent) >> 7]) + sent


def as_bytes(**fields: Any) -> bytes:
    return having(RIGHT, **fields).SerializeToString()


LEARNED = {
    "everything": as_bytes(**{"created_at.nanos": 999_000_000}),
    "little": BARE.SerializeToString(),
    "large numbers": as_bytes(
        **{"source.partition": 2**30, "source.offset": 2**50, "payload_size_bytes": 2**50}
    ),
    "noughts that are told": BARE.SerializeToString() + b"\x2a\x04\x10\x00\x18\x00\x50\x00",
    "fields that are told twice": as_bytes() + as_bytes(),
    "fields of another contract": as_bytes() + b"\xa2\x06\x03abc",
    "moments in more bytes than they need": as_bytes() + b"\x1a\x07\x08\x80\x80\x80\x80\x80\x00",
}


@pytest.mark.parametrize("learned", LEARNED)
def test_each_other_value_has_the_same_answer(learned: str) -> None:
    first = Evidence.FromString(LEARNED[learned])
    others = [
        having(first, **{field: value}).SerializeToString()
        for field, values in OTHERS.items()
        for value in values
    ]
    alike(LEARNED[learned], others)


@pytest.mark.parametrize("learned", LEARNED)
def test_each_other_bit_has_the_same_answer(learned: str) -> None:
    """Also of bytes that no library sends."""
    first = LEARNED[learned]
    number = int.from_bytes(first)
    alike(first, ((number ^ 1 << bit).to_bytes(len(first)) for bit in range(8 * len(first))))


def test_a_number_that_ends_elsewhere_is_another_one() -> None:
    """The partition, negative then, goes on in what was the offset."""
    right, wrong = (
        BARE.SerializeToString() + b"\x2a\x0c\x0a\x01x\x10\x80\x80\x80" + numbers
        for numbers in (b"\x40\x18\xa0\x80\x01", b"\xc0\x18\x20\x80\x01")
    )
    assert Evidence.FromString(wrong).source.partition < 0
    alike(right, [wrong])


@pytest.mark.parametrize(
    "strange",
    [b"\x0a\x05xxxxx", b"\xa1\x06\x01\x1a\x05\x08\x80\x80\x80\x01"],
    ids=["a text", "a number of fixed width"],
)
def test_what_only_looks_like_the_moment_is_not_taken_for_it(strange: bytes) -> None:
    """When the clock has stepped back, what was right is ahead of it."""
    later = NOW + timedelta(seconds=10)
    late = having(BARE, **{"created_at.seconds": SECONDS + HOUR + 5})
    moment = late.created_at.SerializeToString()
    late.ClearField("created_at")
    told = moment + strange if strange[0] == 0x0A else moment
    sent = late.SerializeToString() + b"\x1a" + bytes([len(told)]) + told
    sent += b"" if told is not moment else strange
    sift = ByteSieve(Sieve(RATE)).sifted
    assert sift(_one(sent), later).outcomes == [Fate.SAMPLED_OUT]
    (outcome,) = sift(_one(sent), NOW).outcomes
    assert isinstance(outcome, Rejected)


def test_a_reference_is_measured_in_letters() -> None:
    """Of wide ones more bytes are right than of others."""
    wide, long = (as_bytes(payload_ref=one) for one in ("é" * 1_000, "x" * 2_000))
    stencil = cut(wide, nothing_known())
    stencil.learn(wide)
    assert stencil.fits(as_number(long))
    assert not stencil.is_right(long, latest(NOW))


# What is known.


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often reports are read field by field, and how often it is looked for known ones."""
    counts = Counter[str]()

    def counted(sent: Evidence, index: int, found: Found) -> EvidenceReport:
        counts["read"] += 1
        return report(sent, index, found)

    def looked(self: LookAlikes, sent: Sequence[bytes], at: datetime) -> Sequence[int]:
        counts["looked"] += 1
        return others(self, sent, at)

    others = LookAlikes.others
    monkeypatch.setattr(byte_sieve, "report", counted)
    monkeypatch.setattr(LookAlikes, "others", looked)
    return counts


USUAL = batch(*(having(RIGHT, evidence_id=one) for one in PASSING[:100] if one != KEPT_PASS))


def test_most_of_what_comes_is_not_read(read: Counter[str]) -> None:
    sift = ByteSieve(Sieve(RATE)).sifted
    sift(USUAL, NOW)
    assert read["read"] == 99
    sift(USUAL, NOW)
    assert read["read"] == 99


def test_where_nothing_is_known_it_is_looked_for_less_and_less(read: Counter[str]) -> None:
    sift, failed = ByteSieve(Sieve(RATE)).sifted, batch(*[FAILED] * 100)
    for _ in range(1_000):
        sift(failed, NOW)
    assert read["looked"] < 40
    for _ in range(2 * (LONGEST_REST + 1)):
        sift(USUAL, NOW)
    read.clear()
    # Once most are known again, it takes more than one that are not.
    for one in (USUAL, failed, USUAL):
        sift(one, NOW)
    assert (read["looked"], read["read"]) == (3, 100)


def is_known(one: Evidence, *learned: Evidence, at: datetime = NOW) -> bool:
    alike = LookAlikes(RATE)
    for each in learned:
        alike.learn([each.SerializeToString()])
    return not alike.others([one.SerializeToString()], at)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("evidence_id", next(name for name in PASSING[5:] if name != KEPT_PASS)),
        ("created_at.seconds", SECONDS - 86_400),
        ("source.partition", 7),
        ("source.offset", 2_000_000),
        ("fingerprints.payload_hash", "sha256:" + "f" * 64),
        ("otel.trace_id", "1" * 32),
        ("otel.span_id", "1" * 16),
        ("payload_ref", "s3://payloads/7"),
        ("payload_size_bytes", 900),
    ],
)
def test_what_differs_from_record_to_record_makes_no_other_of_it(field: str, value: Any) -> None:
    assert is_known(having(RIGHT, **{field: value}), RIGHT)


@pytest.mark.parametrize(
    "one",
    [
        FAILED,
        message(passed(KEPT_PASS)),
        having(RIGHT, dataset_urn=RIGHT.dataset_urn[:-1] + "9"),
        having(RIGHT, **{"source.topic": "x" * len(RIGHT.source.topic)}),
        having(RIGHT, **{"producer.version": "v" * len(RIGHT.producer.version)}),
    ],
    ids=["failed", "in the sample", "another dataset", "another topic", "another version"],
)
def test_what_is_kept_or_was_never_seen_is_read(one: Evidence) -> None:
    assert not is_known(one, RIGHT)


def test_what_is_too_far_ahead_is_read_until_it_is_not() -> None:
    late = having(RIGHT, **{"created_at.seconds": SECONDS + HOUR})
    assert not is_known(late, RIGHT)
    assert is_known(late, RIGHT, at=NOW + timedelta(seconds=1))


def test_what_says_little_is_learned_as_well() -> None:
    assert is_known(having(BARE, evidence_id=PASSING[-1]), BARE)


def test_a_batch_with_fields_of_another_contract_is_sifted() -> None:
    sift, sent = ByteSieve(Sieve(RATE)).sifted, batch(RIGHT, FAILED) + b"\x12\x00" + batch(RIGHT)
    assert sift(sent, NOW).outcomes == [Fate.SAMPLED_OUT, Fate.KEPT, Fate.SAMPLED_OUT]


def test_half_a_batch_is_not_taken_for_a_whole_one() -> None:
    last_field = len(b"\x50\xac\x06")
    with pytest.raises(DecodeError):
        ByteSieve(Sieve(RATE)).sifted(batch(RIGHT)[:-last_field], NOW)


def test_small_and_large_items_lie_in_one_batch() -> None:
    large = having(RIGHT, payload_ref="x" * 20_000)
    sent = batch(Evidence(), RIGHT, large, Evidence(evidence_id="?"))
    outcomes = ByteSieve(Sieve(RATE)).sifted(sent, NOW).outcomes
    assert [isinstance(one, Rejected) for one in outcomes] == [True, False, True, True]


def test_what_lies_alike_needs_no_other_stencil() -> None:
    topics = [having(RIGHT, **{"source.topic": f"topic_{n:03}"}) for n in range(100)]
    assert all(is_known(one, *topics) for one in topics)


def test_of_stencils_that_fit_too_few_the_oldest_makes_room() -> None:
    """All are as long: what is added to the reference is taken from the topic."""
    items = [
        having(RIGHT, **{"source.topic": "x" * (20 - n), "payload_ref": "x" * n})
        for n in range(1, MOST_ALIKE + 2)
    ]
    assert not is_known(items[0], *items)
    assert all(is_known(one, *items) for one in items[1:])


def test_only_a_few_stencils_are_cut_at_a_time() -> None:
    items = [as_bytes(payload_ref="x" * number) for number in range(1, 2 * MOST_CUT)]
    alike = LookAlikes(RATE)
    alike.learn(items)
    assert list(alike.others(items, NOW)) == list(range(MOST_CUT, len(items)))


def test_what_is_strange_takes_the_place_of_nothing() -> None:
    items = [
        having(RIGHT, **{"source.topic": "x" * (20 - n), "payload_ref": "x" * n})
        for n in range(1, MOST_ALIKE + 1)
    ]
    short = having(items[0], payload_ref="", **{"source.topic": "x" * 16}).SerializeToString()
    strange = short + b"\xa5\x06" + bytes(4)
    alike = LookAlikes(RATE)
    alike.learn(one.SerializeToString() for one in items)
    assert len(strange) == len(items[0].SerializeToString())
    alike.learn([strange])
    assert not alike.others([one.SerializeToString() for one in items], NOW)


def test_what_is_large_is_not_learned() -> None:
    fits, large = (having(RIGHT, payload_ref="x" * most) for most in (500, 1_000))
    assert is_known(fits, fits)
    assert not is_known(large, large)


def test_what_was_seen_apart_may_come_together() -> None:
    """Thousands of datasets, producers and topics are known by themselves."""
    others = {"source.topic": "x" * 17, "producer.version": "v9.99"}
    one, other = (having(RIGHT, **{name: value}) for name, value in others.items())
    assert is_known(having(RIGHT, **others), one, other)
    assert not is_known(having(RIGHT, **others), one)


def test_what_is_right_as_one_thing_is_not_right_as_another() -> None:
    """A dataset's name is a good topic, but not the other way round."""
    topic = RIGHT.dataset_urn[:-2] + "XX"
    learned = having(RIGHT, **{"source.topic": topic})
    assert is_known(learned, learned)
    assert not is_known(having(learned, dataset_urn=topic), learned)


def test_no_more_is_learned_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first counts as fifteen, each other topic as one: then all is forgotten."""
    monkeypatch.setattr(look_alikes, "MOST_LEARNED", 19)
    topics = [having(RIGHT, **{"source.topic": f"topic_{n:03}"}) for n in range(8)]
    assert [is_known(one, *topics) for one in topics] == [False] * 5 + [True] * 3
    again = [topics[0]] * 9
    assert all(is_known(one, *topics[:4], *again) for one in topics[:4])

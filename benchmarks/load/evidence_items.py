"""
Evidence as producers send it, as bytes: no item comes twice, and hardly two are of one length.

Of a dataset, few producers read few topics; ids, hashes, traces, offsets, references and sizes
belong to one record. Some leave out what is optional. Items are put together from encoded fields,
so that a million of them are prepared in seconds, before the client begins to send them.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from random import Random

import orjson
from attrs import frozen
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from benchmarks.load.http_wire import request
from benchmarks.load.prepared import STILL
from benchmarks.load.reports import dataset_urn
from benchmarks.measuring import varied
from domain.evidence.evidence import is_kept
from entrypoints.grpc.messages import common_pb2
from entrypoints.grpc.messages import evidence_pb2 as m

_SERVICE = "/observability.statestore.v1.EvidenceCacheService"
PUT_MANY, GET_MANY = f"{_SERVICE}/BatchPutEvidence", f"{_SERVICE}/BatchGetEvidence"

BATCH = 500
FAILING, KEPT_PASSING = BATCH * 2 // 100, BATCH // 100
PASS_RATE = 0.01
_DATASETS = 1_000
_PRODUCERS = 400
_MOMENTS = 2_000
_DIFFERENT_FAILURES = 600

_PASSED = m.Evidence(validation=m.ValidationResult(result="PASS")).SerializeToString()


class EvidenceBatches:
    """Batches of which 2 % failed and 1 % passed and are kept, as in life."""

    def __init__(self, now: Callable[[], int] = time.time_ns) -> None:
        """`now` gives nanoseconds since 1970: ids and moments are of just now, as in life."""
        self._now, self._dice = now, Random(2026)
        self._sources = [_Source.of(number, self._dice) for number in range(_DATASETS)]
        self._failures = [_failed(self._dice) for _ in range(_DIFFERENT_FAILURES)]
        self._kept, self._sampled_out = deque[str](), deque[str]()
        self.failed: list[str] = []

    def requests(self, number: int) -> Sequence[bytes]:
        moments = _just_now(self._now() // 10**9, self._dice)
        return [b"".join(self._batch(moments)) for _ in range(number)]

    def lines(self, number: int, token: str) -> Sequence[bytes]:
        """The same as whole HTTP requests."""
        return [self._as_lines(one, token) for one in self.requests(number)]

    def _as_lines(self, sent: bytes, token: str) -> bytes:
        items = m.BatchPutEvidenceRequest.FromString(sent).evidence
        body = b"\n".join(orjson.dumps(_plain(one)) for one in items)
        said = ["content-type: application/x-ndjson", f"content-length: {len(body)}"]
        return request("POST", "/api/v1/evidence", token, *said) + body

    def _batch(self, moments: Sequence[bytes]) -> list[bytes]:
        """Those that failed lie anywhere in it."""
        now, dice = self._now() // 10**6, self._dice
        passed, kept = self._passed(now)
        failed = [self._name(now) for _ in range(FAILING)]
        self.failed += failed
        items = [self._item(name, _PASSED, moments) for name in passed]
        for name in kept:
            items.insert(dice.randrange(len(items)), self._item(name, _PASSED, moments))
        for name in failed:
            item = self._item(name, dice.choice(self._failures), moments)
            items.insert(dice.randrange(len(items)), item)
        return items

    def _passed(self, now: int) -> tuple[Iterator[str], Iterator[str]]:
        """Names of what is sampled out, and of what is kept."""
        left_out = BATCH - FAILING - KEPT_PASSING
        while len(self._sampled_out) < left_out or len(self._kept) < KEPT_PASSING:
            name = self._name(now)
            (self._kept if is_kept(name, "PASS", PASS_RATE) else self._sampled_out).append(name)
        return (
            (self._sampled_out.popleft() for _ in range(left_out)),
            (self._kept.popleft() for _ in range(KEPT_PASSING)),
        )

    def _name(self, now: int) -> str:
        """Made at this time: older ids are looked for before they are taken."""
        return varied.evidence_id(now, self._dice.getrandbits(64))

    def _item(self, name: str, result: bytes, moments: Sequence[bytes]) -> bytes:
        dice = self._dice
        # Some datasets have many more records than others.
        source = self._sources[int(dice.random() ** 2 * _DATASETS)]
        return source.sent(name, dice.choice(moments), result, dice)


@frozen
class _Source:
    """What the records of a dataset have in common, encoded."""

    dataset: bytes
    producers: Sequence[bytes]
    topics: Sequence[bytes]
    partitions: int
    schemas: Sequence[bytes]
    traced: bool
    prefix: str
    """Of references to payloads; empty where there are none."""

    @classmethod
    def of(cls, number: int, dice: Random) -> "_Source":
        # The first are registered, and have signals and incidents.
        urn = dataset_urn(STILL[number] if number < len(STILL) else 1_000 + number)
        domain, name = urn.split(":")[2:4]
        root = "größe" if number % 50 == 49 else name
        return cls(
            _encoded(m.Evidence(dataset_urn=urn)),
            [_producer(dice) for _ in range(dice.randint(1, 4))],
            [_text(1, topic) for topic in _topics(domain, name, dice)],
            dice.choice((1, 12, 32, 64, 256)),
            _schemas(dice),
            traced=number % 6 != 0,
            prefix="" if number % 10 == 7 else f"s3://{domain}-payloads/{root}/dt=2026-03-17/",
        )

    def sent(self, name: str, moment: bytes, result: bytes, dice: Random) -> bytes:
        drawn = dice.randbytes(72).hex()
        partition = _whole(2, dice.randrange(self.partitions))
        offset = _whole(3, dice.getrandbits(dice.randint(8, 40)))
        hashed = dice.choice(self.schemas) + b"\x12\x47sha256:" + drawn[:64].encode()
        fields = [
            b"\x0a\x1e",
            name.encode(),
            self.dataset,
            moment,
            dice.choice(self.producers),
            _field(5, dice.choice(self.topics) + partition + offset),
            result,
            _field(7, hashed),
        ]
        if self.traced:
            fields += (
                b"\x42\x34\x0a\x20",
                drawn[64:96].encode(),
                b"\x12\x10",
                drawn[96:112].encode(),
            )
        if self.prefix:
            fields.append(_text(9, f"{self.prefix}{drawn[-8 - dice.randrange(24) :]}.json.gz"))
        fields.append(_whole(10, 100 + dice.getrandbits(dice.randint(6, 18))))
        return _field(1, b"".join(fields))


def _producer(dice: Random) -> bytes:
    number = dice.randrange(_PRODUCERS)
    return _encoded(
        m.Evidence(
            producer=common_pb2.ProducerInfo(
                producer_id=varied.producer_id(number),
                version=varied.version(number, dice.randint(1, 5)) if number % 16 else "",
                confidence=varied.confidence(number) if number % 11 else "",
            )
        )
    )


def _topics(domain: str, name: str, dice: Random) -> Sequence[str]:
    return [f"raw.{domain}.{name}", f"{name}.retry", f"{domain}-{name}-v2"][: dice.randint(1, 3)]


def _schemas(dice: Random) -> Sequence[bytes]:
    """A schema changes now and then; some datasets have none."""
    schemas = [_text(1, f"sha256:{dice.randbytes(32).hex()}") for _ in range(dice.randint(0, 3))]
    return schemas or [b""]


def _failed(dice: Random) -> bytes:
    failures = range(dice.choice((1, 1, 1, 2, 2, 3, 5)))
    return _encoded(
        m.Evidence(
            validation=m.ValidationResult(
                result="FAIL",
                failed_gates=dice.sample(varied.GATES, k=min(len(failures), 3)),
                reason_codes=[varied.signature(dice.randrange(5_000)) for _ in failures],
            )
        )
    )


def _just_now(now: int, dice: Random) -> Sequence[bytes]:
    """Some clocks count nanoseconds, others milliseconds."""
    made = []
    for number in range(_MOMENTS):
        item = m.Evidence()
        item.created_at.seconds = now - dice.randrange(3)
        nanos = dice.randrange(10**9)
        item.created_at.nanos = nanos - nanos % 10**6 if number % 2 else nanos
        made.append(_encoded(item))
    return made


def lookups(names: Sequence[str], of: int) -> Sequence[bytes]:
    """Each of the names once, in no order."""
    names = Random(7).sample(names, k=len(names))
    return [
        m.BatchGetEvidenceRequest(evidence_ids=names[start : start + of]).SerializeToString()
        for start in range(0, len(names) - of, of)
    ]


def _plain(item: m.Evidence) -> object:
    told = MessageToDict(item, preserving_proto_field_name=True)
    # Whole numbers of 64 bits are texts in protobuf's JSON; in ours they are numbers.
    told["source"]["offset"] = item.source.offset
    told["payload_size_bytes"] = item.payload_size_bytes
    return told


# Fields as bytes.


def _encoded(message: Message) -> bytes:
    return message.SerializeToString()


def _text(field: int, text: str) -> bytes:
    return _field(field, text.encode())


def _field(field: int, content: bytes) -> bytes:
    """Of texts and messages."""
    return bytes((field << 3 | 2,)) + _number(len(content)) + content


def _whole(field: int, number: int) -> bytes:
    """Nothing if it is 0, as protobuf has it."""
    return bytes((field << 3,)) + _number(number) if number else b""


def _number(number: int) -> bytes:
    """Seven bits a byte, the last of them first."""
    made = bytearray()
    while number > 0x7F:
        made.append(number & 0x7F | 0x80)
        number >>= 7
    made.append(number)
    return bytes(made)

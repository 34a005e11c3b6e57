"""Requests as bytes, made before anything is measured, and a glance at the answers."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import count, islice
from random import Random
from typing import TypeVar

import orjson
from google.protobuf.timestamp_pb2 import Timestamp

from benchmarks.load.http_wire import request
from benchmarks.load.reports import dataset_urn, report
from domain.ids import SIGNAL_TYPES
from domain.signal.report import SignalReport
from domain.versions import ANY_VERSION
from entrypoints.grpc.messages import common_pb2, evidence_pb2, policies_pb2, signals_pb2

T = TypeVar("T")

_SIGNALS = "/observability.statestore.v1.SignalStateService"
_POLICIES = "/observability.statestore.v1.PolicyService"
UPDATE, UPDATE_MANY = f"{_SIGNALS}/UpdateSignalState", f"{_SIGNALS}/BatchUpdateSignalState"
STREAM = f"{_SIGNALS}/StreamSignalStateUpdates"
READ, READ_MANY = f"{_SIGNALS}/GetSignalState", f"{_SIGNALS}/BatchGetSignalStates"
POLICY, POLICIES = f"{_POLICIES}/GetPolicy", f"{_POLICIES}/BatchGetPolicies"

MOVING, STILL = range(100), range(100, 200)
"""Numbers of the datasets that are updated, and of those that are only read. The one token there is
makes all callers one: its reads of what it wrote last wait until that shows."""
KINDS = SIGNAL_TYPES[:5]


class Windows:
    """Updates of all moving signals in turn, each of a window after the last one."""

    def __init__(self) -> None:
        names = [(dataset_urn(number), kind) for number in MOVING for kind in KINDS]
        self._next = (
            report(dataset, kind, window) for window in count(1) for dataset, kind in names
        )

    def singly(self, number: int) -> list[bytes]:
        return [one.SerializeToString() for one in self._updates(number)]

    def in_batches(self, number: int, of: int) -> list[bytes]:
        """As a batch and as a message of a stream: the bytes are the same."""
        return [
            signals_pb2.BatchUpdateSignalStateRequest(updates=self._updates(of)).SerializeToString()
            for _ in range(number)
        ]

    def _updates(self, number: int) -> Iterator[signals_pb2.UpdateSignalStateRequest]:
        return map(_update, islice(self._next, number))


def _update(told: SignalReport) -> signals_pb2.UpdateSignalStateRequest:
    return signals_pb2.UpdateSignalStateRequest(
        dataset_urn=told.dataset_urn,
        signal_type=told.signal_type,
        expected_version=ANY_VERSION,
        state=signals_pb2.SignalStateValue(
            state=told.state,
            score=told.score,
            slo_threshold=told.slo_threshold,
            window_start=_timestamp(told.window_start),
            window_end=_timestamp(told.window_end),
            window_type=told.window_type,
            metrics=signals_pb2.SignalMetrics(
                evidence_count=told.evidence_count,
                pass_count=told.pass_count,
                fail_count=told.fail_count,
            ),
            failure_signature=told.failure_signature,
            top_producer=_producer(told) if told.producer_id else None,
            evidence_sample=told.evidence_sample,
        ),
    )


def _producer(told: SignalReport) -> common_pb2.ProducerInfo:
    return common_pb2.ProducerInfo(
        producer_id=told.producer_id, version=told.producer_version, confidence=told.confidence
    )


def _timestamp(at: datetime | None) -> Timestamp:
    assert at
    made = Timestamp()
    made.FromDatetime(at)
    return made


# Reads.


DIFFERENT_BATCHES = 200


def _in_any_order(things: Sequence[T]) -> Iterator[T]:
    """All of them again and again, each time in another order."""
    dice = Random(2026)
    while True:
        yield from dice.sample(things, k=len(things))


def reads() -> list[bytes]:
    names = [(number, kind) for number in STILL for kind in KINDS]
    return [
        signals_pb2.GetSignalStateRequest(
            dataset_urn=dataset_urn(number), signal_type=kind
        ).SerializeToString()
        for number, kind in islice(_in_any_order(names), len(names))
    ]


def read_batches(of: int) -> list[bytes]:
    names = _in_any_order([(number, kind) for number in STILL for kind in KINDS])
    return [
        signals_pb2.BatchGetSignalStatesRequest(
            signals=[
                signals_pb2.SignalKey(dataset_urn=dataset_urn(number), signal_type=kind)
                for number, kind in islice(names, of)
            ]
        ).SerializeToString()
        for _ in range(DIFFERENT_BATCHES)
    ]


# Policies. The tag is the one of a dataset that was registered once, under the usual settings.

TAG = "1-300-warn"


def policies(known: str = "") -> list[bytes]:
    return [
        policies_pb2.GetPolicyRequest(
            dataset_urn=dataset_urn(number), known_etag=known
        ).SerializeToString()
        for number in islice(_in_any_order(STILL), len(STILL))
    ]


def policy_batches(of: int, known: str = "") -> list[bytes]:
    urns = map(dataset_urn, _in_any_order(STILL))
    return [
        policies_pb2.BatchGetPoliciesRequest(
            policies=[
                policies_pb2.PolicyKey(dataset_urn=urn, known_etag=known)
                for urn in islice(urns, of)
            ]
        ).SerializeToString()
        for _ in range(DIFFERENT_BATCHES)
    ]


def http_policies(token: str, known: str) -> list[bytes]:
    return [
        request(
            "GET", f"/api/v1/policies/{dataset_urn(number)}", token, f'if-none-match: "{known}"'
        )
        for number in islice(_in_any_order(STILL), len(STILL))
    ]


def http_policy_batches(token: str, of: int, known: str = "") -> list[bytes]:
    urns = map(dataset_urn, _in_any_order(STILL))
    return [
        request("POST", "/api/v1/policies/lookup", token, body=_lookup(islice(urns, of), known))
        for _ in range(DIFFERENT_BATCHES)
    ]


def _lookup(urns: Iterator[str], known: str) -> bytes:
    names = [{"dataset_urn": urn, **({"known_etag": known} if known else {})} for urn in urns]
    return orjson.dumps({"policies": names})


# Answers.


def good(method: str, told: bytes) -> bool:
    """Whether it is what was asked for: updates accepted, HTTP without an error, else something."""
    if not method:
        return told[9:12] in (b"200", b"304")
    if method == UPDATE:
        return signals_pb2.UpdateSignalStateResponse.FromString(told).success
    if method == UPDATE_MANY:
        return not signals_pb2.BatchUpdateSignalStateResponse.FromString(told).failure_count
    if method.endswith("/BatchPutEvidence"):
        return not evidence_pb2.BatchPutEvidenceResponse.FromString(told).failure_count
    if method.endswith("/BatchGetEvidence"):
        return not evidence_pb2.BatchGetEvidenceResponse.FromString(told).missing_ids
    return True


def acknowledged(told: bytes) -> tuple[int, int]:
    """How many updates of the stream are answered, and how many of these were refused."""
    answer = signals_pb2.StreamSignalStateUpdatesResponse.FromString(told)
    return answer.acknowledged, sum(not one.success for one in answer.results)

"""
Evidence over a stream: what is collected while batches are on their way makes the next one.

Nothing has to be looked up when it is sent again: the first evidence of an id counts, and the store
answers the same to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from google.protobuf.message import Message

from statestore_client.errors import Forbidden, Unauthenticated
from statestore_client.messages import evidence_pb2 as pb
from statestore_client.models.evidence import Evidence
from statestore_client.streaming.in_flight import Bounds
from statestore_client.streaming.put_outcomes import Put, put_message, put_outcome
from statestore_client.streaming.send_queue import Standing
from statestore_client.transport.failures import Failure

MOST_BATCHES = 8
"""So many does the store take before it has answered the first."""

HEAVIEST = 3 * 1024 * 1024
"""Bytes of a message, unless one piece is more: a store takes 4 MiB if it is not told otherwise."""


@dataclass(frozen=True, slots=True)
class EvidenceDialogue:
    size: int
    path: ClassVar[str] = "EvidenceCacheService/StreamEvidence"
    request: ClassVar[type[Message]] = pb.BatchPutEvidenceRequest
    answer: ClassVar[type[Message]] = pb.BatchPutEvidenceResponse

    @property
    def bounds(self) -> Bounds:
        return Bounds(
            MOST_BATCHES * self.size, self.size, MOST_BATCHES, HEAVIEST, pb.Evidence.ByteSize
        )

    def prepared(self, evidence: Evidence) -> pb.Evidence:
        return put_message(evidence)

    def message(self, evidence: Sequence[pb.Evidence]) -> pb.BatchPutEvidenceRequest:
        return pb.BatchPutEvidenceRequest(evidence=evidence)

    def window(self, answer: Any) -> int:
        return 0

    def nothing_done(self, failed: Failure) -> bool:
        """What ends a stream in the middle is about one batch: those around it may be kept."""
        return failed.unsent or isinstance(failed.error, Unauthenticated | Forbidden)

    async def outcome(
        self,
        one: Standing[pb.Evidence, bool],
        result: pb.PutEvidenceResponse,
        deadline: float,
    ) -> Put:
        return put_outcome(result)

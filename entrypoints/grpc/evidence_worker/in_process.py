"""Sifting evidence in this process."""

from collections.abc import Awaitable, Callable
from datetime import datetime

from attrs import frozen

from application.evidence.sampling import Sieve, Sifted
from entrypoints.grpc.evidence.requests import reports
from entrypoints.grpc.messages.evidence_pb2 import BatchPutEvidenceRequest

Sifting = Callable[[BatchPutEvidenceRequest, datetime], Awaitable[Sifted]]
"""Where and how a batch is sifted that came at a moment."""


@frozen
class SiftHere:
    sieve: Sieve

    async def __call__(self, sent: BatchPutEvidenceRequest, at: datetime) -> Sifted:
        return self.sieve.sifted(await reports(sent.evidence), at)

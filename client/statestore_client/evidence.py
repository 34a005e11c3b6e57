"""Evidence: what single records looked like when they were checked."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Unpack

from statestore_client.errors import StateStoreError
from statestore_client.messages import evidence_pb2 as pb
from statestore_client.models.evidence import Evidence
from statestore_client.options import Reading, Writing
from statestore_client.streaming.batches import AsyncBatches
from statestore_client.streaming.evidence_exchange import EvidenceDialogue
from statestore_client.streaming.put_outcomes import Put, put_message, put_outcome
from statestore_client.streaming.streams import AsyncStream
from statestore_client.transport.calls import Calls
from statestore_client.transport.translation import put, told

MOST_EVIDENCE = 5_000
"""How much may be put in one call."""


class AsyncEvidence:
    """The same evidence may be put again and again: the first of an id counts."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def put(self, evidence: Evidence, **how: Unpack[Writing]) -> bool:
        """Tells whether it is kept: every FAIL is, and a share of what passed."""
        (outcome,) = await self.put_many([evidence], **how)
        if isinstance(outcome, StateStoreError):
            raise outcome
        return outcome

    async def put_many(self, evidence: Iterable[Evidence], **how: Unpack[Writing]) -> Sequence[Put]:
        """Put many, at most 5,000: each is kept, left out or refused by itself.

        Raises:
            Overloaded: The store cannot take more at the moment, and took none of these.
        """
        messages = [put_message(one) for one in evidence]
        if len(messages) > MOST_EVIDENCE:
            raise ValueError(f"at most {MOST_EVIDENCE} at once; batching() takes as many as come")
        return await self._sent(messages, how)

    async def _sent(self, messages: Sequence[pb.Evidence], how: Writing) -> Sequence[Put]:
        answered = await self._calls.write(
            "EvidenceCacheService/BatchPutEvidence",
            pb.BatchPutEvidenceRequest(evidence=messages),
            pb.BatchPutEvidenceResponse,
            {"idempotency_key": None, **how},
            repeatable=True,
        )
        return [put_outcome(one) for one in answered.message.results]

    def batching(
        self, *, size: int = 1_000, every: float = 0.02, most_waiting: int = 20_000
    ) -> AsyncBatches[Evidence, pb.Evidence, bool]:
        """Collect evidence and put it together: `size` at once, or what came within `every`
        seconds. `most_waiting` are held; who adds more waits. While the store is overloaded, a
        batch is sent again after the pause that it asks for, until the client's timeout."""
        _must_fit(size)
        return AsyncBatches(put_message, self._batch, size, every, most_waiting)

    async def _batch(self, messages: Sequence[pb.Evidence]) -> Sequence[Put]:
        return await self._sent(messages, {})

    def stream(
        self,
        *,
        size: int = 1_000,
        most_waiting: int = 20_000,
        answer_within: float | None = None,
        patience: float = 60.0,
    ) -> AsyncStream[Evidence, pb.Evidence, bool]:
        """Put evidence without an end over one connection: what comes while eight batches are on
        their way makes the next ones, of at most `size`. `most_waiting` may be without an answer.

        A connection that is lost, or on which no answer comes for `answer_within` seconds (the
        client's timeout if nothing is said), is made anew; one that the store ended because it is
        overloaded, after the pause that it asks for. After `patience` without any progress the
        stream is given up.
        """
        _must_fit(size)
        within = self._calls.timeout if answer_within is None else answer_within
        return AsyncStream(self._calls, EvidenceDialogue(size), most_waiting, within, patience)

    async def get(self, evidence_id: str, **how: Unpack[Reading]) -> Evidence:
        """What has expired comes from the archive, and says so."""
        request = pb.GetEvidenceRequest(evidence_id=evidence_id)
        path = "EvidenceCacheService/GetEvidence"
        return told(Evidence, await self._calls.read(path, request, pb.Evidence, how))

    async def get_many(
        self, evidence_ids: Iterable[str], **how: Unpack[Reading]
    ) -> Mapping[str, Evidence]:
        """By id, without what nobody knows and what was left out of the sample."""
        names, found = list(dict.fromkeys(evidence_ids)), dict[str, Evidence]()
        for part, how_soon in self._calls.parts(names, how):
            answer = await self._calls.read(
                "EvidenceCacheService/BatchGetEvidence",
                pb.BatchGetEvidenceRequest(evidence_ids=part),
                pb.BatchGetEvidenceResponse,
                how_soon,
            )
            found |= {one.evidence_id: told(Evidence, one) for one in answer.evidence}
        return found

    async def list(
        self,
        dataset_urn: str,
        *,
        created_since: datetime | None = None,
        created_before: datetime | None = None,
        page_size: int = 0,
        **how: Unpack[Reading],
    ) -> AsyncIterator[Evidence]:
        """What was created in the span, the last first; of the last 22 hours if nothing is said.
        What is older is read from the archive, which takes longer."""
        request = pb.ListEvidenceRequest(dataset_urn=dataset_urn, page_size=page_size)
        put(request, "created_since", created_since)
        put(request, "created_before", created_before)
        async for page in self._calls.pages(
            "EvidenceCacheService/ListEvidence", request, pb.ListEvidenceResponse, how
        ):
            for one in page.evidence:
                yield told(Evidence, one)


def _must_fit(size: int) -> None:
    if not 0 < size <= MOST_EVIDENCE:
        raise ValueError(f"size must be 1 to {MOST_EVIDENCE}")

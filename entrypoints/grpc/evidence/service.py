"""EvidenceCacheService: what records looked like when they were checked (S0-136..S0-138)."""

from collections.abc import AsyncIterator
from functools import partial

from attrs import frozen

from application.ports.clock import Clock
from application.use_cases import UseCases
from application.violations import refuse_any
from domain.errors import NotFound, Violation
from domain.timestamps import stamp
from entrypoints.grpc.evidence.responses import batch_message, evidence_fields, outcome_message
from entrypoints.grpc.evidence.stream import answered
from entrypoints.grpc.evidence_worker.in_process import Sifting
from entrypoints.grpc.fields.fields import no_more_than
from entrypoints.grpc.fields.timestamps import moment_said
from entrypoints.grpc.messages import evidence_pb2 as messages
from entrypoints.grpc.server.call import Call
from entrypoints.interfaces.evidence_input import (
    LARGEST_PAGE,
    USUAL_PAGE,
    all_evidence_named,
    evidence_named,
    refuse_too_many_items,
    span_asked,
)
from entrypoints.interfaces.names import MOST_NAMES, dataset_named
from entrypoints.interfaces.page_tokens import Pages


@frozen
class EvidenceCacheService:
    use: UseCases
    sifting: Sifting
    clock: Clock
    page_secret: bytes

    async def put_evidence(
        self, request: messages.PutEvidenceRequest, call: Call
    ) -> messages.PutEvidenceResponse:
        """What is wrong with the evidence is an answer, as it is in a batch."""
        alone = messages.BatchPutEvidenceRequest(evidence=[request.evidence])
        (outcome,) = await self.use.put_evidence(partial(self.sifting, alone), by=call.by)
        return outcome_message(outcome)

    async def batch_put_evidence(
        self, request: messages.BatchPutEvidenceRequest, call: Call
    ) -> messages.BatchPutEvidenceResponse:
        wrong: list[Violation] = []
        refuse_too_many_items(len(request.evidence), wrong)
        refuse_any(wrong)
        outcomes = await self.use.put_evidence(partial(self.sifting, request), by=call.by)
        return batch_message(outcomes)

    def stream_evidence(
        self, requests: AsyncIterator[messages.BatchPutEvidenceRequest], call: Call
    ) -> AsyncIterator[messages.BatchPutEvidenceResponse]:
        return answered(lambda one: self.batch_put_evidence(one, call), requests, call)

    async def get_evidence(
        self, request: messages.GetEvidenceRequest, call: Call
    ) -> messages.Evidence:
        found: list[Violation] = []
        name = evidence_named(request.evidence_id, found)
        refuse_any(found)
        told = (await self.use.read_evidence.told([name], by=call.by)).get(name)
        if told is None:
            raise NotFound("evidence", name)
        return messages.Evidence.FromString(told)

    async def batch_get_evidence(
        self, request: messages.BatchGetEvidenceRequest, call: Call
    ) -> messages.BatchGetEvidenceResponse:
        found: list[Violation] = []
        few = list(no_more_than(MOST_NAMES, request.evidence_ids))
        names = all_evidence_named(few, found, "evidence_ids")
        refuse_any(found)
        told = await self.use.read_evidence.told(names, by=call.by)
        answer = messages.BatchGetEvidenceResponse(
            missing_ids=[name for name in names if name not in told]
        )
        for name in names:
            if name in told:
                answer.evidence.add().MergeFromString(told[name])
        return answer

    async def list_evidence(
        self, request: messages.ListEvidenceRequest, call: Call
    ) -> messages.ListEvidenceResponse:
        found: list[Violation] = []
        dataset = dataset_named(request.dataset_urn, found)
        since = moment_said(request, "created_since", found)
        until = moment_said(request, "created_before", found)
        asked = span_asked(dataset, since, until, at=self.clock.now(), found=found)
        span = [one and stamp(one) for one in (since, until)]
        pages = Pages(self.page_secret, ("evidence", dataset, *span))
        if not 0 <= request.page_size <= LARGEST_PAGE:
            found.append(Violation("page_size", "OUT_OF_RANGE", f"must be 1 to {LARGEST_PAGE}"))
        wanted = pages.request(request.page_size or USUAL_PAGE, request.page_token or None, found)
        refuse_any(found)
        page = await self.use.list_evidence(asked, wanted, by=call.by)
        return messages.ListEvidenceResponse(
            evidence=map(evidence_fields, page.items), next_page_token=pages.token(page.next)
        )

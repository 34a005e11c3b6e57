"""Sifting a batch as it was sent: only what looks like nothing before is read field by field."""

from collections.abc import Sequence
from datetime import datetime

from attrs import define, field

from application.evidence import Fate, Outcome
from application.evidence.sifting import Sieve, Sifted
from entrypoints.grpc.evidence_requests import Found, report
from entrypoints.grpc.messages.evidence_pb2 import BatchPutEvidenceRequest, Evidence
from entrypoints.grpc.sifting.look_alikes import LookAlikes
from entrypoints.grpc.sifting.wire import Strange, path, repeated

LEARNED = 8
"""Of so many that look like nothing before, one is learned: that takes as long as reading them."""

(_EVIDENCE,) = path(BatchPutEvidenceRequest, "evidence")


@define
class SiftInBytes:
    sieve: Sieve
    _alike: LookAlikes = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._alike = LookAlikes(self.sieve.pass_rate)

    def __call__(self, sent: bytes, at: datetime) -> Sifted:
        items = _items(sent)
        others = self._alike.others(items, at)
        found: Found = {}
        read = [
            report(Evidence.FromString(items[index]), place, found)
            for place, index in enumerate(others)
        ]
        sifted = self.sieve.sifted(read, found, at)
        outcomes: list[Outcome] = [Fate.SAMPLED_OUT] * len(items)
        for index, outcome in zip(others, sifted.outcomes, strict=True):
            outcomes[index] = outcome
        self._learn([items[one] for one in others if outcomes[one] is Fate.SAMPLED_OUT])
        return Sifted(outcomes, sifted.kept)

    def _learn(self, left_out: Sequence[bytes]) -> None:
        for one in left_out[::LEARNED]:
            self._alike.learn(one)


def _items(sent: bytes) -> Sequence[bytes]:
    try:
        return list(repeated(sent, _EVIDENCE))
    except Strange:
        return [
            one.SerializeToString() for one in BatchPutEvidenceRequest.FromString(sent).evidence
        ]

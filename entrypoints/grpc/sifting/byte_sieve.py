"""
Sifting batches in bytes: what looks like something before is not read field by field.

The bytes are those that our own library writes of a batch that it could read.
"""

from collections.abc import Sequence
from datetime import datetime

from attrs import define, field

from application.evidence import Fate, Outcome
from application.evidence.sifting import Sieve, Sifted
from entrypoints.grpc.evidence_requests import Found, report
from entrypoints.grpc.messages.evidence_pb2 import BatchPutEvidenceRequest, Evidence
from entrypoints.grpc.sifting.look_alikes import LookAlikes
from entrypoints.grpc.sifting.wire import Strange, path, repeated

LONGEST_REST = 31
"""Batches that are read whole before it is tried again whether looking is worth it."""

(_EVIDENCE,) = path(BatchPutEvidenceRequest, "evidence")


@define
class ByteSieve:
    sieve: Sieve
    _alike: LookAlikes = field(init=False)
    _rest: int = field(default=0, init=False)
    """Batches that are read whole from now on."""
    _next_rest: int = field(default=0, init=False)
    """For how long, if too few are known the next time."""

    def __attrs_post_init__(self) -> None:
        self._alike = LookAlikes(self.sieve.pass_rate)

    def sifted(self, sent: bytes, at: datetime) -> Sifted:
        items = _items(sent)
        if self._rest:
            self._rest -= 1
            return self._read(items, range(len(items)), at)
        others = self._alike.others(items, at)
        sifted = self._read(items, others, at)
        left_out = [one for one in others if sifted.outcomes[one] is Fate.SAMPLED_OUT]
        self._alike.learn(items[one] for one in left_out)
        self._judge(len(items), others)
        return sifted

    def _read(self, items: Sequence[bytes], others: Sequence[int], at: datetime) -> Sifted:
        """All but the others are left out."""
        found: Found = {}
        read = [
            report(Evidence.FromString(items[index]), place, found)
            for place, index in enumerate(others)
        ]
        sifted = self.sieve.sifted(read, found, at)
        outcomes: list[Outcome] = [Fate.SAMPLED_OUT] * len(items)
        for index, outcome in zip(others, sifted.outcomes, strict=True):
            outcomes[index] = outcome
        return Sifted(outcomes, sifted.kept)

    def _judge(self, items: int, others: Sequence[int]) -> None:
        """Where most reports look like nothing before, looking and learning is in vain."""
        if 4 * len(others) <= 3 * items:
            self._next_rest = 0
        else:
            self._rest = self._next_rest
            self._next_rest = min(2 * self._next_rest + 1, LONGEST_REST)


def _items(sent: bytes) -> Sequence[bytes]:
    try:
        return list(repeated(sent, _EVIDENCE))
    except Strange:
        return [
            one.SerializeToString() for one in BatchPutEvidenceRequest.FromString(sent).evidence
        ]

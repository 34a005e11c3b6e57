"""Reports of evidence, as many as are wanted, the same each time."""

import random
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from attrs import define, field, frozen

from application.caller import Caller
from application.errors import Unavailable
from application.evidence import Outcome, PutEvidence
from application.evidence.sampling import Sieve
from domain.evidence.evidence import Evidence
from domain.evidence.report import EvidenceReport
from domain.ids import EvidenceId
from tests.application.store import NOON

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
DATASETS = [f"urn:dp:shop:topic_{number}:v1" for number in range(5)]


def some_id(number: int) -> EvidenceId:
    dice = random.Random(number)
    return EvidenceId("evd-01KF" + "".join(dice.choices(_LETTERS, k=22)))


def some_report(number: int, **more: Any) -> EvidenceReport:
    """Two of a hundred fail."""
    failed = number % 50 == 0
    return EvidenceReport(
        some_id(number),
        DATASETS[number % len(DATASETS)],
        NOON + timedelta(days=1, milliseconds=number),
        "FAIL" if failed else "PASS",
        ("G4_CONTRACT",) if failed else (),
        ("MISSING_FIELD:user_id",) if failed else (),
        "svc-orders",
        topic="orders",
        partition=number % 8,
        offset=number,
    )._replace(**more)


def some_evidence(number: int, **more: Any) -> Evidence:
    return some_report(number, **more).evidence(recorded_at=NOON + timedelta(days=1))


def telling(one: Evidence, *, archived: bool = False) -> bytes:
    """All of it, so that no two are told alike."""
    return f"{one} {archived=}".encode()


@frozen
class Putting:
    """Puts reports that are sifted here."""

    put: PutEvidence
    sieve: Sieve

    async def __call__(self, reports: Sequence[EvidenceReport], *, by: Caller) -> Sequence[Outcome]:
        return await self.put(self.sieve.here(reports), by=by)


@define
class Broken:
    """A port that does not answer while it is told not to, or only in some methods."""

    inner: Any
    methods: set[str] = field(factory=set)
    error: Exception = field(factory=lambda: Unavailable("it", "it is broken"))

    def __getattr__(self, name: str) -> Any:
        if name in self.methods:
            return self._raises
        return getattr(self.inner, name)

    async def _raises(self, *_: Any, **__: Any) -> None:
        raise self.error

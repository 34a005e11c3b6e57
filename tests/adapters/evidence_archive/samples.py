"""Evidence for tests: made of numbers, the same wherever it is made."""

from datetime import UTC, datetime, timedelta
from random import Random

from adapters.system.ulids import written
from domain.evidence.evidence import Evidence, Source, Verdict
from domain.ids import DatasetUrn, EvidenceId
from domain.signal.evaluation import Confidence, Producer

START = datetime(2026, 1, 15, 10, tzinfo=UTC)
ORDERS = DatasetUrn("urn:dp:sales:orders:v1")
STOCK = DatasetUrn("urn:dp:Ware_house.eu-1:stock-level:v12")


def evidence_id(number: int, at: datetime = START) -> EvidenceId:
    made = int(at.timestamp() * 1000).to_bytes(6) + Random(number).randbytes(10)
    return EvidenceId(f"evd-{written(made)}")


def evidence(
    number: int,
    *,
    dataset: DatasetUrn = ORDERS,
    created: timedelta = timedelta(),
    recorded: timedelta | None = None,
    made: timedelta = timedelta(),
) -> Evidence:
    """Created and recorded so long after the start; its id was made then, too."""
    return Evidence(
        evidence_id(number, START + made),
        dataset,
        START + created,
        START + (created if recorded is None else recorded),
        Verdict.FAIL,
        failed_gates=("G4_CONTRACT",),
        reason_codes=("MISSING_FIELD:customer_id", f"RANGE:n{number % 7}"),
        producer=Producer("job:landing", f"1.{number}", Confidence.HIGH),
        source=Source("orders.raw", number % 12, number),
        trace_id=f"{number:032x}",
        payload_size_bytes=number,
    )


def bare(number: int) -> Evidence:
    """Nothing but what must be there."""
    return Evidence(evidence_id(number), ORDERS, START, START, Verdict.PASS)

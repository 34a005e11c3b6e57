"""All that can be asked about a small world."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from attrs import define

from domain.timestamps import stamp
from tests.entrypoints.http.api import NOON, ORDERS
from tests.scenarios.answers import Question

PAYMENTS = "urn:dp:payments:payment_processed:v1"
CUSTOMER = f"urn:col:{ORDERS}:customer_id"
SIGNAL = "CONTRACT_COMPLIANCE"
VOLUME = "VOLUME"

_SPAN = (stamp(NOON - timedelta(days=1)), stamp(NOON + timedelta(days=2)))


@define
class World:
    """Whatever it knows of may exist or not: that is to be told alike, too."""

    datasets: Sequence[str] = (ORDERS, PAYMENTS)
    signals: Sequence[tuple[str, str]] = ((ORDERS, SIGNAL), (ORDERS, VOLUME), (PAYMENTS, VOLUME))
    incidents: Sequence[str] = ("INC-1", "INC-2")
    columns: Sequence[str] = (CUSTOMER,)

    def questions(self) -> Iterator[Question]:
        for one in ("datasets", "retired", "critical", "not_ok", "incidents", "active"):
            yield Question(one)
        for urn in self.datasets:
            for one in ("dataset", "versions", "signals", "health", "policy", "incidents_of"):
                yield Question(one, (urn,))
            for one in ("writers", "readers", "downstream"):
                yield Question(one, (urn,))
        for signal in self.signals:
            yield Question("signal", signal)
            yield Question("history", (*signal, *_SPAN))
        for name in self.incidents:
            for one in ("incident", "timeline", "impact"):
                yield Question(one, (name,))
        for urn in self.columns:
            yield Question("column_writers", (urn,))
            yield Question("column_readers", (urn,))

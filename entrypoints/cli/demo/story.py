"""
The story: a deployment drops `customer_id`, consumers suffer, a rollback heals it.

Every beat reports on the signals of the story and on a few others, then people and the alerting
engine do what the beat is about. Which beat makes which signal worse is drawn in `courses`.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta

from attrs import frozen

from domain.timestamps import stamp, to_millisecond
from entrypoints.cli.demo.calls import Beat, Call, batch, change, declaration, opening
from entrypoints.cli.demo.evaluations import Window, evidence_id, update
from entrypoints.cli.demo.lineage import ORDERS as ORDERS_SERVICE
from entrypoints.cli.demo.live_traffic import traffic
from entrypoints.cli.demo.platform import datasets
from entrypoints.cli.demo.seeded_random import Dice
from entrypoints.cli.demo.signal_courses import (
    BAD,
    BEATS,
    COURSES,
    CUSTOMERS,
    FRAUD,
    GOOD,
    LOST,
    ORDERS,
    PRODUCER,
    REVENUE,
    SCHEMA,
)
from entrypoints.cli.running_server import Answer

SECONDS = 3.0
"""Between one beat and the next, at speed 1."""

ONCALL = "orders-oncall@example.org"
ROLLED_BACK = {
    "reason": "ROLLED_BACK",
    "root_cause": f"{PRODUCER} {BAD} no longer writes {LOST}",
    "mitigation": f"rolled back to {GOOD}",
}


@frozen
class Story:
    dice: Dice
    start: datetime
    speed: float

    def beats(self) -> Iterator[Beat]:
        for number in range(BEATS):
            name, said, act = _BEATS.get(number, ("", "", _nothing))
            calls = (batch(self._updates(number)), *act(self))
            yield Beat(self.at(number), said, calls, name)

    def at(self, beat: int) -> datetime:
        return to_millisecond(self.start + timedelta(seconds=SECONDS / self.speed) * beat)

    def _updates(self, beat: int) -> list[Answer]:
        window = Window.sliding(self.at(beat), beat)
        told = [
            update(self.dice, datasets()[short], signal, window, course.verdict(beat))
            for (short, signal), course in COURSES.items()
        ]
        return told + traffic(self.dice, window.end, beat, but=COURSES)

    # What the beats do besides.

    def deploy(self) -> Iterator[Call]:
        yield self._deployed(BAD, 0, without=[LOST])

    def roll_back(self) -> Iterator[Call]:
        yield change("orders", {"note": f"Rolling {PRODUCER} back to {GOOD}"})
        yield self._deployed(f"{GOOD} again", 10)

    def open_orders(self) -> Iterator[Call]:
        producer = {
            "producer_id": PRODUCER,
            "version": BAD,
            "confidence": "HIGH",
            "deployed_at": stamp(self.at(0)),
        }
        yield self._opening("orders", ORDERS, "SEV_1", implicated_producer=producer)

    def join(self) -> Iterator[Call]:
        """The alerting engine asks again, with another signal: no second incident is opened."""
        both = {
            "incident_id": None,
            "signal_types": [ORDERS[1], SCHEMA[1]],
            "failure_signatures": [COURSES[ORDERS].signature, COURSES[SCHEMA].signature],
        }
        yield self._opening("orders", ORDERS, "SEV_1", **both)

    def spread(self) -> Iterator[Call]:
        yield self._opening("fraud", FRAUD, "SEV_2")
        yield self._opening("customers", CUSTOMERS, "SEV_2")

    def take_over(self) -> Iterator[Call]:
        yield change("orders", {"status": "ACKNOWLEDGED", "oncall_user": ONCALL})

    def reach_finance(self) -> Iterator[Call]:
        yield change("orders", {"note": f"{LOST} is missing in every record since {BAD}"})
        yield self._opening("revenue", REVENUE, "SEV_2")

    def explain(self) -> Iterator[Call]:
        why = f"{PRODUCER} {BAD} renamed {LOST} and its consumers were not told. Roll back."
        yield change("orders", {"rca_summary": why})

    def resolve_orders(self) -> Iterator[Call]:
        yield change("orders", {"status": "RESOLVED", "resolution": ROLLED_BACK})

    def resolve_consumers(self) -> Iterator[Call]:
        yield change("fraud", {"status": "RESOLVED", "resolution": ROLLED_BACK})
        yield change("customers", {"status": "RESOLVED", "resolution": ROLLED_BACK})

    def resolve_revenue(self) -> Iterator[Call]:
        yield change("revenue", {"status": "RESOLVED", "resolution": ROLLED_BACK})

    def _deployed(self, version: str, beat: int, without: list[str] | None = None) -> Call:
        at = self.at(beat)
        commit = self.dice.commit(version, stamp(at))
        spec = ORDERS_SERVICE.spec(commit, at, without=without or [])
        return declaration(ORDERS_SERVICE.spec_id(commit), spec)

    def _opening(self, name: str, about: tuple[str, str], severity: str, **more: object) -> Call:
        short, signal = about
        body = {
            "incident_id": f"INC-{self.dice.word('incident', name, stamp(self.start))}",
            "primary_dataset_urn": datasets()[short].urn,
            "signal_types": [signal],
            "severity": severity,
            "failure_signatures": [COURSES[about].signature],
            "evidence_sample": [evidence_id(self.dice, self.start, name, n) for n in range(3)],
        }
        return opening(name, body | more)


def _nothing(_: Story) -> Iterator[Call]:
    return iter(())


Act = Callable[[Story], Iterator[Call]]

_BEATS: Mapping[int, tuple[str, str, Act]] = {
    0: ("deployed", f"{PRODUCER} {BAD} is deployed", Story.deploy),
    1: ("", "orders:order_created begins to break its contract", _nothing),
    2: ("opened", "it collapses: the alerting engine opens {orders}, SEV_1", Story.open_orders),
    3: ("joined", "the schema signal fails, too, and joins {orders}", Story.join),
    4: ("", "consumers begin to suffer: fraud scores, customer 360", _nothing),
    5: ("spread", "two more datasets are CRITICAL: {fraud} and {customers} open", Story.spread),
    6: ("taken over", f"{ONCALL} acknowledges {{orders}}", Story.take_over),
    7: ("", "segments, recommendations and revenue fall behind", _nothing),
    8: ("finance", "revenue is CRITICAL: {revenue} opens", Story.reach_finance),
    9: ("explained", "the cause is found and written down", Story.explain),
    10: ("rolled back", f"{PRODUCER} is rolled back to {GOOD}", Story.roll_back),
    11: ("", f"{LOST} is coming in again", _nothing),
    12: ("recovered", "orders:order_created keeps its contract", _nothing),
    13: ("resolved", "{orders} is resolved: ROLLED_BACK", Story.resolve_orders),
    14: (
        "",
        "the consumers recover: {fraud} and {customers} are resolved",
        Story.resolve_consumers,
    ),
    15: ("", "revenue has caught up", _nothing),
    16: ("healed", "{revenue} is resolved: everything has healed", Story.resolve_revenue),
}

"""What went wrong during the day before, apart from the story: some is over, some goes on."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from attrs import frozen

from domain.timestamps import stamp
from entrypoints.cli.demo.calls import Call, action, change, opening
from entrypoints.cli.demo.evaluations import Verdict, evidence_id, signature_of
from entrypoints.cli.demo.platform import datasets
from entrypoints.cli.demo.seeded_random import Dice
from entrypoints.cli.running_server import Answer


@frozen
class Trouble:
    """From so many hours ago until so many hours ago; nothing: it goes on."""

    dataset: str
    signal: str
    state: str
    begins: float
    ends: float | None = None
    severity: str | None = None
    acknowledged: bool = False
    snoozed: bool = False
    resolution: Answer | None = None

    @property
    def verdict(self) -> Verdict:
        score = 0.0 if self.state == "UNKNOWN" else None
        return Verdict(self.state, score)

    def covers(self, end: datetime, now: datetime) -> bool:
        ago = (now - end) / timedelta(hours=1)
        return (self.ends or 0) <= ago < self.begins


def _because(reason: str, root_cause: str, mitigation: str) -> Answer:
    return {"reason": reason, "root_cause": root_cause, "mitigation": mitigation}


TROUBLES: Sequence[Trouble] = (
    Trouble("logistics:carrier_rates", "FRESHNESS", "CRITICAL", 7, None, "SEV_2", True, True),
    Trouble("marketing:email_sends", "VOLUME", "WARNING", 3, None, "SEV_3"),
    Trouble("customers:support_tickets", "FRESHNESS", "WARNING", 1),
    Trouble("finance:forecast", "CUSTOM_FORECAST_ERROR", "UNKNOWN", 2),
    Trouble(
        "payments:settlement_batches",
        "FRESHNESS",
        "CRITICAL",
        *(20, 18.5),
        severity="SEV_2",
        acknowledged=True,
        resolution=_because("FIXED", "the bank's file came late", "asked for it again"),
    ),
    Trouble(
        "customers:customer_addresses",
        "PII",
        "CRITICAL",
        *(15, 14),
        severity="SEV_1",
        acknowledged=True,
        resolution=_because("FIXED", "addresses in a free text field", "the field is masked now"),
    ),
    Trouble(
        "orders:cart_events",
        "VOLUME",
        "WARNING",
        *(12, 10),
        severity="SEV_3",
        resolution=_because("EXPECTED_CHANGE", "the campaign ended", "the baseline was reset"),
    ),
    Trouble(
        "logistics:stock_levels",
        "LATENCY",
        "WARNING",
        *(9, 8),
        severity="SEV_3",
        resolution=_because("SELF_HEALED", "a slow broker", "nothing had to be done"),
    ),
    Trouble(
        "marketing:campaign_spend",
        "FRESHNESS",
        "WARNING",
        *(6, 5.5),
        severity="SEV_3",
        resolution=_because("FALSE_POSITIVE", "a public holiday", "the calendar knows it now"),
    ),
)


def verdict(dataset: str, signal: str, end: datetime, now: datetime) -> Verdict | None:
    """What such a trouble makes of a window; nothing if there is none."""
    for one in TROUBLES:
        if (one.dataset, one.signal) == (dataset, signal) and one.covers(end, now):
            return one.verdict
    return None


def incident_calls(dice: Dice, now: datetime) -> Iterator[Call]:
    """The incidents of these troubles: some resolved, one acknowledged and snoozed, one open."""
    for number, one in enumerate(TROUBLES):
        if one.severity:
            yield from _incident(dice, now, f"INC-DEMO-{dice.seed}-{number + 1}", one)


def _incident(dice: Dice, now: datetime, name: str, one: Trouble) -> Iterator[Call]:
    dataset = datasets()[one.dataset]
    yield opening(
        name,
        {
            "incident_id": name,
            "primary_dataset_urn": dataset.urn,
            "signal_types": [one.signal],
            "severity": one.severity,
            "failure_signatures": [signature_of(dataset, one.signal)],
            "evidence_sample": [evidence_id(dice, now - timedelta(hours=one.begins), name)],
        },
    )
    if one.acknowledged:
        oncall = f"{dataset.domain}-oncall@example.org"
        yield change(name, {"status": "ACKNOWLEDGED", "oncall_user": oncall})
    if one.snoozed:
        until = stamp(now + timedelta(hours=20))
        yield action(name, "snooze", {"until": until, "reason": "the carrier answers tomorrow"})
    if one.resolution:
        yield change(name, {"status": "RESOLVED", "resolution": one.resolution})

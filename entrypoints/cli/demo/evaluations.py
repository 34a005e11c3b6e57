"""What a signal engine says about a window on the platform."""

import math
from datetime import datetime, timedelta

from attrs import frozen

from domain.timestamps import stamp
from entrypoints.cli.demo.platform import Dataset
from entrypoints.cli.demo.seeded_random import Dice
from entrypoints.cli.running_server import Answer

_BANDS = {"OK": (0.975, 0.999), "WARNING": (0.82, 0.94), "CRITICAL": (0.05, 0.45)}
_SIGNATURES = {
    "FRESHNESS": "LATE_DATA:{}",
    "VOLUME": "VOLUME_DROP:{}",
    "CONTRACT_COMPLIANCE": "MISSING_FIELD:{}",
    "SCHEMA": "UNKNOWN_FIELD:{}",
    "PII": "PII_DETECTED:{}",
    "LATENCY": "SLOW_PIPELINE:{}",
}
_USUAL_EVENTS = 600
"""What a table that a job builds is judged by."""


@frozen
class Verdict:
    """How a signal is: without a score or signature, an ordinary one of that state."""

    state: str = "OK"
    score: float | None = None
    signature: str | None = None
    producer: tuple[str, str] | None = None


WELL = Verdict()


@frozen
class Window:
    """Chance is asked by its number, not by the clock: another day, the same numbers."""

    end: datetime
    size: timedelta
    kind: str
    number: int

    @classmethod
    def sliding(cls, end: datetime, number: int) -> "Window":
        """The last five minutes, as engines look at what is happening."""
        return cls(end, timedelta(minutes=5), "SLIDING_5MIN", number)


def update(dice: Dice, dataset: Dataset, signal: str, window: Window, verdict: Verdict) -> Answer:
    """The evaluation as an item of a batch."""
    asked = (dataset.short, signal, window.kind, window.number)
    score = _score(dice, verdict, *asked)
    count = round(_events(dataset, window) * dice.between(0.93, 1.07, "events", *asked))
    failed = round(count * (1 - score))
    return {
        "dataset_urn": dataset.urn,
        "signal_type": signal,
        "state": verdict.state,
        "score": score,
        "slo_threshold": 0.95,
        "window_start": stamp(window.end - window.size),
        "window_end": stamp(window.end),
        "window_type": window.kind,
        "evaluated_at": stamp(window.end),
        "metrics": {"evidence_count": count, "pass_count": count - failed, "fail_count": failed},
        "expected_version": -1,
        **(_explained(dice, dataset, signal, window, verdict) if verdict.state != "OK" else {}),
    }


def signature_of(dataset: Dataset, signal: str) -> str:
    """What usually goes wrong with such a signal."""
    field = dataset.personal[0] if signal == "PII" else dataset.columns[-1]
    return _SIGNATURES.get(signal, "DRIFT:{}").format(field)


def evidence_id(dice: Dice, at: datetime, *asked: object) -> str:
    return f"evd-{dice.ulid(at, 'evidence', *asked)}"


def _score(dice: Dice, verdict: Verdict, *asked: object) -> float:
    if verdict.score is not None:
        return verdict.score
    least, most = _BANDS.get(verdict.state, (0.0, 0.0))
    return round(dice.between(least, most, "score", *asked), 4)


def _events(dataset: Dataset, window: Window) -> float:
    """More by day than by night."""
    hour = window.end.hour + window.end.minute / 60
    tide = 1 + 0.5 * math.sin((hour - 9) / 24 * 2 * math.pi)
    return (dataset.events or _USUAL_EVENTS) * tide * (window.size / timedelta(minutes=5))


def _explained(
    dice: Dice, dataset: Dataset, signal: str, window: Window, verdict: Verdict
) -> Answer:
    producer, version = verdict.producer or (f"{dataset.domain}-svc", "v2.4")
    asked = (dataset.short, signal, window.number)
    evidence = [evidence_id(dice, window.end, *asked, n) for n in range(3)]
    return {
        "failure_signature": verdict.signature or signature_of(dataset, signal),
        "top_producer": {"producer_id": producer, "version": version, "confidence": "HIGH"},
        "evidence_sample": evidence,
    }

"""
Signal updates as engines send them: windows every five minutes, now and then a breach.

Every signal has its volume, its threshold, its kind of windows and a few producers; numbers, ids
and what failed differ from window to window. Windows come in order.
"""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any
from zlib import crc32

from attrs import frozen

from application.caller import Caller
from benchmarks.measuring import varied
from benchmarks.measuring.varied import Draws, dataset_urn
from domain.signal.evaluation import SignalStateEnum
from domain.signal.report import SignalReport

__all__ = ["BREACH_EVERY", "WINDOW", "caller", "dataset_urn", "report"]

WINDOW = timedelta(minutes=5)
"""From one window to the next, however long they are."""
BREACH_EVERY = 10

_FIRST_WINDOW = datetime(2026, 1, 1, tzinfo=UTC)
_KINDS = (
    ("TUMBLING_5MIN", timedelta(minutes=5)),
    ("TUMBLING_5MIN", timedelta(minutes=5)),
    ("SLIDING_15MIN", timedelta(minutes=15)),
    ("HOPPING_1H_EVERY_5MIN", timedelta(hours=1)),
    ("SESSION", timedelta(seconds=187)),
)
_LATEST_END = 200_000
"""Milliseconds: windows that do not tumble end where their signal has it."""
_THRESHOLDS = (0.9, 0.95, 0.99, 0.995, 0.999)
_DIGITS = (2, 4, 6, 15)
_PRODUCERS = 400
_MILLISECOND = timedelta(milliseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@frozen
class _Signal:
    """What is the same in all windows of a signal."""

    key: int
    kind: str
    length: timedelta
    first_end: datetime
    threshold: float
    digits: int
    records: int
    """In a window: half as many at least, and one and a half times as many at most."""
    skips: bool
    """Whether some records neither pass nor fail."""

    def drawn(self, number: int) -> int:
        return varied.mixed(self.key << 32 | number)


@lru_cache(maxsize=2**16)
def _signal(dataset: str, signal_type: str) -> _Signal:
    key = crc32(signal_type.encode(), crc32(dataset.encode()))
    draws = Draws.of(key)
    kind, length = draws.among(_KINDS)
    late = 0 if kind.startswith("TUMBLING") else draws.below(_LATEST_END)
    return _Signal(
        key,
        kind,
        length,
        first_end=_FIRST_WINDOW + late * _MILLISECOND,
        threshold=draws.among(_THRESHOLDS),
        digits=draws.among(_DIGITS),
        records=10 ** (1 + draws.below(6)),
        skips=draws.below(7) == 0,
    )


def report(dataset: str, signal_type: str, number: int) -> SignalReport:
    """The signal's evaluation of its window of this number; the first is number 0."""
    signal = _signal(dataset, signal_type)
    drawn, end = signal.drawn(number), signal.first_end + number * WINDOW
    state = _state(number, drawn)
    breach = state in (SignalStateEnum.WARNING, SignalStateEnum.CRITICAL)
    share, threshold = (drawn & 0xFFFFFF) / 2**24, signal.threshold
    passing = threshold * share if breach else threshold + (1 - threshold) * share
    # Engines that look closer name a producer also where all was well.
    explained = state is not SignalStateEnum.OK or drawn >> 61 == 0
    return SignalReport(
        dataset,
        signal_type,
        state.value,
        score=round(passing, signal.digits),
        slo_threshold=threshold,
        window_start=end - signal.length,
        window_end=end,
        window_type=signal.kind,
        **_counts(signal, drawn, passing),
        failure_signature=_signature(signal, drawn) if breach else None,
        **(_producer(signal, number, drawn) if explained else {}),
        evidence_sample=_evidence(end, drawn) if explained else (),
        expected_version=number,
    )


def _state(number: int, drawn: int) -> SignalStateEnum:
    if number % BREACH_EVERY == BREACH_EVERY - 1:
        return SignalStateEnum.CRITICAL if drawn >> 56 & 3 else SignalStateEnum.WARNING
    unknown = number > BREACH_EVERY and drawn >> 56 & 63 == 0
    return SignalStateEnum.UNKNOWN if unknown else SignalStateEnum.OK


def _counts(signal: _Signal, drawn: int, passing: float) -> dict[str, Any]:
    count = signal.records // 2 + (drawn >> 24) % signal.records
    passed = int(count * passing)
    skipped = (count - passed) // 10 if signal.skips else 0
    failed = count - passed - skipped
    return {"evidence_count": count, "pass_count": passed, "fail_count": failed}


def _signature(signal: _Signal, drawn: int) -> str:
    """A signal fails mostly for the same reason, and sometimes for others."""
    other = drawn >> 48 & 7
    return varied.signature(signal.key + (other if other > 4 else 0))


def _producer(signal: _Signal, number: int, drawn: int) -> dict[str, Any]:
    """One of the three of its signal. Each is deployed again after some windows."""
    producer = (signal.key + (drawn >> 51) % 3) % _PRODUCERS
    release = 1 + (number + producer) // (20 + producer % 50)
    version = varied.version(producer, release) if producer % 16 else None
    confidence = varied.confidence(producer) if producer % 11 else None
    name = varied.producer_id(producer)
    return {"producer_id": name, "producer_version": version, "confidence": confidence}


def _evidence(end: datetime, drawn: int) -> tuple[str, ...]:
    at, draws = (end - _EPOCH) // _MILLISECOND, Draws.of(drawn)
    count = (1, 3, 4, 5, 5, 10)[draws.below(6)]
    return tuple(varied.evidence_id(at - n * 311, draws.below(2**64)) for n in range(count))


# Who sends them.

_ENGINES = tuple(f"engine-{varied.producer_id(number)}" for number in range(40))
_ADMIN = frozenset({"admin"})


def caller(number: int) -> Caller:
    """An engine with a request of its own."""
    return Caller(_ENGINES[number % len(_ENGINES)], _ADMIN, varied.correlation_id(number))

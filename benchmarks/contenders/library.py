"""
The eventsourcing library's own SQLite application as a contender, the way its manual shows it.

An aggregate with what our events hold; load, update, save. It has no projections to feed, checks
nothing but the version, and begins every turn with new aggregates, because loading takes longer
with each event: all three in its favour.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from itertools import cycle
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from eventsourcing.sqlite import SQLiteFactory

from benchmarks.measuring.contest import SIGNALS, Turn, Updates
from domain.signal.evaluation import SignalStateEnum
from domain.signal.report import SignalReport

FULL_SYNC = 2


class LibrarySignal(Aggregate):
    def __init__(self, dataset_urn: str, signal_type: str) -> None:
        self.dataset_urn = dataset_urn
        self.signal_type = signal_type
        self.evaluations = 0
        self.state: str | None = None
        self.previous_state: str | None = None
        self.state_changed_at: datetime | None = None
        self.breach_start: datetime | None = None

    @staticmethod
    def create_id(dataset_urn: str, signal_type: str) -> UUID:
        return uuid5(NAMESPACE_URL, f"{dataset_urn}/{signal_type}")

    @event("Evaluated")
    def evaluate(
        self,
        state: str,
        score: float,
        slo_threshold: float,
        window_start: datetime,
        window_end: datetime,
        window_type: str,
        metrics: Mapping[str, int],
        failure_signature: str | None,
        top_producer: Mapping[str, str] | None,
        evidence_sample: Sequence[str],
        by: str,
        correlation_id: str,
    ) -> None:
        if state != self.state:
            self.previous_state, self.state = self.state, state
            self.state_changed_at = window_end
        if state == SignalStateEnum.OK.value:
            self.breach_start = None
        elif self.breach_start is None:
            self.breach_start = window_start
        self.evaluations += 1


class LibrarySignals(Application[UUID]):
    def update(self, report: SignalReport, *, by: str, correlation_id: str) -> None:
        signal = self._signal(report)
        if signal.evaluations != report.expected_version:
            raise RuntimeError(f"at {signal.evaluations}, not {report.expected_version}")
        signal.evaluate(**_evaluation(report), by=by, correlation_id=correlation_id)
        self.save(signal)

    def _signal(self, report: SignalReport) -> LibrarySignal:
        if report.expected_version == 0:
            return LibrarySignal(report.dataset_urn, report.signal_type)
        name = LibrarySignal.create_id(report.dataset_urn, report.signal_type)
        signal: LibrarySignal = self.repository.get(name)
        return signal


def _evaluation(report: SignalReport) -> dict[str, Any]:
    return {
        "state": report.state,
        "score": report.score,
        "slo_threshold": report.slo_threshold,
        "window_start": report.window_start,
        "window_end": report.window_end,
        "window_type": report.window_type,
        "metrics": _counts(report),
        "failure_signature": report.failure_signature,
        "top_producer": _producer(report),
        "evidence_sample": list(report.evidence_sample),
    }


def _counts(report: SignalReport) -> dict[str, Any]:
    return {
        "evidence_count": report.evidence_count,
        "pass_count": report.pass_count,
        "fail_count": report.fail_count,
    }


def _producer(report: SignalReport) -> dict[str, Any] | None:
    if report.producer_id is None:
        return None
    return {
        "producer_id": report.producer_id,
        "version": report.producer_version,
        "confidence": report.confidence,
    }


class Library:
    """The application on one file, used by as many threads as there are callers."""

    def __init__(self, folder: Path, **settings: str) -> None:
        folder.mkdir()
        self._application = LibrarySignals(
            {
                "PERSISTENCE_MODULE": "eventsourcing.sqlite",
                "SQLITE_DBNAME": str(folder / "library.db"),
                **settings,
            }
        )
        self._updates: list[Updates] = []
        self._must_sync_fully()

    def prepare(self, turn: Turn) -> None:
        """New aggregates for every turn."""
        self._updates = [Updates(number, f"CUSTOM_{turn.name}") for number in range(SIGNALS)]
        for updates in self._updates:
            updates.prepare(turn.most_updates)

    def take(self, turn: Turn) -> None:
        with ThreadPoolExecutor(turn.callers) as threads:
            turn.started = perf_counter()
            for done in [threads.submit(self._call, n, turn) for n in range(turn.callers)]:
                done.result()
            turn.end()

    def close(self) -> None:
        self._application.close()

    def _call(self, caller: int, turn: Turn) -> None:
        for number in cycle(turn.signals_of(caller)):
            if not turn.is_on():
                return
            since = perf_counter()
            told, by = self._updates[number].take()
            self._application.update(told, by=by.principal, correlation_id=by.correlation_id)
            turn.note(since)

    def _must_sync_fully(self) -> None:
        factory = self._application.factory
        assert isinstance(factory, SQLiteFactory)
        with factory.datastore.transaction(commit=False) as cursor:
            cursor.execute("PRAGMA synchronous")
            (found,) = cursor.fetchone()
            cursor.execute("PRAGMA journal_mode")
            (mode,) = cursor.fetchone()
        assert (found, mode) == (FULL_SYNC, "wal"), f"synchronous is {found}, mode {mode}"

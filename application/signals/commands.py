"""Recording what signal engines find out."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

from attrs import evolve, frozen

from application.caller import Caller, RequestKey
from application.errors import ApplicationError
from application.ports.access import Access
from application.ports.clock import Clock
from application.ports.streams import Committed, Streams
from application.violations import refuse_any
from domain.dataset.config import DatasetConfig, DatasetStatus
from domain.errors import DomainError, Violation
from domain.ids import DatasetUrn, SignalType, is_dataset_urn, is_signal_type
from domain.signal.complete_history import SignalHistory
from domain.signal.report import SignalReport
from domain.signal.signal import HORIZON, BeyondMemory, SignalFact, SignalState
from domain.signal.windows import Standing
from domain.stream_categories import dataset_stream, signal_stream
from domain.streams import Stream
from domain.versions import ANY_VERSION


@frozen
class SignalUpdated:
    """How the signal stands after an update."""

    dataset: DatasetUrn
    signal_type: SignalType
    version: int
    standing: Standing
    is_current: bool
    """Whether the update is about the latest window; a late one may change nothing that shows."""
    position: int
    replayed: bool


@frozen
class UpdateSignal:
    """Accept an evaluation of one window, or say everything that is wrong with it."""

    streams: Streams
    access: Access
    clock: Clock
    horizon: timedelta = HORIZON

    async def __call__(
        self, report: SignalReport, *, by: Caller, found: Sequence[Violation] = ()
    ) -> SignalUpdated:
        await self.access.permit(by, "signal:update", report.dataset_urn)
        if not (is_dataset_urn(report.dataset_urn) and is_signal_type(report.signal_type)):
            refuse_any(found, report.violations(at=self.clock.now()))
        try:
            signal = _signal(report)
            committed = await self._transact(signal, report, by, found)
            state = committed.states[signal]
        except BeyondMemory:
            history = _signal(report).folded_into(SignalHistory())
            committed = await self._transact(history, report, by, found)
            state = committed.states[history].now
        return _updated(report, state, committed)

    async def _transact(
        self,
        signal: Stream[SignalState | SignalHistory],
        report: SignalReport,
        by: Caller,
        found: Sequence[Violation],
    ) -> Committed:
        now, dataset = self.clock.now(), _dataset(report)
        return await self.streams.transact(
            [signal, dataset],
            lambda states: {
                signal: self._decided(states[signal], states[dataset], report, now, found)
            },
            by=by,
        )

    def _decided(
        self,
        signal: SignalState | SignalHistory,
        dataset: DatasetConfig,
        report: SignalReport,
        now: datetime,
        found: Sequence[Violation],
    ) -> Sequence[SignalFact]:
        refuse_any(found, [*report.violations(at=now), *_unusable(dataset)])
        assert report.expected_version is not None
        evaluation = report.evaluation(evaluated_at=_evaluated_at(report, signal, now))
        return signal.evaluate(
            evaluation, expected_version=report.expected_version, horizon=self.horizon
        )


Outcome = SignalUpdated | DomainError | ApplicationError


@frozen
class UpdateSignals:
    """Accept many evaluations; each succeeds or fails by itself.

    Updates of one signal are taken in the order given, those of different signals together.
    """

    update: UpdateSignal

    async def __call__(
        self, reports: Sequence[tuple[SignalReport, Sequence[Violation]]], *, by: Caller
    ) -> Sequence[Outcome]:
        lines: dict[tuple[str, str], list[int]] = {}
        for index, (report, _) in enumerate(reports):
            lines.setdefault((report.dataset_urn, report.signal_type), []).append(index)
        await self._claim(by)
        outcomes: dict[int, Outcome] = {}
        await asyncio.gather(*(self._line(line, reports, by, outcomes) for line in lines.values()))
        return [outcomes[index] for index in range(len(reports))]

    async def _claim(self, by: Caller) -> None:
        """Take the request key for the whole batch.

        Raises:
            KeyReused: It came with another batch before.
        """
        if by.request is not None:
            await self.update.streams.transact([], lambda states: {}, by=by)

    async def _line(
        self,
        line: Sequence[int],
        reports: Sequence[tuple[SignalReport, Sequence[Violation]]],
        by: Caller,
        outcomes: dict[int, Outcome],
    ) -> None:
        for index in line:
            report, found = reports[index]
            try:
                outcomes[index] = await self.update(report, by=_part(by, index), found=found)
            except (DomainError, ApplicationError) as error:
                outcomes[index] = error


def _part(by: Caller, index: int) -> Caller:
    """A request key for one item of a request, which no caller can send."""
    if by.request is None:
        return by
    return evolve(by, request=RequestKey(f"{by.request.key}\n{index}", by.request.fingerprint))


def _signal(report: SignalReport) -> Stream[SignalState]:
    return signal_stream(DatasetUrn(report.dataset_urn), SignalType(report.signal_type))


def _dataset(report: SignalReport) -> Stream[DatasetConfig]:
    return dataset_stream(DatasetUrn(report.dataset_urn))


def _unusable(dataset: DatasetConfig) -> Sequence[Violation]:
    match dataset.status:
        case DatasetStatus.UNREGISTERED:
            return [Violation("dataset_urn", "NOT_REGISTERED", "must be a registered dataset")]
        case DatasetStatus.RETIRED:
            return [Violation("dataset_urn", "RETIRED", "must not be a retired dataset")]
        case DatasetStatus.ACTIVE:
            return []


def _evaluated_at(
    report: SignalReport, signal: SignalState | SignalHistory, now: datetime
) -> datetime:
    """When the verdict was reached, for those who do not say.

    Who names the current version speaks after all that was said. Who does not (-1) may be
    repeating an old message, so only the window itself tells how old the verdict is.
    """
    if report.evaluated_at is not None:
        return report.evaluated_at
    if report.expected_version == ANY_VERSION:
        return report.window[0]
    return signal.spoken_next(report.window, at=now)


def _updated(report: SignalReport, state: SignalState, committed: Committed) -> SignalUpdated:
    assert state.standing is not None
    return SignalUpdated(
        dataset=DatasetUrn(report.dataset_urn),
        signal_type=SignalType(report.signal_type),
        version=state.version,
        standing=state.standing,
        is_current=state.windows[-1].place == report.window,
        position=committed.position,
        replayed=committed.replayed,
    )

"""Commands on signals: evaluations that signal engines report, one or many."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

from attrs import evolve, frozen

from application.caller import Caller, RequestKey
from application.errors import ApplicationError
from application.ports.access import Access
from application.ports.clock import Clock
from application.ports.streams import Committed, Streams
from domain.dataset.config import DatasetConfig, DatasetStatus
from domain.errors import DomainError, Invalid, Violation
from domain.ids import DatasetUrn, SignalType
from domain.signal.complete_history import SignalHistory
from domain.signal.evaluation import Evaluation
from domain.signal.report import ParsedReport, SignalReport
from domain.signal.signal import HORIZON, BeyondMemory, SignalFact, SignalState
from domain.signal.windows import Standing
from domain.stream_categories import dataset_stream, signal_stream
from domain.streams import Decision, States, Stream
from domain.violations import first_causes, refuse_any


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
    """Accept the evaluation of one window."""

    streams: Streams
    access: Access
    clock: Clock
    horizon: timedelta = HORIZON

    async def __call__(self, report: SignalReport, *, by: Caller) -> SignalUpdated:
        """Raises Invalid with everything that is wrong with the report, and with its dataset."""
        await self.access.permit(by, "signal:update", report.dataset_urn)
        now = self.clock.now()
        try:
            parsed = report.parse(at=now)
        except Invalid as invalid:
            await self._refuse_with_dataset(report, invalid, by)
            raise
        signal = signal_stream(parsed.dataset, parsed.signal_type)
        try:
            committed = await self._transact(signal, parsed, now, by)
            state = committed.states[signal]
        except BeyondMemory:
            history = signal.folded_into(SignalHistory())
            committed = await self._transact(history, parsed, now, by)
            state = committed.states[history].now
        return _updated(parsed, state, committed)

    async def _refuse_with_dataset(
        self, report: SignalReport, invalid: Invalid, by: Caller
    ) -> None:
        """Raises Invalid with what is wrong with the dataset too, if the report names one."""
        if not report.names_a_signal:
            return
        dataset = dataset_stream(DatasetUrn(report.dataset_urn))

        def refuse(states: States) -> Decision:
            raise Invalid(first_causes(invalid.violations, _unusable(states[dataset])))

        await self.streams.transact([dataset], refuse, by=by)

    async def _transact(
        self,
        signal: Stream[SignalState | SignalHistory],
        parsed: ParsedReport,
        now: datetime,
        by: Caller,
    ) -> Committed:
        dataset = dataset_stream(parsed.dataset)

        def decide(states: States) -> Decision:
            refuse_any(_unusable(states[dataset]))
            return {signal: self._decided(states[signal], parsed, now)}

        return await self.streams.transact([signal, dataset], decide, by=by)

    def _decided(
        self, signal: SignalState | SignalHistory, parsed: ParsedReport, now: datetime
    ) -> Sequence[SignalFact]:
        evaluation, version = _evaluation(parsed, signal, now), parsed.expected_version
        return signal.evaluate(evaluation, expected_version=version, horizon=self.horizon)


Outcome = SignalUpdated | DomainError | ApplicationError


@frozen
class UpdateSignals:
    """Accept many evaluations; each succeeds or fails by itself.

    Updates of one signal are taken in the order given, those of different signals together.
    """

    update: UpdateSignal

    async def __call__(self, reports: Sequence[SignalReport], *, by: Caller) -> Sequence[Outcome]:
        lines: dict[tuple[str, str], list[int]] = {}
        for index, report in enumerate(reports):
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
        reports: Sequence[SignalReport],
        by: Caller,
        outcomes: dict[int, Outcome],
    ) -> None:
        for index in line:
            try:
                outcomes[index] = await self.update(reports[index], by=_part(by, index))
            except (DomainError, ApplicationError) as error:
                outcomes[index] = error


def _part(by: Caller, index: int) -> Caller:
    """A request key for one item of a request, which no caller can send."""
    if by.request is None:
        return by
    return evolve(by, request=RequestKey(f"{by.request.key}\n{index}", by.request.fingerprint))


def _unusable(dataset: DatasetConfig) -> Sequence[Violation]:
    match dataset.status:
        case DatasetStatus.UNREGISTERED:
            return [Violation("dataset_urn", "NOT_REGISTERED", "must be a registered dataset")]
        case DatasetStatus.RETIRED:
            return [Violation("dataset_urn", "RETIRED", "must not be a retired dataset")]
        case DatasetStatus.ACTIVE:
            return []


def _evaluation(
    parsed: ParsedReport, signal: SignalState | SignalHistory, now: datetime
) -> Evaluation:
    if not parsed.is_latest:
        return parsed.evaluation
    return parsed.evaluated(signal.spoken_next(parsed.window, at=now))


def _updated(parsed: ParsedReport, state: SignalState, committed: Committed) -> SignalUpdated:
    assert state.standing is not None
    return SignalUpdated(
        dataset=parsed.dataset,
        signal_type=parsed.signal_type,
        version=state.version,
        standing=state.standing,
        is_current=state.windows[-1].place == parsed.window,
        position=committed.position,
        replayed=committed.replayed,
    )

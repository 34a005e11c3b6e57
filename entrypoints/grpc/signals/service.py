"""SignalStateService: what engines report, and how the datasets are (S0-126..S0-135)."""

from collections.abc import AsyncIterator, Sequence

from attrs import frozen

from application.reads.position import Position
from application.signals.commands import SignalUpdated
from application.use_cases import UseCases
from application.violations import refuse_any
from domain.errors import DomainError, Violation
from domain.signal.evaluation import SignalStateEnum
from domain.timestamps import stamp
from entrypoints.grpc.fields.fields import no_more_than, not_too_many
from entrypoints.grpc.fields.filters import team_said, tier_said
from entrypoints.grpc.fields.paging import page_wanted, pages_of
from entrypoints.grpc.fields.timestamps import moment_said
from entrypoints.grpc.messages import signals_pb2 as messages
from entrypoints.grpc.server.call import Call, answered, demanded
from entrypoints.grpc.signals.messages import (
    health_message,
    outcome_fields,
    outcome_message,
    past_message,
    signal_message,
    signal_part,
    signal_report,
)
from entrypoints.grpc.signals.stream import acknowledged
from entrypoints.interfaces.names import (
    MOST_NAMES,
    dataset_named,
    refuse_too_many,
    signal_named,
    signals_named,
)
from entrypoints.interfaces.timestamps import refuse_backwards


@frozen
class SignalStateService:
    use: UseCases
    page_secret: bytes

    async def update_signal_state(
        self, request: messages.UpdateSignalStateRequest, call: Call
    ) -> messages.UpdateSignalStateResponse:
        """What is wrong with the update is an answer, as it is in a batch (S0-145)."""
        try:
            return outcome_message(await self.use.update_signal(signal_report(request), by=call.by))
        except DomainError as error:
            return outcome_message(error)

    async def batch_update_signal_state(
        self, request: messages.BatchUpdateSignalStateRequest, call: Call
    ) -> messages.BatchUpdateSignalStateResponse:
        found: list[Violation] = []
        refuse_too_many(request.updates, found, "updates")
        refuse_any(found)
        outcomes = await self.use.update_signals(
            [signal_report(one) for one in request.updates], by=call.by
        )
        updated = [one for one in outcomes if isinstance(one, SignalUpdated)]
        return messages.BatchUpdateSignalStateResponse(
            results=map(outcome_fields, outcomes),
            success_count=len(updated),
            failure_count=len(outcomes) - len(updated),
            position=Position(max(one.position for one in updated)).token() if updated else None,
        )

    def stream_signal_state_updates(
        self, requests: AsyncIterator[messages.StreamSignalStateUpdatesRequest], call: Call
    ) -> AsyncIterator[messages.StreamSignalStateUpdatesResponse]:
        return acknowledged(self.use.update_signals, requests, call)

    async def get_signal_state(
        self, request: messages.GetSignalStateRequest, call: Call
    ) -> messages.SignalState:
        demand, found = demanded(request)
        dataset = dataset_named(request.dataset_urn, found)
        kind = signal_named(request.signal_type, found)
        refuse_any(found)
        card, answer = answered(
            await self.use.read_signal(dataset, kind, demand=demand, by=call.by)
        )
        return signal_message(card, answer)

    async def batch_get_signal_states(
        self, request: messages.BatchGetSignalStatesRequest, call: Call
    ) -> messages.BatchGetSignalStatesResponse:
        demand, found = demanded(request, single=False)
        few = no_more_than(MOST_NAMES, request.signals)
        said = [(one.dataset_urn, one.signal_type) for one in few]
        names = signals_named(said, found)
        refuse_any(found)
        cards, answer = answered(await self.use.read_signals(names, demand=demand, by=call.by))
        return messages.BatchGetSignalStatesResponse(
            results=[{"signal": signal_part(card) if card else None} for card in cards],
            answer=answer,
        )

    async def get_dataset_signals(
        self, request: messages.GetDatasetSignalsRequest, call: Call
    ) -> messages.GetDatasetSignalsResponse:
        demand, found = demanded(request)
        dataset = dataset_named(request.dataset_urn, found)
        refuse_any(found)
        health, answer = answered(await self.use.read_health(dataset, demand=demand, by=call.by))
        return messages.GetDatasetSignalsResponse(
            signals=map(signal_part, health.signals), answer=answer
        )

    async def get_dataset_health(
        self, request: messages.GetDatasetHealthRequest, call: Call
    ) -> messages.DatasetHealth:
        demand, found = demanded(request)
        dataset = dataset_named(request.dataset_urn, found)
        refuse_any(found)
        health, answer = answered(await self.use.read_health(dataset, demand=demand, by=call.by))
        return health_message(health, answer)

    async def list_signals(
        self, request: messages.ListSignalsRequest, call: Call
    ) -> messages.ListSignalsResponse:
        demand, found = demanded(request, single=False)
        states = _states(not_too_many("states", request.states, found), found)
        tier, team = tier_said(request.tier, found), team_said(request.owner_team, found)
        pages = pages_of(self.page_secret, request, "signals", states, tier, team)
        wanted = page_wanted(request, pages, found)
        refuse_any(found)
        page, answer = answered(
            await self.use.list_not_ok(
                states, wanted, tier=tier, owner_team=team, demand=demand, by=call.by
            )
        )
        return messages.ListSignalsResponse(
            signals=map(signal_part, page.items),
            next_page_token=pages.token(page.next),
            answer=answer,
        )

    async def get_signal_history(
        self, request: messages.GetSignalHistoryRequest, call: Call
    ) -> messages.GetSignalHistoryResponse:
        demand, found = demanded(request, single=False)
        dataset = dataset_named(request.dataset_urn, found)
        kind = signal_named(request.signal_type, found)
        since, until = moment_said(request, "from", found), moment_said(request, "to", found)
        refuse_backwards(since, until, found)
        span = [one and stamp(one) for one in (since, until)]
        pages = pages_of(self.page_secret, request, "history", dataset, kind, *span)
        wanted = page_wanted(request, pages, found)
        refuse_any(found)
        page, answer = answered(
            await self.use.read_history(
                dataset, kind, since=since, until=until, page=wanted, demand=demand, by=call.by
            )
        )
        return messages.GetSignalHistoryResponse(
            evaluations=map(past_message, page.items),
            next_page_token=pages.token(page.next),
            answer=answer,
        )


def _states(said: Sequence[str], found: list[Violation]) -> Sequence[SignalStateEnum]:
    unknown = [one for one in said if one not in SignalStateEnum.__members__]
    if unknown:
        found.append(Violation("states", "UNKNOWN_VALUE", f"must be {', '.join(SignalStateEnum)}"))
    if SignalStateEnum.OK in said:
        text = "must not be OK: what is well is not indexed; ask for a dataset's signals"
        found.append(Violation("states", "UNSUPPORTED", text))
    return sorted({SignalStateEnum(one) for one in said if one in SignalStateEnum.__members__})

"""Facts as they would be recorded, and what projections make of them."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from attrs import define, evolve, field

from adapters.eventstore.sealing.seals import Seals
from adapters.memory.engine import MemoryEngine
from adapters.memory.keys import MemoryKeys
from adapters.read_models.view_store import TableCards
from adapters.row_layouts.engine import Delete, RowKey
from application.projections.folding import Folding
from application.projections.progress import Progress
from application.projections.projection import Projection
from application.projections.runner import ProjectionHandler, projection_runner
from application.projections.view_store import Card, Cards, Filed, Group, Key
from application.recorded import Recorded
from application.subscriptions.subscription import Subscription
from domain.dataset.config import DatasetConfig
from domain.dataset.resolution_rules import ResolutionType, Rule
from domain.dataset.settings import Settings
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn, FailureSignature, IncidentId, SignalType
from domain.incident.decisions import REOPENED_WITHIN, Incident
from domain.incident.fault_slot import FaultSlot
from domain.incident.merging import merge, split
from domain.incident.opening import open_or_join
from domain.incident.patch import Change, change
from domain.incident.report import Case
from domain.incident.reservations import Unread
from domain.incident.severity import Severity
from domain.lineage.lineage import Lineage, Spec
from domain.signal.evaluation import Evaluation, Metrics, SignalStateEnum
from domain.signal.signal import SignalState
from domain.stream_categories import (
    dataset_stream,
    fault_stream,
    incident_stream,
    lineage_stream,
    signal_stream,
)
from domain.streams import Decision, States, Stream, StreamId
from domain.versions import ANY_VERSION
from tests.support.event_loop_turns import others_go_on

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
ORDERS = DatasetUrn("urn:dp:orders:order_created:v1")
PAYMENTS = DatasetUrn("urn:dp:payments:paid:v1")
FRESHNESS, VOLUME = SignalType("FRESHNESS"), SignalType("VOLUME")
MISSING = FailureSignature("MISSING_FIELD:customer_id")
LATE = FailureSignature("LATE_DATA:processed_at")
ONE, TWO = IncidentId("INC-1"), IncidentId("INC-2")

_ZEROS: Mapping[str, Any] = {
    "dataset": DatasetConfig(),
    "fault": FaultSlot(),
    "incident": Incident(),
    "signal": SignalState(),
}


@define
class Story:
    """Decides with the real aggregates and records what they say, one fact a second."""

    facts: list[Recorded] = field(factory=list)
    by: str = "jane"
    waited: timedelta = timedelta()
    _states: dict[StreamId, Any] = field(factory=dict)
    _versions: dict[StreamId, int] = field(factory=dict)

    # Datasets.

    def register(self, dataset: DatasetUrn = ORDERS, **settings: Any) -> "Story":
        return self._dataset(dataset, lambda it: it.register(dataset, Settings(**settings)))

    def reconfigure(self, dataset: DatasetUrn = ORDERS, **changed: Any) -> "Story":
        to = Settings(**changed)
        return self._dataset(
            dataset, lambda it: it.reconfigure([*changed], to, expected_version=ANY_VERSION)
        )

    def retire(self, dataset: DatasetUrn = ORDERS) -> "Story":
        return self._dataset(dataset, DatasetConfig.retire)

    def restore(self, dataset: DatasetUrn = ORDERS) -> "Story":
        return self._dataset(dataset, DatasetConfig.restore)

    def add_rule(self, pattern: str, name: str = "r", dataset: DatasetUrn = ORDERS) -> "Story":
        return self._dataset(dataset, lambda it: it.add_rule(rule(pattern, name)))

    def change_rule(self, pattern: str, name: str = "r", dataset: DatasetUrn = ORDERS) -> "Story":
        return self._dataset(dataset, lambda it: it.change_rule(rule(pattern, name)))

    def remove_rule(self, name: str = "r", dataset: DatasetUrn = ORDERS) -> "Story":
        return self._dataset(dataset, lambda it: it.remove_rule(name))

    # Signals.

    def evaluate(
        self,
        state: SignalStateEnum = SignalStateEnum.OK,
        *,
        hour: int = 0,
        signal_type: SignalType = FRESHNESS,
        dataset: DatasetUrn = ORDERS,
        **more: Any,
    ) -> "Story":
        said = evolve(evaluation(state, hour), **more)
        decide = lambda it: it.evaluate(said, expected_version=ANY_VERSION)  # noqa: E731
        return self._decide(signal_stream(dataset, signal_type), SignalState(), decide)

    # Lineage.

    def declare(self, spec: Spec) -> "Story":
        return self._decide(lineage_stream(spec.producer), Lineage(), lambda it: it.declare(spec))

    # Incidents.

    def open(
        self,
        name: IncidentId = ONE,
        *signatures: FailureSignature,
        signals: Sequence[SignalType] = (FRESHNESS,),
        dataset: DatasetUrn = ORDERS,
        **more: Any,
    ) -> "Story":
        severity = more.pop("severity", Severity.SEV_1)
        case = Case(dataset, tuple(signals), signatures or (MISSING,), severity, **more)
        reads = [
            incident_stream(name),
            dataset_stream(dataset),
            *(fault_stream(dataset, one) for one in case.signatures),
            *(signal_stream(dataset, one) for one in signals),
        ]
        at = self._next_moment
        return self._together(reads, lambda states: open_or_join(states, case, name, at=at))

    def change(self, name: IncidentId = ONE, **wanted: Any) -> "Story":
        at = self._next_moment
        return self._together(
            [incident_stream(name)],
            lambda states: change(
                states,
                name,
                Change(**wanted),
                expected_version=ANY_VERSION,
                at=at,
                within=REOPENED_WITHIN,
            ),
        )

    def merge(self, name: IncidentId, into: IncidentId) -> "Story":
        at = self._next_moment
        return self._together(
            [incident_stream(name), incident_stream(into)],
            lambda states: merge(states, name, into, None, expected_version=ANY_VERSION, at=at),
        )

    def split(self, name: IncidentId) -> "Story":
        at = self._next_moment
        return self._together(
            [incident_stream(name)],
            lambda states: split(states, name, None, expected_version=ANY_VERSION, at=at),
        )

    def _together(
        self, reads: Sequence[Stream[Any]], decide: Callable[[States], Decision]
    ) -> "Story":
        try:
            decision = decide({stream: self._state(stream) for stream in reads})
        except Unread as more:
            return self._together([*reads, *more.streams], decide)
        for stream, facts in decision.items():
            self._decide(stream, self._state(stream), lambda _, facts=facts: facts)
        return self

    def _state(self, stream: StreamId) -> Any:
        return self._states.get(stream, _ZEROS[stream.partition("-")[0]])

    # Recording.

    def wait(self, **span: float) -> "Story":
        """Let time pass before the next fact."""
        self.waited += timedelta(**span)
        return self

    @property
    def _next_moment(self) -> datetime:
        return NOON + self.waited + timedelta(seconds=len(self.facts) + 1)

    @property
    def now(self) -> datetime:
        """When the last fact was recorded."""
        return self.facts[-1].at

    def _dataset(self, dataset: DatasetUrn, decide: Any) -> "Story":
        return self._decide(dataset_stream(dataset), DatasetConfig(), decide)

    def _decide(self, stream: StreamId, zero: Any, decide: Any) -> "Story":
        for fact in decide(self._states.get(stream, zero)):
            self._states[stream] = self._states.get(stream, zero).after(fact)
            self._record(stream, fact)
        return self

    def _record(self, stream: StreamId, fact: Any) -> None:
        position = len(self.facts) + 1
        self._versions[stream] = self._versions.get(stream, 0) + 1
        self.facts.append(
            Recorded(
                position=position,
                at=self._next_moment,
                stream=stream,
                version=self._versions[stream],
                fact=fact,
                event_id=position.to_bytes(16),
                by=self.by,
                correlation_id="",
            )
        )


def rule(pattern: str, name: str) -> Rule:
    kind = ResolutionType.WILDCARD if "*" in pattern else ResolutionType.EXACT
    return Rule(name, pattern, kind, 100)


def evaluation(state: SignalStateEnum, hour: int) -> Evaluation:
    end = NOON + timedelta(hours=hour)
    return Evaluation(state, 0.5, end - timedelta(hours=1), end, Metrics(10, 5, 5), end)


def registered(**settings: Any) -> Story:
    return Story().register(tier=Tier.TIER_2, owner_team="first", **settings)


# Running.


@define
class ListFeed:
    """A story as the runner reads it, at most so many facts at a time."""

    facts: Sequence[Recorded]
    most: int = 1000
    idle: asyncio.Event = field(factory=asyncio.Event)

    async def read(self, after: int, limit: int) -> Sequence[Recorded]:
        return self.facts[after : after + min(limit, self.most)]

    async def head(self) -> int:
        return len(self.facts)

    async def beyond(self, position: int, *, timeout: float) -> bool:
        self.idle.set()
        return await asyncio.Event().wait()  # nothing ever comes


@define
class WatchedCards:
    """Cards that remember what was filed, and let others run at every step."""

    cards: Cards = field(factory=lambda: TableCards(MemoryEngine(), Seals(MemoryKeys())))
    filings: list[tuple[str, Mapping[Key, tuple[Card | None, int]], int]] = field(factory=list)

    async def find(self, keys: Iterable[Key]) -> Mapping[Key, Filed]:
        await others_go_on()
        return await self.cards.find(keys)

    async def group(self, group: Group) -> Mapping[Key, Filed]:
        await others_go_on()
        return await self.cards.group(group)

    async def file(
        self, projection: str, changes: Mapping[Key, tuple[Card | None, int]], *, upto: int
    ) -> None:
        await others_go_on()
        self.filings.append((projection, dict(changes), upto))
        await self.cards.file(projection, changes, upto=upto)

    async def reached(self, projection: str) -> int:
        await others_go_on()
        return await self.cards.reached(projection)

    def now(self) -> Mapping[Key, Filed]:
        """Every card that was ever filed, as it is now."""
        return asyncio.run(
            self.cards.find({key for _, changes, _ in self.filings for key in changes})
        )

    def throw_away(self, row: RowKey) -> None:
        """What an engine does with rows that have ended."""
        assert isinstance(self.cards, TableCards)
        asyncio.run(self.cards.engine.write("sweep", [Delete(row, 99)], upto=1))

    def card(self, key: Key) -> Any:
        found = asyncio.run(self.cards.find([key]))
        return found[key].card if key in found else None


def runner(
    projections: Sequence[Projection], facts: Sequence[Recorded], cards: Cards, most: int = 1000
) -> Subscription:
    return projection_runner(projections, ListFeed(facts, most), cards, Progress())


def folding_of(one: Subscription) -> Folding:
    handler = one.followers[0].handler
    assert isinstance(handler, ProjectionHandler)
    return handler.folding


def run(
    projection: Projection,
    story: Story,
    cards: WatchedCards | None = None,
    most: int = 1000,
) -> WatchedCards:
    """Fold the whole story, so many facts at a time."""
    cards = cards or WatchedCards()
    asyncio.run(runner([projection], story.facts, cards, most).catch_up())
    return cards

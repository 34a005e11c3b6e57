"""Reading signals: one, many, all of a dataset, and those that are not OK."""

from collections.abc import Sequence

from attrs import frozen

from application.caller import Caller
from application.datasets.read_model import DatasetView
from application.incidents.read_model import IncidentView
from application.ports.access import Access
from application.projections.datasets import REGISTRY
from application.projections.incidents import INCIDENT_BOARD
from application.projections.signals import SIGNAL_BOARD
from application.reads.consistency import Reads
from application.reads.demand import NOTHING, Answer, Demand
from application.reads.paging import Cursor, Page, PageRequest
from application.signals.read_model import SignalKey, SignalReadModel, SignalView
from domain.dataset.tier import Tier
from domain.errors import NotFound
from domain.ids import DatasetUrn, SignalType
from domain.signal.evaluation import IN_BREACH, WORST_FIRST, SignalStateEnum


@frozen
class ReadSignal:
    reads: Reads
    access: Access

    async def __call__(
        self,
        dataset: DatasetUrn,
        signal_type: SignalType,
        *,
        demand: Demand = NOTHING,
        by: Caller,
    ) -> Answer[SignalView]:
        """Raises NotFound if the signal was never evaluated."""
        await self.access.permit(by, "signal:read", dataset)
        reader = await self.reads.open(demand, by=by, projections=[SIGNAL_BOARD], about=[dataset])
        card = await reader.signals.find(dataset, signal_type)
        if card is None:
            raise NotFound("signal", f"{dataset}/{signal_type}")
        return reader.answer(card)


@frozen
class ReadSignals:
    """Many signals in one read, of any datasets (S0-212)."""

    reads: Reads
    access: Access

    async def __call__(
        self, names: Sequence[SignalKey], *, demand: Demand = NOTHING, by: Caller
    ) -> Answer[Sequence[SignalView | None]]:
        """The cards in the order of the names; nothing where a signal was never evaluated."""
        datasets = dict.fromkeys(name.dataset for name in names)
        for dataset in datasets:
            await self.access.permit(by, "signal:read", dataset)
        reader = await self.reads.open(
            demand, by=by, projections=[SIGNAL_BOARD], about=datasets.keys()
        )
        cards = await reader.signals.find_many(names)
        return reader.answer([cards.get(name) for name in names])


@frozen
class DatasetHealth:
    """All signals of a dataset and the worst of their states; UNKNOWN when there are none."""

    dataset: DatasetView
    state: SignalStateEnum
    signals: Sequence[SignalView]
    incidents: Sequence[IncidentView]
    """Those that are open."""


@frozen
class ReadHealth:
    """What is the current health? (S0-001)"""

    reads: Reads
    access: Access

    async def __call__(
        self, dataset: DatasetUrn, *, demand: Demand = NOTHING, by: Caller
    ) -> Answer[DatasetHealth]:
        """Raises NotFound if the dataset is not registered."""
        await self.access.permit(by, "signal:read", dataset)
        reader = await self.reads.open(
            demand, by=by, projections=[REGISTRY, INCIDENT_BOARD, SIGNAL_BOARD], about=[dataset]
        )
        card = await reader.datasets.find(dataset)
        if card is None:
            raise NotFound("dataset", dataset)
        signals = await reader.signals.of_dataset(dataset)
        state = worst([signal.state for signal in signals])
        incidents = await reader.incidents.open_of(dataset)
        return reader.answer(DatasetHealth(card, state, signals, incidents))


def worst(states: Sequence[SignalStateEnum]) -> SignalStateEnum:
    return min(states, key=WORST_FIRST.index, default=SignalStateEnum.UNKNOWN)


@frozen
class ListNotOk:
    """What is in breach now, the most important tier first."""

    reads: Reads
    access: Access

    async def __call__(
        self,
        states: Sequence[SignalStateEnum],
        page: PageRequest,
        *,
        tier: Tier | None = None,
        owner_team: str | None = None,
        demand: Demand = NOTHING,
        by: Caller,
    ) -> Answer[Page[SignalView]]:
        await self.access.permit(by, "signal:read", "*")
        reader = await self.reads.open(demand, by=by, projections=[SIGNAL_BOARD])
        wanted = [state for state in WORST_FIRST if state in (states or IN_BREACH)]
        return reader.answer(await _from(reader.signals, wanted, page, tier, owner_team))


async def _from(
    board: SignalReadModel,
    wanted: Sequence[SignalStateEnum],
    page: PageRequest,
    tier: Tier | None,
    team: str | None,
) -> Page[SignalView]:
    """Go through the states one after the other; the cursor begins with the state."""
    current = SignalStateEnum(page.after[0]) if page.after else wanted[0]
    after: Cursor | None = page.after[1:] if page.after else None
    items: list[SignalView] = []
    for state in wanted[wanted.index(current) :]:
        rest = PageRequest(page.size - len(items), after or None)
        found = await board.not_ok(state, rest, tier=tier, owner_team=team)
        items, after = [*items, *found.items], None
        if found.next is not None:
            return Page(items, (state, *found.next))
        if len(items) == page.size:
            return Page(items, _next_state(wanted, state))
    return Page(items)


def _next_state(wanted: Sequence[SignalStateEnum], state: SignalStateEnum) -> Cursor | None:
    rest = wanted[wanted.index(state) + 1 :]
    return (rest[0],) if rest else None

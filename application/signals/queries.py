"""Reading signals: one, many, all of a dataset, and those that are not OK."""

from collections.abc import Sequence

from attrs import frozen

from application.caller import Caller
from application.datasets.read_model import DatasetCard
from application.incidents.read_model import IncidentCard
from application.ports.access import Access
from application.projections.progress import Reached
from application.reads.paging import Cursor, Page, PageRequest
from application.reads.reader import Boards
from application.signals.read_model import SignalBoard, SignalCard, SignalKey
from domain.dataset.tier import Tier
from domain.errors import NotFound
from domain.ids import DatasetUrn, SignalType
from domain.signal.evaluation import IN_BREACH, WORST_FIRST, State


@frozen
class ReadSignal:
    boards: Boards
    access: Access

    async def __call__(
        self, dataset: DatasetUrn, signal_type: SignalType, *, by: Caller
    ) -> SignalCard:
        """Raises NotFound if the signal was never evaluated."""
        await self.access.permit(by, "signal:read", dataset)
        boards = await self.boards.settled(by, "signal-board", about=dataset)
        card = await boards.signals.signal(dataset, signal_type)
        if card is None:
            raise NotFound("signal", f"{dataset}/{signal_type}")
        return card


@frozen
class ReadSignals:
    """Many signals in one read, of any datasets (S0-212)."""

    boards: Boards
    access: Access

    async def __call__(
        self, names: Sequence[SignalKey], *, by: Caller
    ) -> Sequence[SignalCard | None]:
        """The cards in the order of the names; nothing where a signal was never evaluated."""
        datasets = dict.fromkeys(name.dataset for name in names)
        for dataset in datasets:
            await self.access.permit(by, "signal:read", dataset)
        boards = await self.boards.settled(by, "signal-board", about=datasets.keys())
        cards = await boards.signals.named(names)
        return [cards.get(name) for name in names]


@frozen
class DatasetHealth:
    """All signals of a dataset and the worst of their states; UNKNOWN when there are none."""

    dataset: DatasetCard
    state: State
    signals: Sequence[SignalCard]
    incidents: Sequence[IncidentCard]
    """Those that are open."""
    reached: Reached


@frozen
class ReadHealth:
    """What is the current health? (S0-001)"""

    boards: Boards
    access: Access

    async def __call__(self, dataset: DatasetUrn, *, by: Caller) -> DatasetHealth:
        """Raises NotFound if the dataset is not registered."""
        await self.access.permit(by, "signal:read", dataset)
        boards = await self.boards.settled(
            by, "registry", "incident-board", "signal-board", about=dataset
        )
        card = await boards.registry.dataset(dataset)
        if card is None:
            raise NotFound("dataset", dataset)
        signals = await boards.signals.signals(dataset)
        state = worst([signal.state for signal in signals])
        incidents = await boards.incidents.open_of(dataset)
        return DatasetHealth(card, state, signals, incidents, boards.shown)


def worst(states: Sequence[State]) -> State:
    return min(states, key=WORST_FIRST.index, default=State.UNKNOWN)


@frozen
class ListNotOk:
    """What is in breach now, the most important tier first."""

    boards: Boards
    access: Access

    async def __call__(
        self,
        states: Sequence[State],
        page: PageRequest,
        *,
        tier: Tier | None = None,
        owner_team: str | None = None,
        by: Caller,
    ) -> Page[SignalCard]:
        await self.access.permit(by, "signal:read", "*")
        boards = await self.boards.settled(by, "signal-board")
        wanted = [state for state in WORST_FIRST if state in (states or IN_BREACH)]
        return await _from(boards.signals, wanted, page, tier, owner_team)


async def _from(
    board: SignalBoard,
    wanted: Sequence[State],
    page: PageRequest,
    tier: Tier | None,
    team: str | None,
) -> Page[SignalCard]:
    """Go through the states one after the other; the cursor begins with the state."""
    current = State(page.after[0]) if page.after else wanted[0]
    after: Cursor | None = page.after[1:] if page.after else None
    items: list[SignalCard] = []
    for state in wanted[wanted.index(current) :]:
        rest = PageRequest(page.size - len(items), after or None)
        found = await board.not_ok(state, rest, tier=tier, owner_team=team)
        items, after = [*items, *found.items], None
        if found.next is not None:
            return Page(items, (state, *found.next))
        if len(items) == page.size:
            return Page(items, _next_state(wanted, state))
    return Page(items)


def _next_state(wanted: Sequence[State], state: State) -> Cursor | None:
    rest = wanted[wanted.index(state) + 1 :]
    return (rest[0],) if rest else None

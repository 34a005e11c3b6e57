"""Projections follow the log together: by one subscription, which reads each fact once for all."""

from collections.abc import Callable, Sequence

from attrs import frozen

from application.projections.folding import LARGEST_FILING, Folding
from application.projections.progress import Progress
from application.projections.projection import Projection
from application.projections.quarantined_facts import SetAside
from application.projections.view_store import Cards
from application.recorded import Recorded
from application.subscriptions.feed import Feed
from application.subscriptions.follower import Follower
from application.subscriptions.handler import Handler, Settled
from application.subscriptions.lease import Lease, Leases
from application.subscriptions.subscription import Subscription

NAME = "projections"
LARGEST_BATCH = 4_096
"""Facts folded at once when far behind: the more, the fewer rows are written twice."""


@frozen
class ProjectionHandler(Handler):
    """Folds facts into one projection; its cards and its checkpoint are filed in one write."""

    projection: Projection
    folding: Folding

    @property
    def name(self) -> str:
        return self.projection.name

    async def begin(self, checkpoint: int | None) -> int:
        self.folding.forget()
        return await self.folding.cards.reached(self.name)

    async def handle(self, facts: Sequence[Recorded]) -> Settled | None:
        if not facts:
            return None
        # Positions have no gaps.
        reached = await self.folding.fold(self.projection, facts, reached=facts[0].position - 1)
        return Settled(reached.position, reached.at)


def projection_runner(
    projections: Sequence[Projection],
    feed: Feed,
    cards: Cards,
    progress: Progress,
    on_trouble: Callable[[Exception], None] = lambda error: None,
    leases: Leases | None = None,
    on_set_aside: Callable[[SetAside], None] = lambda fact: None,
    most_filed: int = LARGEST_FILING,
) -> Subscription:
    """Each projection is folded by the process that holds its lease.

    A projection that cannot be filed now backs off; the others go on without it. No invariant rests
    on the leases: a process that is late files nothing that harms.
    """
    folding = Folding(cards, most_filed, on_set_aside)
    followers = [
        Follower(ProjectionHandler(one, folding), Lease(leases, f"projection/{one.name}"), progress)
        for one in projections
    ]
    return Subscription(NAME, followers, feed, progress, on_trouble, largest_batch=LARGEST_BATCH)

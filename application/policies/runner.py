"""Policies follow the log and the clock: each by a subscription of its own."""

from collections.abc import Sequence
from math import inf

from attrs import define, evolve

from application.errors import ApplicationError, Unavailable
from application.policies.policy import Policy
from application.ports.clock import Clock
from application.projections.incidents import INCIDENT_BOARD
from application.projections.progress import Progress
from application.recorded import Recorded
from application.subscriptions.handler import Handler, Settled
from application.subscriptions.subscription import Subscription, Subscriptions

BREATH = 0.05
PATIENCE = 10.0


@define
class PolicyHandler(Handler):
    """Shows a policy every fact once it is recorded, in order.

    The checkpoint is stored only now and then: a fact that is shown again does no harm.
    """

    policy: Policy
    boards: Progress
    clock: Clock
    looks_back: int = 0
    """Facts that are heeded again at the start: the list of what is open may lag so far behind."""

    @property
    def name(self) -> str:
        return self.policy.name

    async def begin(self, checkpoint: int | None) -> int:
        # What is watched is read from the board, which must not be older than what was heeded.
        if not await self.boards.wait(INCIDENT_BOARD, checkpoint or 0, timeout=PATIENCE):
            reason = f"{INCIDENT_BOARD} does not follow the log"
            raise Unavailable(f"the policy {self.name}", reason)
        # A policy that is new to a log begins where the board is: the past is past.
        board = self.boards.reached(INCIDENT_BOARD).position
        await self.policy.begin()
        return board if checkpoint is None else max(checkpoint - self.looks_back, 0)

    async def handle(self, facts: Sequence[Recorded]) -> Settled | None:
        settled: Settled | None = None
        try:
            for fact in facts:
                if self.policy.concerns(fact):
                    await self.policy.heed(fact)
                settled = Settled(fact.position, fact.at)
            await self.policy.act(self.clock.now())
        except ApplicationError as error:
            if settled is None:
                raise
            return evolve(settled, trouble=error)
        return settled

    def due_in(self) -> float:
        due = self.policy.due()
        return inf if due is None else max((due - self.clock.now()).total_seconds(), 0.0)


def policy_subscription(handler: PolicyHandler, subscriptions: Subscriptions) -> Subscription:
    """Of several processes the one with the lease acts; the others stand by."""
    return subscriptions.of(handler, f"policy/{handler.name}", breath=BREATH)

"""What the projections have set aside, all of them together."""

from collections.abc import Sequence

from attrs import frozen

from application.caller import Caller
from application.ports.access import Access
from application.projections.quarantined_facts import SetAside, SetAsideBy
from application.projections.view_store import Cards


@frozen
class SetAsideFacts:
    projections: Sequence[str]
    cards: Cards

    async def all(self) -> Sequence[SetAside]:
        """In the order of the log."""
        facts = [fact for name in self.projections for fact in await self.by(name)]
        return sorted(facts, key=lambda fact: (fact.position, fact.projection))

    async def by(self, projection: str) -> Sequence[SetAside]:
        found = await self.cards.group(SetAsideBy(projection))
        return [filed.card for filed in found.values()]


@frozen
class ListSetAside:
    facts: SetAsideFacts
    access: Access

    async def __call__(self, *, by: Caller) -> Sequence[SetAside]:
        """In the order of the log."""
        await self.access.permit(by, "projection:read", "*")
        return await self.facts.all()

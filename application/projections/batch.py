"""Some facts folded together: cards change in memory and are filed once."""

from collections.abc import Mapping, Sequence

from attrs import define, field

from application.ports.cards import Card, Cards, Filed, Group, Key
from application.projections.projection import Projection
from application.recorded import Recorded


@define
class Batch:
    """The cards that a batch of facts concerns; only the last state of each is kept."""

    filed: Mapping[Key, Filed]
    changes: dict[Key, tuple[Card | None, int]] = field(factory=dict)

    @classmethod
    async def of(
        cls,
        projection: Projection,
        facts: Sequence[Recorded],
        cards: Cards,
        known: Mapping[Key, Filed],
    ) -> "Batch":
        """Find the cards, except those that are known to be as they were filed last."""
        keys = {key for fact in facts for key in projection.keys(fact)}
        filed = {key: known[key] for key in keys if key in known}
        filed.update(await cards.find(keys - filed.keys()))
        for group in {group for fact in facts for group in projection.groups(fact)}:
            filed.update(await cards.group(group))
        return cls(filed)

    def fold(self, projection: Projection, recorded: Recorded) -> None:
        for key, card in projection.after(self, recorded):
            if not self._is_ahead(key, recorded.position):
                self.changes[key] = (card, recorded.position)

    def get(self, key: Key) -> Card | None:
        if key in self.changes:
            return self.changes[key][0]
        return self.filed[key].card if key in self.filed else None

    def group(self, group: Group) -> Mapping[Key, Card]:
        keys = [key for key in {**self.filed, **self.changes} if group.holds(key)]
        return {key: card for key in keys if (card := self.get(key)) is not None}

    def _is_ahead(self, key: Key, position: int) -> bool:
        return key in self.filed and self.filed[key].position >= position

"""
Some facts folded together: cards change in memory and are filed once.

A fact that cannot be folded is set aside: it is filed as a card of its own, and the others stay as
if it had never been recorded. A fold is pure, so trying it again would not help.
"""

from collections.abc import Mapping, Sequence

from attrs import define, field

from application.projections.affected_keys import Concern, NotUnderstood, concerning
from application.projections.projection import Projection
from application.projections.quarantined_facts import SetAside
from application.projections.view_store import Card, Cards, Filed, Group, Key
from application.recorded import Recorded, Unreadable

LONGEST_REASON = 500


@define
class Batch:
    """The cards that a batch of facts concerns; only the last state of each is kept."""

    filed: Mapping[Key, Filed]
    changes: dict[Key, tuple[Card | None, int]] = field(factory=dict)
    facts: Sequence[Recorded] = ()
    """Those that concern the projection; then those that were folded."""
    refused: Mapping[int, Exception] = field(factory=dict)
    """Facts, by position, of which the projection cannot tell what they concern."""

    @classmethod
    async def of(
        cls,
        projection: Projection,
        facts: Sequence[Recorded],
        cards: Cards,
        known: Mapping[Key, Filed],
    ) -> "Batch":
        """Find the cards, except those that are known to be as they were filed last."""
        facts = concerning(projection, facts)
        concern = Concern.of(projection, facts)
        filed = {key: known[key] for key in concern.keys if key in known}
        filed.update(await cards.find([key for key in concern.keys if key not in filed]))
        for group in concern.groups:
            filed.update(await cards.group(group))
        return cls(filed, facts=facts, refused=concern.refused)

    @property
    def set_aside(self) -> Sequence[SetAside]:
        return [card for card, _ in self.changes.values() if isinstance(card, SetAside)]

    def fold(self, projection: Projection, recorded: Recorded) -> None:
        for key, card in self._changes(projection, recorded):
            if not self._is_ahead(key, recorded.position):
                self.changes[key] = (card, recorded.position)

    def get(self, key: Key) -> Card | None:
        if key in self.changes:
            return self.changes[key][0]
        return self.filed[key].card if key in self.filed else None

    def group(self, group: Group) -> Mapping[Key, Card]:
        keys = [key for key in {**self.filed, **self.changes} if group.holds(key)]
        return {key: card for key in keys if (card := self.get(key)) is not None}

    def _changes(
        self, projection: Projection, recorded: Recorded
    ) -> Sequence[tuple[Key, Card | None]]:
        """All of them or none: what fails halfway has changed nothing."""
        try:
            if isinstance(recorded.fact, Unreadable):
                raise NotUnderstood(recorded.fact)
            if recorded.position in self.refused:
                raise self.refused[recorded.position]
            return [*projection.after(self, recorded)]
        except Exception as error:  # noqa: BLE001  # whatever a pure fold raises is about this fact
            aside = _set_aside(projection, recorded, error)
            return [(aside.key, aside)]

    def _is_ahead(self, key: Key, position: int) -> bool:
        return key in self.filed and self.filed[key].position >= position


def _set_aside(projection: Projection, recorded: Recorded, error: Exception) -> SetAside:
    return SetAside(
        projection=projection.name,
        position=recorded.position,
        event_id=recorded.event_id.hex(),
        recorded_at=recorded.at,
        reason=f"{type(error).__name__}: {error}"[:LONGEST_REASON],
    )

"""Cards that need not be read again: what was just found or filed is what later facts meet."""

from collections.abc import Mapping

from attrs import define, field

from application.projections.view_store import Card, Filed, Key

REMEMBERED = 50_000


@define
class KnownCards:
    filed: dict[Key, Filed] = field(factory=dict)

    def found(self, filed: Mapping[Key, Filed]) -> None:
        if len(self.filed) > REMEMBERED:
            self.filed.clear()
        self.filed.update(filed)

    def remember(self, changes: Mapping[Key, tuple[Card | None, int]]) -> None:
        for key, (card, position) in changes.items():
            if card is None:
                self.filed.pop(key, None)
            else:
                self.filed[key] = Filed(card, position)

    def forget(self) -> None:
        """Somebody else may have filed since."""
        self.filed.clear()

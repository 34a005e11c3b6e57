"""Facts that a projection could not take, kept as cards beside those it could."""

from datetime import datetime

from attrs import frozen

from application.projections.view_store import Key


@frozen
class SetAsideKey:
    projection: str
    position: int


@frozen
class SetAsideBy:
    """Everything that a projection has set aside."""

    projection: str

    def holds(self, key: Key) -> bool:
        return isinstance(key, SetAsideKey) and key.projection == self.projection


@frozen
class SetAside:
    """The projection shows what it would show if this fact had never been recorded."""

    projection: str
    position: int
    event_id: str
    recorded_at: datetime
    reason: str

    @property
    def key(self) -> SetAsideKey:
        return SetAsideKey(self.projection, self.position)

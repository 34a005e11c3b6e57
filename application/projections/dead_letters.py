"""The events that sinks would not take, until they are sent again or dropped."""

from collections.abc import Iterable

from attrs import frozen

from application.delivery.dead_letter_read_model import DeadLetterKey, DeadLetterView
from application.projections.projection import Changes, View
from application.projections.view_store import Group, Key
from application.recorded import Recorded
from domain.delivery.dead_letter import Dropped, Resent, SetAside
from domain.stream_categories import dead_letter_parts

DEAD_LETTERS = "dead-letters"

_CONCERNED = frozenset({SetAside, Resent, Dropped})


@frozen
class DeadLetterCards:
    name: str = DEAD_LETTERS

    def concerns(self, fact: object, version: int) -> bool:
        return type(fact) in _CONCERNED

    def keys(self, recorded: Recorded) -> Iterable[Key]:
        return ()

    def groups(self, recorded: Recorded) -> Iterable[Group]:
        return ()

    def after(self, view: View, recorded: Recorded) -> Changes:
        match recorded.fact:
            case SetAside() as why:
                card = _card(recorded, why)
                yield card.key, card
            case Resent() | Dropped():
                yield DeadLetterKey(*dead_letter_parts(recorded.stream)), None


def _card(recorded: Recorded, why: SetAside) -> DeadLetterView:
    sink, event_id = dead_letter_parts(recorded.stream)
    return DeadLetterView(
        sink=sink,
        event_id=event_id,
        event_type=why.event_type,
        log_position=why.position,
        reason=why.reason,
        attempts=why.attempts,
        at=recorded.at,
    )

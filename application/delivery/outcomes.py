"""What becomes of events once a sink has answered: taken, tried again later, or set aside."""

from collections.abc import Callable, Sequence

from attrs import frozen

from application.delivery.dead_lettering import LONGEST_REASON, set_aside
from application.delivery.queues import Queues, Waiting
from application.delivery.retry_policy import Manners
from application.delivery.sink import Answer, Refusal
from application.ports.clock import Clock
from application.ports.streams import Streams
from application.recorded import Recorded
from domain.delivery.dead_letter import SetAside

UNTOLD = "UNKNOWN"
"""The type of a dead letter whose event this program cannot tell."""


@frozen
class Settling:
    sink: str
    streams: Streams
    clock: Clock
    manners: Manners
    on_set_aside: Callable[[str, SetAside], None]

    async def settle(
        self, queues: Queues, sent: Sequence[Waiting], answers: Sequence[Answer]
    ) -> None:
        """Those that were taken first: setting another one aside may fail."""
        answered = list(zip(sent, answers, strict=True))
        for one, answer in answered:
            if answer is None:
                queues.done(one)
        for one, answer in answered:
            if isinstance(answer, Refusal):
                await self._refused(queues, one, answer)

    async def untold(self, recorded: Recorded, reason: str) -> None:
        """What cannot be told now is set aside: a newer program may tell it when it is resent."""
        why = SetAside(UNTOLD, recorded.position, reason[:LONGEST_REASON], attempts=0)
        await self._set_aside(recorded.event_id.hex(), why)

    async def _refused(self, queues: Queues, one: Waiting, refusal: Refusal) -> None:
        one.tries += 1
        if not refusal.for_good and one.tries < self.manners.tries:
            one.due = self.clock.now() + self.manners.pause_after(one.tries)
            return
        event, reason = one.event, refusal.reason[:LONGEST_REASON]
        why = SetAside(event.event_type.value, event.position, reason, one.tries)
        await self._set_aside(event.event_id, why)
        queues.done(one)

    async def _set_aside(self, event_id: str, why: SetAside) -> None:
        await set_aside(self.streams, self.sink, event_id, why)
        self.on_set_aside(self.sink, why)

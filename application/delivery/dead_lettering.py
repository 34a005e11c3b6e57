"""Setting an event aside that a sink would not take, or that cannot be told."""

from application.caller import Caller
from application.ports.streams import Streams
from domain.delivery.dead_letter import SetAside
from domain.stream_categories import dead_letter_stream

LONGEST_REASON = 500


async def set_aside(streams: Streams, sink: str, event_id: str, why: SetAside) -> None:
    """Make a dead letter of the event; again, if it is one already, changes nothing.

    Raises:
        Unavailable, Contended: It is not stored; to be tried again.
        OutcomeUnknown: It may be; to be tried again, too.
    """
    letter = dead_letter_stream(sink, event_id)
    await streams.transact(
        [letter],
        lambda states: {letter: states[letter].set_aside(why)},
        by=Caller(f"outbox:{sink}", causation_id=event_id),
    )

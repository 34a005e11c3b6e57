"""
Decisions that find out which streams they need while they are made.

Who joins an incident learns its name from a slot, who resolves one learns its signals from it. So
the decision is made on what is read, and when it asks for more, made again on more.
"""

from collections.abc import Callable, Sequence
from typing import Any

from application.caller import Caller
from application.errors import Contended
from application.ports.streams import Committed, Streams
from domain.incident.reservations import Unread
from domain.streams import Decision, States, Stream

MOST_ROUNDS = 10


async def decide_together(
    streams: Streams,
    reads: Sequence[Stream[Any]],
    decide: Callable[[States], Decision],
    *,
    by: Caller,
) -> Committed:
    """Transact on the streams named, and on whatever else the decision asks for.

    Raises:
        Contended: What it asks for changes again and again.
    """
    known = dict.fromkeys(reads)
    for _ in range(MOST_ROUNDS):
        try:
            return await streams.transact(known, decide, by=by)
        except Unread as more:
            known |= dict.fromkeys(more.streams)
    raise Contended(tuple(known), MOST_ROUNDS)

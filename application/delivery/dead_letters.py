"""Looking after events that sinks would not take."""

from collections.abc import Mapping

from attrs import define, frozen

from application.caller import Caller
from application.delivery.dead_letter_read_model import DeadLetterKey, DeadLetterView
from application.delivery.event import Event
from application.delivery.event_factory import Announcements
from application.delivery.sink import Away, EventSink, Refusal
from application.errors import ApplicationError, Unavailable
from application.ports.access import Access
from application.ports.streams import Streams
from application.projections.dead_letters import DEAD_LETTERS
from application.reads.consistency import Reads
from application.reads.paging import Page, PageRequest
from application.subscriptions.feed import Feed
from domain.delivery.dead_letter import DeadLetter, SetAside
from domain.errors import NotFound
from domain.stream_categories import dead_letter_stream
from domain.streams import Stream


@define
class NotTaken(ApplicationError):
    """The sink answered, and would not take the event again."""

    sink: str
    reason: str

    def __str__(self) -> str:
        return f"{self.sink} did not take the event: {self.reason}"


@frozen
class ListDeadLetters:
    reads: Reads
    access: Access

    async def __call__(
        self, sink: str | None, page: PageRequest, *, by: Caller
    ) -> Page[DeadLetterView]:
        await self.access.permit(by, "event:read", sink or "*")
        reader = await self.reads.open_now(by=by, projections=[DEAD_LETTERS])
        return await reader.dead_letters.letters(sink, page)


@frozen
class ReadDeadLetter:
    """Why it was set aside, and the event as it is told now."""

    streams: Streams
    feed: Feed
    announcements: Announcements
    access: Access

    async def __call__(self, key: DeadLetterKey, *, by: Caller) -> tuple[SetAside, Event]:
        """Raises NotFound unless it waits to be sent again or dropped."""
        await self.access.permit(by, "event:read", key.sink)
        letter = await self.streams.state(_stream(key))
        why = letter.must_wait(_name(key))
        (recorded,) = await self.feed.read(why.position - 1, 1)
        event = await self.announcements.of(recorded)
        if event is None or event.event_id != key.event_id:
            raise NotFound("event", key.event_id)
        return why, event


@frozen
class ResendDeadLetter:
    """Send the event again, now. It arrives after whatever was sent since."""

    read: ReadDeadLetter
    streams: Streams
    sinks: Mapping[str, EventSink]
    access: Access

    async def __call__(self, key: DeadLetterKey, *, by: Caller) -> int:
        """Once it is taken, the letter is gone. Returns the position at which it is.

        Raises:
            NotFound: There is no such letter, or its sink is no longer in the settings.
            NotTaken: The sink refused it again.
            Unavailable: The sink does not answer.
        """
        await self.access.permit(by, "event:send", key.sink)
        _, event = await self.read(key, by=by)
        if key.sink not in self.sinks:
            raise NotFound("sink", key.sink)
        (answer,) = await self.sinks[key.sink].send([event])
        match answer:
            case Refusal(reason):
                raise NotTaken(key.sink, reason)
            case Away(reason):
                raise Unavailable(f"the sink {key.sink}", reason)
        stream = _stream(key)
        committed = await self.streams.transact(
            [stream], lambda states: {stream: states[stream].resent()}, by=by
        )
        return committed.position


@frozen
class DropDeadLetter:
    streams: Streams
    access: Access

    async def __call__(self, key: DeadLetterKey, *, by: Caller) -> int:
        """Returns the position at which it is gone.

        Raises:
            NotFound: It does not wait to be sent again or dropped.
        """
        await self.access.permit(by, "event:drop", key.sink)
        stream = _stream(key)
        committed = await self.streams.transact(
            [stream],
            lambda states: {stream: states[stream].drop(_name(key))},
            by=by,
        )
        return committed.position


def _stream(key: DeadLetterKey) -> Stream[DeadLetter]:
    return dead_letter_stream(key.sink, key.event_id)


def _name(key: DeadLetterKey) -> str:
    return f"{key.sink}/{key.event_id}"

"""What can be asked of a log: of the log itself, and in the library's words of its recorders."""

from collections.abc import Sequence

from attrs import asdict, frozen
from eventsourcing.persistence import Notification, StoredEvent
from hypothesis import strategies as st

from adapters.eventstore.log import Log, LogEntry
from tests.adapters.eventstore.complete_engines import Whole

TOPICS = ("thing.happened", "thing.grew")


@frozen
class Cut:
    """What of a stream is wanted, in the library's words."""

    gt: int | None = None
    lte: int | None = None
    desc: bool = False
    limit: int | None = None


@frozen
class Page:
    """What of the log is wanted, in the library's words."""

    start: int | None
    limit: int
    stop: int | None
    topics: list[str]
    inclusive: bool


versions = st.none() | st.integers(-1, 8)
cuts = st.builds(Cut, versions, versions, st.booleans(), st.none() | st.integers(0, 8))
places = st.integers(0, 20) | st.integers(0, 200)
topics = st.lists(st.sampled_from(TOPICS), max_size=2, unique=True)


@st.composite
def pages(draw: st.DrawFn) -> Page:
    start = draw(st.none() | places)
    # A stop far behind the limit would never be reached.
    stop = draw(st.none() | st.integers(-1, 20).map(lambda more: (start or 0) + more))
    return Page(start, draw(st.integers(0, 20)), stop, draw(topics), draw(st.booleans()))


async def everything(log: Log) -> Sequence[LogEntry]:
    return await log.read(0, 10_000)


async def read_stream(stream: str, cut: Cut, log: Log) -> Sequence[LogEntry]:
    after = -1 if cut.gt is None else cut.gt
    return await log.stream(stream, after=after, upto=cut.lte, limit=cut.limit)


async def read_log(after: int, limit: int, log: Log) -> Sequence[LogEntry]:
    return await log.read(after, limit)


async def last_version(stream: str, log: Log) -> int | None:
    return await log.last_version(stream)


def select_events(stream: str, cut: Cut, engine: Whole) -> Sequence[StoredEvent]:
    return engine.recorder.select_events(stream, **asdict(cut))


def select_sparse(stream: str, cut: Cut, engine: Whole) -> Sequence[StoredEvent]:
    return engine.sparse.select_events(stream, **asdict(cut))


def select(page: Page, engine: Whole) -> Sequence[Notification]:
    return engine.recorder.select_notifications(
        page.start, page.limit, page.stop, page.topics, inclusive_of_start=page.inclusive
    )


def followed(upstream: str, engine: Whole) -> int | None:
    return engine.recorder.max_tracking_id(upstream)

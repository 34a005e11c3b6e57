"""
Streams over a log: load, decide, append, and decide again when someone else was faster.

Loaded states are remembered. A remembered state may be old, never wrong: an append names the
versions it was decided on, and the log refuses it when one of them has moved. A decision that
appends nothing, or is refused, is believed only after the versions were found unmoved.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from attrs import define, field, frozen
from cachetools import LRUCache

from adapters.eventstore.inspection.readability import readable
from adapters.eventstore.log import Append, Guard, Log, NewEvent, StreamConflict
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.snapshots import Snapshots
from application.caller import Caller, RequestKey
from application.errors import Contended
from application.idempotency import Answered, Request, request_stream
from application.ports.streams import Committed
from application.recorded import Recorded
from domain.errors import DomainError
from domain.streams import Decision, States, Stream, StreamId

S = TypeVar("S")

MOST_ATTEMPTS = 50
_PAGE = 200
_RARE = 16


@frozen
class Loaded:
    """A state, the version of the stream it was folded up to, and the memory it belongs to."""

    state: Any
    version: int
    memory: int

    def after(self, facts: Sequence[Any]) -> "Loaded":
        state = self.state
        for fact in facts:
            state = state.after(fact)
        return Loaded(state, self.version + len(facts), self.memory)


@define
class LoggedStreams:
    log: Log
    mapper: Mapper
    snapshots: Snapshots
    new_event_id: Callable[[], bytes]
    remembered: int = 20_000
    _cache: LRUCache[tuple[StreamId, type], Loaded] = field(init=False)
    _rare: LRUCache[tuple[StreamId, type], Loaded] = field(factory=lambda: LRUCache(_RARE))
    _queues: WeakValueDictionary[StreamId, asyncio.Lock] = field(factory=WeakValueDictionary)
    _memory: int = 0

    def __attrs_post_init__(self) -> None:
        self._cache = LRUCache(self.remembered, getsizeof=self._weight)

    async def transact(
        self,
        reads: Collection[Stream[Any]],
        decide: Callable[[States], Decision],
        *,
        by: Caller,
        advisory: Collection[StreamId] = (),
    ) -> Committed:
        contended: set[StreamId] = set()
        for _ in range(MOST_ATTEMPTS):
            if by.request is not None:
                replay = await self._answered_before(reads, by, by.request)
                if replay is not None:
                    return replay
            try:
                if not contended:
                    # Nearly always: a context that does nothing would cost more than a line.
                    loaded = await self._loaded(reads)
                    return await self._decided(loaded, decide, by, advisory)
                async with self._queued(contended):
                    loaded = await self._loaded(reads, fresh=contended)
                    return await self._decided(loaded, decide, by, advisory)
            except StreamConflict as lost:
                contended.add(StreamId(lost.stream))
        raise Contended(tuple(sorted(contended)), MOST_ATTEMPTS)

    async def state(self, stream: Stream[S]) -> S:
        state: S = (await self._fresh(stream)).state
        return state

    async def version(self, stream: StreamId) -> int:
        return await self.log.last_version(stream) or 0

    async def facts(
        self, stream: StreamId, *, after: int = 0, limit: int | None = None
    ) -> Sequence[Recorded]:
        entries = await self.log.stream(stream, after=after, limit=limit)
        with readable(stream):
            return [self.mapper.recorded(entry) for entry in entries]

    def forget_all(self) -> None:
        """Remember nothing, as after a start; what is being decided is not remembered either."""
        self._cache.clear()
        self._rare.clear()
        self._memory += 1

    @asynccontextmanager
    async def _queued(self, contended: set[StreamId]) -> AsyncIterator[None]:
        """Those who lost a race for a stream queue for it, instead of all racing again."""
        async with AsyncExitStack() as turn:
            # In one order, so that no two wait for each other.
            for stream in sorted(contended):
                queue = self._queues.setdefault(stream, asyncio.Lock())
                await turn.enter_async_context(queue)
            yield

    async def _loaded(
        self, reads: Collection[Stream[Any]], fresh: Collection[StreamId] = ()
    ) -> dict[Stream[Any], Loaded]:
        return {
            stream: await self._fresh(stream)
            if stream in fresh
            else self._remembered(stream) or await self._read(stream)
            for stream in reads
        }

    async def _decided(
        self,
        loaded: Mapping[Stream[Any], Loaded],
        decide: Callable[[States], Decision],
        by: Caller,
        advisory: Collection[StreamId],
    ) -> Committed:
        states = {stream: one.state for stream, one in loaded.items()}
        try:
            decision = {stream: facts for stream, facts in decide(states).items() if facts}
        except DomainError:
            await self._must_be_fresh(loaded)
            raise
        if not decision and by.request is None:
            await self._must_be_fresh(loaded)
            return Committed(states, await self.log.head(), at=None)
        return await self._append(loaded, decision, by, advisory)

    async def _append(
        self,
        loaded: Mapping[Stream[Any], Loaded],
        decision: Decision,
        by: Caller,
        advisory: Collection[StreamId],
    ) -> Committed:
        then = {s: one.after(decision.get(s, ())) for s, one in loaded.items()}
        events = [
            self._event(stream, loaded[stream].version + number, fact, by)
            for stream, facts in decision.items()
            for number, fact in enumerate(facts, start=1)
        ]
        if by.request is not None:
            versions = {str(stream): one.version for stream, one in then.items()}
            answered = Answered(by.request.fingerprint, versions)
            events.append(self._event(request_stream(by, by.request), 1, answered, by))
        guards = [
            Guard(str(stream), one.version)
            for stream, one in loaded.items()
            if stream not in decision and stream not in advisory
        ]
        receipt = await self.log.append(Append(events, guards))
        for stream in decision:
            self._remember(stream, then[stream], since=loaded[stream].version)
        states = {stream: one.state for stream, one in then.items()}
        return Committed(states, receipt.last, receipt.recorded_at)

    def _event(self, stream: StreamId, version: int, fact: object, by: Caller) -> NewEvent:
        return self.mapper.event(stream, version, fact, event_id=self.new_event_id(), by=by)

    async def _answered_before(
        self, reads: Collection[Stream[Any]], by: Caller, key: RequestKey
    ) -> Committed | None:
        stream = request_stream(by, key)
        request = (await self._caught_up(stream, Loaded(Request(), 0, self._memory))).state
        answered = request.answer_to(key)
        if answered is None:
            return None
        states = {
            stream: await self._at(stream, answered.versions.get(stream, 0)) for stream in reads
        }
        return Committed(states, await self.log.head(), at=None, replayed=True)

    async def _at(self, stream: Stream[Any], version: int) -> Any:
        """The state as it was at a version."""
        known = self._remembered(stream)
        if known is None or known.version > version:
            known = await self._snapshot(stream)
        if known.version > version:
            known = Loaded(stream.zero, 0, self._memory)
        return (await self._caught_up(stream, known, upto=version)).state

    async def _fresh(self, stream: Stream[Any]) -> Loaded:
        loaded = self._remembered(stream) or await self._read(stream)
        if (await self.log.last_version(stream) or 0) == loaded.version:
            return loaded
        return await self._refolded(stream, loaded)

    async def _read(self, stream: Stream[Any]) -> Loaded:
        if await self.log.last_version(stream) is None:
            return Loaded(stream.zero, 0, self._memory)
        return await self._refolded(stream, Loaded(stream.zero, 0, self._memory))

    async def _refolded(self, stream: Stream[Any], known: Loaded) -> Loaded:
        if known.version == 0:
            known = await self._snapshot(stream)
        loaded = await self._caught_up(stream, known)
        self._remember(stream, loaded, since=known.version)
        return loaded

    async def _snapshot(self, stream: Stream[Any]) -> Loaded:
        if not self.snapshots.covers(stream.zero):
            return Loaded(stream.zero, 0, self._memory)
        memory = self._memory
        state, version = await self.snapshots.latest(stream, stream.zero)
        return Loaded(state, version, memory)

    async def _caught_up(self, stream: StreamId, loaded: Loaded, upto: int | None = None) -> Loaded:
        while True:
            page = await self.log.stream(stream, after=loaded.version, upto=upto, limit=_PAGE)
            with readable(stream):
                facts = [self.mapper.recorded(entry).fact for entry in page]
            loaded = loaded.after(facts)
            if len(page) < _PAGE:
                return loaded
            # A long stream takes a while: let others have their turn between its pages.
            await asyncio.sleep(0)

    def _remembered(self, stream: Stream[Any]) -> Loaded | None:
        try:
            return self._memory_for(stream.zero)[stream, type(stream.zero)]
        except KeyError:
            # `get` asks twice, and nearly all are there.
            return None

    def _memory_for(self, state: Any) -> LRUCache[tuple[StreamId, type], Loaded]:
        """States without snapshots are large and seldom asked for: few of them are kept."""
        return self._cache if self.snapshots.covers(state) else self._rare

    def _remember(self, stream: StreamId, loaded: Loaded, *, since: int) -> None:
        if loaded.memory != self._memory:
            return
        key, memory = (stream, type(loaded.state)), self._memory_for(loaded.state)
        known = memory.get(key)
        if known is None or known.version < loaded.version:
            memory[key] = loaded
            if memory is self._cache:
                self.snapshots.moved(stream, loaded.state, since=since, version=loaded.version)

    def _weight(self, loaded: Loaded) -> int:
        # A state heavier than the whole memory must still fit into it.
        return min(self.snapshots.weight(loaded.state), self.remembered)

    async def _must_be_fresh(self, loaded: Mapping[Stream[Any], Loaded]) -> None:
        """Raises StreamConflict when a state was old: the decision means nothing then."""
        for stream, one in loaded.items():
            last = await self.log.last_version(stream)
            if (last or 0) != one.version:
                raise StreamConflict(stream, one.version, last)

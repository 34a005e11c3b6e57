"""Logs move between engines through a file, and stay the same (S2-79, S2-80)."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from attrs import define, evolve, frozen
from hypothesis import given, settings

from adapters.dynamodb.log.batches import MOST_PARTS, PART_BYTES
from adapters.dynamodb.log_maintenance.importing import DynamoImport
from adapters.eventstore.export.file_format import BadExport, Header
from adapters.eventstore.export.transfer import (
    Imported,
    OutOfPlace,
    Source,
    Target,
    export_log,
    import_log,
)
from adapters.eventstore.inspection.progress import Silent
from adapters.eventstore.log import Append, Log, LogEntry, NewEvent, StreamConflict
from adapters.memory.blobs import MemoryBlobs
from adapters.memory.log import MemoryLog
from adapters.sqlite.connection.database import Database
from adapters.sqlite.log.importing import SqliteImport
from adapters.sqlite.log.log import SqliteLog
from tests.adapters.dynamodb.log.logs import open_log
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.eventstore.engines import Clock
from tests.adapters.eventstore.log.appends import append, event
from tests.adapters.eventstore.log.stories import STREAMS, Told, stories, tell, whole
from tests.support.scale import scaled

FILE = "log.gz"


@frozen
class Moved:
    """A log that can be written to, and the way in for an import."""

    log: Log
    target: Target


@asynccontextmanager
async def sqlite(folder: Path) -> AsyncIterator[Moved]:
    with Database.open(folder / "log.db") as database:
        log = SqliteLog(database)
        yield Moved(log, SqliteImport(log))


@asynccontextmanager
async def dynamodb(folder: Path) -> AsyncIterator[Moved]:
    # Tiny blocks and few hot streams: what is rare in production happens in every test.
    async with open_log(dynamodb_local.unused_table("app"), block_size=7) as log:
        yield Moved(log, DynamoImport(log, hot_streams=1))


ENGINES = {"sqlite": sqlite, "dynamodb": dynamodb}

engines = pytest.mark.parametrize("engine", ENGINES)


async def exported(source: Source, path: Path, first: int, last: int) -> None:
    header = Header("test", None, 1, first, last, "2026-11-16T12:00:00.000Z")
    await export_log(source, path, header, Silent())


async def imported(path: Path, target: Target) -> Imported:
    return await import_log(path, target, Silent())


async def source_of(story: Sequence[Told]) -> MemoryLog:
    clock = Clock()
    log = MemoryLog(now=clock)
    await tell(log, clock, story)
    return log


@settings(max_examples=scaled(10, 100), deadline=None)
@given(stories(most=8))
def test_a_log_moves_from_sqlite_to_dynamodb_and_back(story: Sequence[Told]) -> None:
    async def play(folder: Path) -> None:
        clock = Clock()
        with Database.open(folder / "first" / "log.db") as database:
            first = SqliteLog(database, now=clock)
            await tell(first, clock, story)
            entries = await whole(first)
            await exported(first, folder / "1.gz", 1, len(entries))
        async with dynamodb(folder) as second:
            await imported(folder / "1.gz", second.target)
            assert await whole(second.log) == entries
            for stream in STREAMS:
                mine = [entry for entry in entries if entry.stream == stream]
                assert list(await second.log.stream(stream)) == mine
            await exported(second.log, folder / "2.gz", 1, len(entries))
        async with sqlite(folder / "third") as third:
            await imported(folder / "2.gz", third.target)
            assert await whole(third.log) == entries
        assert (folder / "1.gz").read_bytes() == (folder / "2.gz").read_bytes()

    with TemporaryDirectory() as folder:
        asyncio.run(play(Path(folder)))


@engines
def test_what_was_imported_goes_on(engine: str, tmp_path: Path) -> None:
    async def play() -> None:
        await exported(await some_log(), tmp_path / FILE, 1, 6)
        async with ENGINES[engine](tmp_path / "to") as to:
            await imported(tmp_path / FILE, to.target)
        async with ENGINES[engine](tmp_path / "to") as to:
            if engine == "dynamodb":  # each one is a new log
                await imported(tmp_path / FILE, to.target)
            receipt = await to.log.append(append("a-1", 4))
            assert (receipt.first, await to.log.last_version("a-1")) == (7, 4)

    asyncio.run(play())


async def some_log() -> MemoryLog:
    """Six events, recorded at three moments."""
    clock = Clock()
    log = MemoryLog(now=clock)
    for one in (append("a-1", 1), append("b-1", 1, 2), append("a-1", 2, 3), append("b-1", 3)):
        await log.append(one)
        clock.move(milliseconds=1)
    return log


@define
class Stopping:
    """A target that fails after so many entries."""

    inner: Target
    left: int

    async def head(self) -> int:
        return await self.inner.head()

    async def read(self, after: int, limit: int) -> Sequence[LogEntry]:
        return await self.inner.read(after, limit)

    async def store(self, entries: Sequence[LogEntry]) -> None:
        for entry in entries:
            if not self.left:
                raise RuntimeError("the import was interrupted")
            self.left -= 1
            await self.inner.store([entry])


@engines
@pytest.mark.parametrize("stops", range(7))
def test_an_interrupted_import_is_resumed(engine: str, stops: int, tmp_path: Path) -> None:
    async def play() -> None:
        source = await some_log()
        await exported(source, tmp_path / FILE, 1, 6)
        async with ENGINES[engine](tmp_path / "to") as to:
            if stops < 6:
                with pytest.raises(RuntimeError):
                    await imported(tmp_path / FILE, Stopping(to.target, stops))
            else:
                await imported(tmp_path / FILE, to.target)
            ended = await imported(tmp_path / FILE, to.target)
            assert (ended.stored, ended.found) == (6 - stops, stops)
            assert await whole(to.log) == await whole(source)

    asyncio.run(play())


@engines
def test_a_log_moves_in_pieces(engine: str, tmp_path: Path) -> None:
    async def play() -> None:
        source = await some_log()
        async with ENGINES[engine](tmp_path / "to") as to:
            for first, last in ((1, 2), (3, 5), (2, 6)):
                await exported(source, tmp_path / FILE, first, last)
                await imported(tmp_path / FILE, to.target)
            assert await whole(to.log) == await whole(source)

    asyncio.run(play())


@engines
def test_a_piece_that_does_not_follow_is_refused(engine: str, tmp_path: Path) -> None:
    async def play() -> None:
        await exported(await some_log(), tmp_path / FILE, 3, 6)
        async with ENGINES[engine](tmp_path / "to") as to:
            with pytest.raises(OutOfPlace, match="begins at 3"):
                await imported(tmp_path / FILE, to.target)
            assert await whole(to.log) == []

    asyncio.run(play())


@engines
def test_another_log_is_not_mixed_in(engine: str, tmp_path: Path) -> None:
    async def play() -> None:
        await exported(await some_log(), tmp_path / FILE, 1, 6)
        async with ENGINES[engine](tmp_path / "to") as to:
            await to.log.append(append("a-1", 1))
            before = await whole(to.log)
            with pytest.raises(OutOfPlace, match="another event"):
                await imported(tmp_path / FILE, to.target)
            assert await whole(to.log) == before

    asyncio.run(play())


@engines
def test_a_touched_file_is_refused_before_anything_is_stored(engine: str, tmp_path: Path) -> None:
    async def play() -> None:
        await exported(await some_log(), tmp_path / FILE, 1, 6)
        stored = (tmp_path / FILE).read_bytes()
        (tmp_path / FILE).write_bytes(stored[:-20])
        async with ENGINES[engine](tmp_path / "to") as to:
            with pytest.raises(BadExport):
                await imported(tmp_path / FILE, to.target)
            assert await whole(to.log) == []

    asyncio.run(play())


@engines
def test_somebody_who_writes_meanwhile_stops_the_import(engine: str, tmp_path: Path) -> None:
    async def play() -> None:
        entries = await whole(await some_log())
        async with ENGINES[engine](tmp_path / "to") as to:
            await to.target.store(entries[:3])
            await to.log.append(append("c-1", 1))
            with pytest.raises(OutOfPlace):
                await to.target.store(entries[3:])
            assert [entry.stream for entry in await whole(to.log)] == ["a-1", "b-1", "b-1", "c-1"]

    asyncio.run(play())


@engines
@pytest.mark.parametrize("order", [(2,), (1, 3), (1, 1)])
def test_entries_are_stored_at_their_own_positions_only(
    engine: str, order: tuple[int, ...], tmp_path: Path
) -> None:
    async def play() -> None:
        entries = await whole(await some_log())
        async with ENGINES[engine](tmp_path / "to") as to:
            *before, last = (entries[number - 1] for number in order)
            for entry in before:
                await to.target.store([entry])
            with pytest.raises(OutOfPlace):
                await to.target.store([last])

    asyncio.run(play())


@engines
def test_times_that_go_backwards_are_refused(engine: str, tmp_path: Path) -> None:
    async def play() -> None:
        first, second, *_ = await whole(await some_log())
        earlier = evolve(second, recorded_at=first.recorded_at - timedelta(milliseconds=1))
        async with ENGINES[engine](tmp_path / "to") as to:
            with pytest.raises(OutOfPlace, match="recorded before"):
                await to.target.store([first, earlier])
            assert await whole(to.log) == [first]

    asyncio.run(play())


@engines
def test_versions_that_do_not_follow_are_refused(engine: str, tmp_path: Path) -> None:
    async def play() -> None:
        first, second, *_ = await whole(await some_log())
        async with ENGINES[engine](tmp_path / "to") as to:
            with pytest.raises(StreamConflict):
                await to.target.store([first, evolve(second, version=7)])
            assert await whole(to.log) == [first]

    asyncio.run(play())


def test_streams_that_were_forgotten_meanwhile_are_looked_up() -> None:
    """They begin at 0, so that version 1 does not tell whether its stream exists."""

    async def play(path: Path) -> None:
        clock = Clock()
        source = MemoryLog(now=clock)
        for one in (append("a-1", 0), append("b-1", 0), append("c-1", 0)):
            await source.append(one)
        clock.move(milliseconds=1)
        await source.append(Append([event("a-1", 1), event("b-1", 1), event("c-1", 1)]))
        await exported(source, path, 1, 6)
        async with open_log(dynamodb_local.unused_table("app")) as log:
            await imported(path, DynamoImport(log, hot_streams=1))
            assert await whole(log) == await whole(source)

    with TemporaryDirectory() as folder:
        asyncio.run(asyncio.wait_for(play(Path(folder) / FILE), timeout=60))


def test_a_large_event_is_imported_in_parts_or_staged() -> None:
    async def play(path: Path) -> None:
        source, blobs = MemoryLog(), MemoryBlobs()
        for number, size in enumerate((2 * PART_BYTES, (MOST_PARTS + 1) * PART_BYTES)):
            await source.append(Append([NewEvent(f"a-{number}", 1, "x", os.urandom(size))]))
        await exported(source, path, 1, 2)
        async with open_log(dynamodb_local.unused_table("app"), blobs=blobs) as log:
            await imported(path, DynamoImport(log))
            assert await whole(log) == await whole(source)
            assert len(await blobs.names("log/")) == 1

    with TemporaryDirectory() as folder:
        asyncio.run(play(Path(folder) / FILE))


def test_a_gap_cannot_be_exported(tmp_path: Path) -> None:
    @frozen
    class Gapped:
        entries: Sequence[LogEntry]

        async def read(self, after: int, limit: int) -> Sequence[LogEntry]:
            return [entry for entry in self.entries if entry.position > after][:limit]

    async def play() -> None:
        entries = await whole(await some_log())
        with pytest.raises(OutOfPlace, match="position 4"):
            await exported(Gapped([*entries[:3], *entries[4:]]), tmp_path / FILE, 1, 6)
        with pytest.raises(OutOfPlace, match="position 7"):
            await exported(Gapped(entries), tmp_path / FILE, 1, 7)

    asyncio.run(play())
    assert list(tmp_path.iterdir()) == []

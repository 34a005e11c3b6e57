"""
A cache whose file changes by itself shows nothing wrong, leaves nothing out, and is dropped.

Bits are flipped where no checksum of ours looks: in the keys of rows, and in indexes, which decide
what a list shows.
"""

import asyncio
import re
from collections.abc import Callable, Coroutine
from datetime import timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from application.errors import Damaged, Unavailable
from application.evidence import ListEvidence
from application.evidence.archive import EvidenceAsked
from application.evidence.cache_filler import MARK
from application.evidence.maintenance import (
    CHECKED_EVERY,
    FILLED_AGAIN_EVERY,
    SORTED_EVERY,
    TRIED_EVERY,
)
from application.evidence.progress import UNTOLD
from application.evidence.verification import Kind
from application.reads.paging import PageRequest
from domain.ids import DatasetUrn
from tests.application.evidence.samples import DATASETS, some_id
from tests.application.evidence.test_cache_rebuild import DamagedArchive, rebuilding
from tests.application.evidence.test_crashes import Anyone, Process
from tests.application.evidence.test_maintenance import kept, shown, some, stores
from tests.application.evidence.test_verification import KEPT_FOR, LATER, on_disk, verified
from tests.application.store import ADMIN

NUMBERS = range(0, 500, 5)
"""All of one dataset."""
PAGE = 4_096
COLUMNS = b"evd-[0-9A-Z]{26}" + DATASETS[0].encode()
"""Of a row as SQLite writes them one after the other: its id and its dataset, then its moment."""


async def listed(process: Process) -> int:
    listing = ListEvidence(
        process.archive, process.cache, process.filler, Anyone(), process.clock, KEPT_FOR
    )
    asked = EvidenceAsked(DatasetUrn(DATASETS[0]), LATER - timedelta(hours=2), LATER)
    page = await listing(asked, PageRequest(1_000), by=ADMIN)
    assert {one.evidence.dataset for one in page.items} <= {asked.dataset}
    return len(page.items)


async def filled(folder: Path) -> None:
    async with on_disk(folder) as process:
        await process.upkeep.look()
        await kept(process, *NUMBERS)
        await process.upkeep.compact()
        assert await listed(process) == len(NUMBERS)


def pages_of(folder: Path, name: str) -> list[int]:
    """Where the pages of a table or an index lie in the file."""
    file = apsw.Connection(str(folder / "cache.db"))
    leaves = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno"
    pages = [(number - 1) * PAGE for (number,) in file.execute(leaves, (name,))]
    file.close()
    return pages


def flipped(folder: Path, name: str, what: bytes, at: int) -> None:
    """One bit of what comes last on a page of it: pages fill from their ends."""
    start = pages_of(folder, name)[0]
    data = bytearray((folder / "cache.db").read_bytes())
    *_, last = re.finditer(what, data[start : start + PAGE])
    place = start + last.start() + at
    data[place] ^= 4
    (folder / "cache.db").write_bytes(data)


def dataset_in_the_index(folder: Path) -> None:
    flipped(folder, "evidence_by_time", DATASETS[0].encode(), at=4)


def moment_in_the_index(folder: Path) -> None:
    flipped(folder, "evidence_by_time", b"2026-01-", at=9)


def id_in_the_index(folder: Path) -> None:
    flipped(folder, "sqlite_autoindex_evidence_1", b"evd-01KF", at=9)


def dataset_in_the_row(folder: Path) -> None:
    flipped(folder, "evidence", COLUMNS, at=34)


def moment_in_the_row(folder: Path) -> None:
    flipped(folder, "evidence", COLUMNS, at=30 + len(DATASETS[0]) + 9)


def kind_of_a_page(folder: Path) -> None:
    start = pages_of(folder, "evidence_by_time")[0]
    data = bytearray((folder / "cache.db").read_bytes())
    data[start] ^= 2
    (folder / "cache.db").write_bytes(data)


def a_page_of_nothing(folder: Path) -> None:
    middle = pages_of(folder, "evidence")
    start = middle[len(middle) // 2]
    data = bytearray((folder / "cache.db").read_bytes())
    data[start : start + PAGE] = bytes(PAGE)
    (folder / "cache.db").write_bytes(data)


HARM = pytest.mark.parametrize(
    "harm",
    [
        dataset_in_the_index,
        moment_in_the_index,
        id_in_the_index,
        dataset_in_the_row,
        moment_in_the_row,
        kind_of_a_page,
        a_page_of_nothing,
    ],
    ids=lambda harm: harm.__name__,
)
Harm = Callable[[Path], None]


def run(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(scene)


@HARM
def test_lists_are_whole_and_the_cache_is_made_anew_at_the_start(
    tmp_path: Path, harm: Harm
) -> None:
    async def scene() -> None:
        await filled(tmp_path)
        harm(tmp_path)
        async with on_disk(tmp_path) as process:
            assert await listed(process) == len(NUMBERS)
            told = list[str | None]()
            process.upkeep.standing.on_change = told.append
            await process.upkeep.look()
            trouble, over = told
            assert (trouble or "").startswith("the cache is damaged: ")
            assert over is None
            assert process.filler.is_whole
            assert await listed(process) == len(NUMBERS)
            assert (await verified(process)).sound
            assert process.upkeep.standing.trouble is None

    run(scene())


@HARM
def test_it_is_found_by_whoever_verifies_and_mended_on_request(tmp_path: Path, harm: Harm) -> None:
    async def scene() -> None:
        await filled(tmp_path)
        harm(tmp_path)
        async with on_disk(tmp_path) as process:
            assert not (await verified(process)).sound
            assert (await verified(process, repair=True)).repaired
            assert (await verified(process)).sound

    run(scene())


@HARM
def test_whatever_is_damaged_a_replay_mends(tmp_path: Path, harm: Harm) -> None:
    async def scene() -> None:
        await filled(tmp_path)
        harm(tmp_path)
        async with on_disk(tmp_path) as process:
            rebuild = rebuilding(process, process.archive)
            assert (await rebuild(UNTOLD, by=ADMIN)).items == len(NUMBERS)
            assert (await verified(process)).sound

    run(scene())


@HARM
def test_while_the_archive_is_empty_nothing_is_dropped(tmp_path: Path, harm: Harm) -> None:
    """Its volume may not be mounted, and both are read again once it is."""

    async def scene() -> None:
        await filled(tmp_path)
        harm(tmp_path)
        (tmp_path / "archive").rename(tmp_path / "lost")
        spoilt = (tmp_path / "cache.db").read_bytes()
        async with on_disk(tmp_path) as process:
            await process.upkeep.look()
            assert "it is empty" in (process.upkeep.standing.trouble or "")
            rebuild = rebuilding(process, process.archive)
            for accept_loss in (False, True):
                with pytest.raises(Unavailable, match="nothing was dropped"):
                    await rebuild(UNTOLD, accept_loss=accept_loss, by=ADMIN)
            assert not (await verified(process)).sound
        assert (tmp_path / "cache.db").read_bytes() == spoilt
        (tmp_path / "lost").rename(tmp_path / "archive")
        async with on_disk(tmp_path) as process:
            await process.upkeep.look()
            assert process.filler.is_whole
            assert (await verified(process)).sound

    run(scene())


def test_while_the_archive_lacks_what_a_damaged_cache_shows_nothing_is_dropped() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        await kept(process, 1)
        await cache.put(some(2))
        cache.error, cache.methods = Damaged("the file", "a row is missing"), {"check"}
        process.upkeep._looks = CHECKED_EVERY - 1
        await process.upkeep.look()
        assert not process.filler.is_whole
        assert await shown(cache, 1, 2)
        trouble = ""
        for _ in range(SORTED_EVERY + TRIED_EVERY):
            await process.upkeep.look()
            trouble = process.upkeep.standing.trouble or trouble
        assert "it lacks 1 item" in trouble
        assert await shown(cache, 1, 2)

    run(scene())


async def looks(process: Process) -> None:
    """For more than a minute."""
    for _ in range(SORTED_EVERY + TRIED_EVERY):
        await process.upkeep.look()


async def never() -> None:
    pytest.fail("a damaged cache is dropped before it is filled")


async def spoil_mark(process: Process) -> None:
    change = "UPDATE evidence SET row_checksum = row_checksum + 1 WHERE evidence_id = ?"
    await process.cache._database().write(lambda file: file.execute(change, (MARK.evidence_id,)))


def test_a_mark_that_is_damaged_is_made_anew(tmp_path: Path) -> None:
    async def scene() -> None:
        await filled(tmp_path)
        async with on_disk(tmp_path) as process:
            await spoil_mark(process)
            process.upkeep.refill = never
            await looks(process)
            assert process.filler.is_whole
            assert await process.cache.named([MARK.evidence_id])
            await spoil_mark(process)
            await rebuilding(process, process.archive)(UNTOLD, by=ADMIN)
            assert (await verified(process)).sound
            assert await process.cache.named([MARK.evidence_id])

    run(scene())


def test_damage_in_the_cache_is_not_laid_to_the_archive(tmp_path: Path) -> None:
    """Nobody shall move a batch away that is whole."""

    async def scene() -> None:
        async with on_disk(tmp_path) as process:
            await process.upkeep.look()
            await kept(process, *range(5))
        async with on_disk(tmp_path) as process:
            change = "UPDATE evidence SET row_checksum = 0 WHERE ttl IS NOT NULL"
            await process.cache._database().write(lambda file: file.execute(change))
            await looks(process)
            assert not process.filler.unread
            assert process.upkeep.standing.trouble is None
            assert not await process.archive.batches()
            assert (await verified(process)).sound

    run(scene())


def test_what_cannot_be_put_since_the_file_is_damaged_is_put_into_a_new_one() -> None:
    """Found by a write, long before the file would be looked at again."""

    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        cache.error, cache.methods = Damaged("the file", "a page is malformed"), {"put", "check"}
        await kept(process, 1)
        assert not process.filler.is_trusted
        renewed = list[str]()

        async def renew() -> None:
            renewed.append("anew")
            cache.methods = set()

        process.upkeep.renew = renew
        await looks(process)
        assert renewed == ["anew"]
        assert process.filler.is_whole
        assert await shown(cache, 1)

    run(scene())


@pytest.mark.parametrize("column", ["dataset_urn", "created_at"])
def test_what_lies_where_another_belongs_is_not_listed(tmp_path: Path, column: str) -> None:
    """Though SQLite finds nothing wrong: row and index agree."""
    value = {"dataset_urn": DATASETS[0], "created_at": "2026-01-16T12:00:00.001Z"}[column]

    async def scene() -> None:
        async with on_disk(tmp_path) as process:
            await process.upkeep.look()
            await kept(process, 0, 5, 11)

            def harm(connection: apsw.Connection) -> None:
                number = 11 if column == "dataset_urn" else 5
                change = f"UPDATE evidence SET {column} = ? WHERE evidence_id = ?"
                connection.execute(change, (value, some_id(number)))

            await process.cache._database().write(harm)
            asked = EvidenceAsked(DatasetUrn(DATASETS[0]), LATER - timedelta(hours=2), LATER)
            with pytest.raises(Damaged, match="where another belongs"):
                await process.cache.of_dataset(asked, PageRequest(10))
            assert await listed(process) == 2
            assert [*(await verified(process)).counts] == [Kind.DAMAGED]
            assert (await verified(process, repair=True)).repaired
            assert (await verified(process)).sound

    run(scene())


def test_a_cache_is_looked_at_every_day_and_left_alone_while_the_archive_is_damaged() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        await kept(process, 1, 2)
        wholes = [process.filler.is_whole]
        # The archive has lost one of the two; whatever the cache has may be the only copy.
        archive.inner = DamagedArchive(archive.inner, some_id(1))
        cache.error, cache.methods = Damaged("the file", "a row is missing"), {"check"}
        process.upkeep._looks = CHECKED_EVERY - 1
        await process.upkeep.look()
        wholes.append(process.filler.is_whole)
        assert "the cache is damaged" in (process.upkeep.standing.trouble or "")
        assert await shown(cache, 1, 2)
        # Once the archive is restored it is tried again, but not at once.
        archive.inner, cache.methods = archive.inner.inner, set()
        process.upkeep._looks += FILLED_AGAIN_EVERY
        for _ in range(TRIED_EVERY):
            await process.upkeep.look()
        assert [*wholes, process.filler.is_whole] == [True, False, True]
        assert process.upkeep.standing.trouble is None

    run(scene())


def test_a_cache_that_cannot_be_looked_at_is_not_thrown_away() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        cache.methods = {"check"}
        await kept(process, 1)
        with pytest.raises(Unavailable):
            await process.upkeep.recover()
        assert await shown(cache, 1)
        assert not process.filler.is_whole

    run(scene())


def test_while_another_renews_it_a_damaged_cache_is_not_trusted() -> None:
    async def scene() -> None:
        archive, cache = stores()
        process = Process(archive, cache)
        await process.upkeep.look()
        cache.error, cache.methods = Damaged("the file", "a row is missing"), {"check"}
        async with process.upkeep.lease.exclusive():
            with pytest.raises(Damaged):
                await process.upkeep.check()
        assert not process.filler.is_trusted

    asyncio.run(scene())

"""
What is left of a cache whose file is damaged is found and kept, and the file is never thrown away.

Where the archive is lost as well, the cache may have the only copy.
"""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from application.errors import Damaged
from application.evidence import ReadEvidence
from application.evidence.maintenance import SORTED_EVERY, TRIED_EVERY
from application.evidence.progress import UNTOLD
from application.evidence.verification import Kind
from tests.application.evidence.samples import DATASETS, some_id, some_report, telling
from tests.application.evidence.test_cache_rebuild import rebuilding
from tests.application.evidence.test_crashes import Anyone, Process
from tests.application.evidence.test_damaged_cache import (
    NUMBERS,
    PAGE,
    a_page_of_nothing,
    dataset_in_the_index,
    filled,
    listed,
    pages_of,
)
from tests.application.evidence.test_maintenance import kept
from tests.application.evidence.test_verification import KEPT_FOR, on_disk, verified
from tests.application.store import ADMIN

MANY = range(900)
BOTH = ("evidence", "sqlite_autoindex_evidence_1")


def run(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(scene)


def changed(folder: Path, change: Callable[[bytearray], None]) -> None:
    data = bytearray((folder / "cache.db").read_bytes())
    change(data)
    (folder / "cache.db").write_bytes(data)


async def many_filled(folder: Path) -> None:
    async with on_disk(folder) as process:
        await process.upkeep.look()
        await kept(process, *MANY)
        await process.upkeep.compact()


def without_pages(folder: Path, *parts: float) -> None:
    """Of the table and of the index of ids each."""
    trees = [pages_of(folder, name) for name in BOTH]
    starts = [pages[int(len(pages) * part)] for pages in trees for part in parts]

    def change(data: bytearray) -> None:
        for start in starts:
            data[start : start + PAGE] = bytes(PAGE)

    changed(folder, change)


def lose_archive(folder: Path) -> None:
    (folder / "archive").rename(folder / "lost")
    (folder / "archive").mkdir()


async def readable(folder: Path) -> set[int]:
    """Which are found by their ids."""
    found = set()
    async with on_disk(folder) as process:
        for number in MANY:
            try:
                if await process.cache.named([some_id(number)]):
                    found.add(number)
            except Damaged:
                continue
    return found


def test_all_that_can_be_read_is_kept_again_whatever_lies_around_it(tmp_path: Path) -> None:
    async def scene() -> None:
        await many_filled(tmp_path)
        without_pages(tmp_path, 0.05, 0.4, 0.9)
        whole = await readable(tmp_path)
        assert len(MANY) // 2 < len(whole) < len(MANY)
        lose_archive(tmp_path)
        async with on_disk(tmp_path) as process:
            done = await verified(process, repair=True)
            assert done.kept_again >= len(whole)
            assert done.is_cut_short
            assert not done.repaired
            again = await process.archive.named([some_id(number) for number in MANY])
            assert {some_id(number) for number in whole} <= again.keys()

    run(scene())


def test_a_replay_by_another_process_leaves_the_damaged_file(tmp_path: Path) -> None:
    async def scene() -> None:
        await many_filled(tmp_path)
        without_pages(tmp_path, 0.5)
        spoilt = (tmp_path / "cache.db").stat().st_size
        async with on_disk(tmp_path) as process:
            await rebuilding(process, process.archive)(UNTOLD, by=ADMIN)
        assert (tmp_path / "cache.db.aside").stat().st_size == spoilt

    run(scene())


def test_a_sound_cache_leaves_nothing_when_it_is_made_anew(tmp_path: Path) -> None:
    async def scene() -> None:
        await filled(tmp_path)
        async with on_disk(tmp_path) as process:
            process.cache._damaged("it could not be read once")
            await process.cache.check()
            await rebuilding(process, process.archive)(UNTOLD, by=ADMIN)
        assert not (tmp_path / "cache.db.aside").exists()

    run(scene())


def test_a_row_that_only_an_index_knows_is_not_called_kept(tmp_path: Path) -> None:
    async def scene() -> None:
        await filled(tmp_path)
        start = pages_of(tmp_path, "evidence")[10]

        def one_cell_less(data: bytearray) -> None:
            cells = int.from_bytes(data[start + 3 : start + 5], "big")
            data[start + 3 : start + 5] = (cells - 1).to_bytes(2, "big")

        changed(tmp_path, one_cell_less)
        lose_archive(tmp_path)
        async with on_disk(tmp_path) as process:
            done = await verified(process, repair=True)
            assert (done.counts[Kind.LOST], done.kept_again) == (1, len(NUMBERS) - 1)
            assert not done.repaired

    run(scene())


def test_what_table_and_index_know_is_counted_once(tmp_path: Path) -> None:
    async def scene() -> None:
        await many_filled(tmp_path)
        a_page_of_nothing(tmp_path)
        async with on_disk(tmp_path) as process:
            assert (await verified(process)).compared == len(MANY)
        lose_archive(tmp_path)
        async with on_disk(tmp_path) as process:
            assert sum((await verified(process)).counts.values()) == len(MANY)

    run(scene())


# Rows that lead astray.


def row_number_of_nothing(data: bytearray) -> None:
    """That of a row in the middle reads 0: whoever goes on after it begins again."""
    found = data.index(some_id(499).encode() + DATASETS[499 % 5].encode())
    number = bytes([0x80 | (500 + 1) >> 7, (500 + 1) & 127])
    place = data.rindex(number, found - 30, found)
    data[place : place + 2] = b"\x80\x00"


def id_of_nothing(data: bytearray) -> None:
    found = data.index(some_id(400).encode() + DATASETS[0].encode())
    data[data.rindex(bytes([13 + 2 * 30]), found - 20, found)] = 0


def id_that_is_no_text(data: bytearray) -> None:
    data[data.index(some_id(400).encode() + DATASETS[0].encode())] = 0xFF


@pytest.mark.parametrize("harm", [row_number_of_nothing, id_of_nothing, id_that_is_no_text])
def test_a_row_that_leads_astray_costs_no_other(
    tmp_path: Path, harm: Callable[[bytearray], None]
) -> None:
    async def scene() -> None:
        await many_filled(tmp_path)
        changed(tmp_path, harm)
        lose_archive(tmp_path)
        async with on_disk(tmp_path) as process:
            async with asyncio.timeout(60):
                done = await verified(process, repair=True)
            assert len(MANY) - 2 <= done.kept_again <= len(MANY)
        (tmp_path / "archive").rename(tmp_path / "second")
        (tmp_path / "lost").rename(tmp_path / "archive")
        async with on_disk(tmp_path) as process:
            await verified(process, repair=True)
            assert (await verified(process)).sound

    run(scene())


def test_one_row_that_cannot_be_read_keeps_no_other_pinned(tmp_path: Path) -> None:
    async def scene() -> None:
        async with on_disk(tmp_path) as process:
            await process.upkeep.look()
            await kept(process, 0, 5)
            names = [some_id(0), some_id(5)]
            await process.cache.pin(names)
            change = "UPDATE evidence SET dataset_urn = CAST(x'75ff72' AS TEXT) WHERE evidence_id=?"
            await process.cache._database().write(
                lambda file: file.execute(change, (names[0],)).fetchall()
            )
            await process.cache.unpin(names)
            ended = "SELECT count(*) FROM evidence WHERE ttl IS NOT NULL"
            assert process.cache._rows(ended, ()) == [(1,)]

    run(scene())


# A file that SQLite understands otherwise, or not at all.


def other_column(data: bytearray) -> None:
    data[data.index(b"row_checksum") + 1] ^= 2


def other_format(data: bytearray) -> None:
    data[47] = 9


@pytest.mark.parametrize("harm", [other_column, other_format])
def test_a_file_that_is_understood_otherwise_fails_nobody_and_is_made_anew(
    tmp_path: Path, harm: Callable[[bytearray], None]
) -> None:
    async def scene() -> None:
        await filled(tmp_path)
        changed(tmp_path, harm)
        async with on_disk(tmp_path) as process:
            reading = ReadEvidence(
                process.archive, process.cache, Anyone(), process.clock, telling, KEPT_FOR
            )
            assert await reading([some_id(0)], by=ADMIN)
            await process.put([some_report(0, evidence_id=some_id(5_000))], by=ADMIN)
            await process.upkeep.look()
            assert process.filler.is_whole
            assert (await verified(process)).sound
        assert (tmp_path / "cache.db.aside").exists()

    run(scene())


@pytest.mark.parametrize("harm", ["gone", "empty", "other format"])
def test_a_file_that_changes_while_it_is_open_is_found(tmp_path: Path, harm: str) -> None:
    async def scene() -> None:
        await filled(tmp_path)
        async with on_disk(tmp_path) as process:
            await process.upkeep.look()
            if harm == "other format":
                changed(tmp_path, other_format)
            else:
                (tmp_path / "cache.db").unlink()
            if harm == "empty":
                (tmp_path / "cache.db").touch()
            assert (await verified(process)).cache_fault
            assert (await verified(process, repair=True)).repaired
            assert (await verified(process)).sound

    run(scene())


# What was found is known.


async def closed(process: Process) -> None:
    process.cache.close()
    process.cache._opened = None


async def looks(process: Process) -> None:
    for _ in range(SORTED_EVERY + TRIED_EVERY):
        await process.upkeep.look()


def test_after_whoever_verified_found_it_damaged_lists_are_whole(tmp_path: Path) -> None:
    async def scene() -> None:
        await filled(tmp_path)
        async with on_disk(tmp_path) as process:
            await process.upkeep.look()
            await closed(process)
            dataset_in_the_index(tmp_path)
            assert await listed(process) < len(NUMBERS)
            assert (await verified(process)).cache_fault
            wholes = [process.filler.is_whole]
            assert await listed(process) == len(NUMBERS)
            await looks(process)
            assert [*wholes, process.filler.is_whole] == [False, True]
            assert (await verified(process)).sound

    run(scene())


def test_a_mark_on_a_page_that_cannot_be_read_is_made_anew_with_the_file(tmp_path: Path) -> None:
    async def scene() -> None:
        await filled(tmp_path)
        async with on_disk(tmp_path) as process:
            await process.upkeep.look()
            await closed(process)
            start = pages_of(tmp_path, "evidence")[0]

            def wipe(data: bytearray) -> None:
                assert b"the-cache-is-whole" in data[start : start + PAGE]
                data[start : start + PAGE] = bytes(PAGE)

            changed(tmp_path, wipe)
            await looks(process)
            assert process.filler.is_whole
            assert process.upkeep.standing.trouble is None

    run(scene())

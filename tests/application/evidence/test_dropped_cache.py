"""A cache that the program cannot go on with is dropped and filled from the archive."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from application.evidence import ReadEvidence
from application.evidence.verification import Kind
from tests.application.evidence.samples import DATASETS, some_id, some_report, telling
from tests.application.evidence.test_crashes import Anyone, Process
from tests.application.evidence.test_damaged_cache import (
    NUMBERS,
    PAGE,
    dataset_in_the_index,
    filled,
    listed,
    looks,
    pages_of,
)
from tests.application.evidence.test_maintenance import kept
from tests.application.evidence.test_verification import KEPT_FOR, on_disk, verified
from tests.application.store import ADMIN

MANY = range(900)


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
def test_a_row_that_leads_astray_is_found_and_costs_no_other(
    tmp_path: Path, harm: Callable[[bytearray], None]
) -> None:
    async def scene() -> None:
        await many_filled(tmp_path)
        changed(tmp_path, harm)
        async with on_disk(tmp_path) as process, asyncio.timeout(60):
            done = await verified(process)
            assert done.cache_fault
            assert Kind.MISSING_IN_ARCHIVE not in done.counts
            assert (await verified(process, repair=True)).repaired
            assert (await verified(process)).sound

    run(scene())


# A file that SQLite understands otherwise, or not at all.


def other_column(data: bytearray) -> None:
    data[data.index(b"row_checksum") + 1] ^= 2


def other_version(data: bytearray) -> None:
    data[63] = 1


def other_format(data: bytearray) -> None:
    data[47] = 9


@pytest.mark.parametrize("harm", [other_column, other_format, other_version])
def test_a_file_that_is_understood_otherwise_fails_no_call_and_is_dropped(
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
            await process.upkeep.compact()
            assert not await process.archive.batches()

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
                assert b"cache-complete-marker" in data[start : start + PAGE]
                data[start : start + PAGE] = bytes(PAGE)

            changed(tmp_path, wipe)
            await looks(process)
            assert process.filler.is_whole
            assert process.upkeep.standing.trouble is None

    run(scene())


def test_a_row_that_a_reader_finds_damaged_is_mended_within_a_minute(tmp_path: Path) -> None:
    """SQLite finds nothing wrong with it."""

    async def scene() -> None:
        await filled(tmp_path)
        async with on_disk(tmp_path) as process:
            await process.upkeep.look()
            change = "UPDATE evidence SET row_checksum = 0 WHERE evidence_id = ?"
            harmed = (some_id(0),)
            await process.cache._database().write(lambda file: file.execute(change, harmed))
            wholes = [process.filler.is_whole]
            reading = ReadEvidence(
                process.archive, process.cache, Anyone(), process.clock, telling, KEPT_FOR
            )
            assert (await reading([some_id(0)], by=ADMIN)).keys() == {some_id(0)}
            wholes.append(process.filler.is_whole)
            assert await listed(process) == len(NUMBERS)
            await looks(process)
            assert [*wholes, process.filler.is_whole] == [True, False, True]
            assert (await process.cache.named([some_id(0)])).keys() == {some_id(0)}

    run(scene())

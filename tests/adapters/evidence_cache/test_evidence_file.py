"""The file of the cache: what is wrong with it is known, and it is replaced only on request."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from structlog.testing import capture_logs

from adapters.sqlite.evidence.cache import SLICE
from adapters.sqlite.evidence.file import EvidenceFile, Looking
from application.errors import Damaged, Unavailable
from tests.adapters.evidence_cache.caches import FILE, SetClock, sqlite
from tests.adapters.evidence_cache.some_evidence import FULL, some
from tests.support.event_loop_turns import others_go_on

MANY = [some(number) for number in range(300)]


def filled(folder: Path) -> None:
    with sqlite(folder, SetClock()) as cache:
        asyncio.run(cache.put([FULL, *MANY]))


def shown(folder: Path) -> bool:
    with sqlite(folder, SetClock()) as cache:
        return bool(asyncio.run(cache.named([FULL.evidence_id])))


def test_what_was_put_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    filled(tmp_path)
    with capture_logs() as said:
        assert shown(tmp_path)
    assert said == []


def test_what_was_put_outlasts_a_power_cut(tmp_path: Path) -> None:
    """The archive relies on it when a batch is sorted, and lists rely on the cache."""
    database = EvidenceFile(tmp_path / FILE).opened()
    full = 2
    assert database.submit(lambda writer: writer.pragma("synchronous")).result() == full
    database.close()


def foreign_version(file: Path) -> None:
    with apsw.Connection(str(file)) as connection:
        connection.pragma("user_version", 99)


def other_tables(file: Path) -> None:
    with apsw.Connection(str(file)) as connection:
        connection.execute("DROP INDEX evidence_by_end")


def no_database(file: Path) -> None:
    file.write_bytes(b"not a database at all" * 1000)


def first_page_damaged(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[100:400] = os.urandom(300)
    file.write_bytes(content)


def cut_short(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 3)


@pytest.mark.parametrize(
    "harm",
    [foreign_version, other_tables, no_database, first_page_damaged, cut_short],
)
def test_a_file_that_cannot_be_used_is_damaged_until_it_is_dropped(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    async def scene() -> None:
        with sqlite(tmp_path, SetClock()) as cache:
            for ask in (cache.named([FULL.evidence_id]), cache.put([some(1)]), cache.check()):
                with pytest.raises(Damaged, match="the file of the evidence cache"):
                    await ask
            suspect = [cache.is_suspect]
            assert (tmp_path / FILE).read_bytes() == spoilt
            await cache.clear()
            await cache.check()
            assert [*suspect, cache.is_suspect] == [True, False]
            await cache.put([FULL])

    filled(tmp_path)
    harm(tmp_path / FILE)
    spoilt = (tmp_path / FILE).read_bytes()
    asyncio.run(scene())
    assert shown(tmp_path)


def test_a_file_that_cannot_be_used_does_not_fail_the_start(tmp_path: Path) -> None:
    filled(tmp_path)
    foreign_version(tmp_path / FILE)
    with sqlite(tmp_path, SetClock()) as cache:
        cache.open()
        assert cache.is_suspect


def test_text_that_is_none_hides_no_other_row(tmp_path: Path) -> None:
    async def scene() -> None:
        with sqlite(tmp_path, SetClock()) as cache:
            await cache.put([FULL, *MANY])
        with apsw.Connection(str(tmp_path / FILE)) as file:
            change = "UPDATE evidence SET dataset_urn = CAST(x'ff' AS TEXT) WHERE evidence_id = ?"
            file.execute(change, (FULL.evidence_id,))
        with sqlite(tmp_path, SetClock()) as cache:
            with pytest.raises(Damaged, match="decode"):
                await cache.named([FULL.evidence_id])
            assert len(await cache.named([one.evidence_id for one in MANY])) == len(MANY)
            assert cache.is_suspect

    asyncio.run(scene())


def test_what_was_not_written_into_a_dropped_file_goes_with_it(tmp_path: Path) -> None:
    """SQLite would read a log that is left as if it belonged to the other file."""
    filled(tmp_path)
    foreign_version(tmp_path / FILE)
    (tmp_path / f"{FILE}-wal").write_bytes(b"of another file")
    EvidenceFile(tmp_path / FILE).begun_anew().close()
    assert not shown(tmp_path)
    assert not (tmp_path / f"{FILE}-wal").exists()


def test_rows_that_lead_back_end_the_list_of_ids(tmp_path: Path) -> None:
    """Else whoever goes on after the last one would begin again, for ever."""

    async def scene() -> None:
        with sqlite(tmp_path, SetClock()) as cache:
            await cache.put([some(number) for number in range(SLICE + 1)])
        with apsw.Connection(str(tmp_path / FILE)) as file:
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        number, last = varint(SLICE + 1), some(SLICE).evidence_id.encode()
        content = bytearray((tmp_path / FILE).read_bytes())
        found = content.index(last + FULL.dataset.encode())
        place = content.rindex(number, found - 30, found)
        content[place : place + len(number)] = b"\x80\x00"
        (tmp_path / FILE).write_bytes(content)
        with sqlite(tmp_path, SetClock()) as cache:
            with pytest.raises(Damaged, match="not in their order"):
                async for _ in cache.ids():
                    pass
            assert cache.is_suspect

    asyncio.run(scene())


def varint(number: int) -> bytes:
    return bytes([0x80 | number >> 7, number & 127])


def test_a_place_that_takes_no_file_is_no_damage(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(Unavailable):
        EvidenceFile(tmp_path / FILE).opened()
    assert (tmp_path / FILE).is_dir()


def test_others_write_between_the_slices_of_a_sweep(tmp_path: Path) -> None:
    clock = SetClock()

    async def scene() -> None:
        with sqlite(tmp_path, clock) as cache:
            await cache.put([some(number) for number in range(3000)])
            clock.at = clock.at.replace(day=20)
            sweeping = asyncio.create_task(cache.sweep())
            await others_go_on()
            young = some(9_999, recorded_at=clock.at)
            await cache.put([young])
            assert not sweeping.done()
            assert await cache.named([young.evidence_id]) == {young.evidence_id: young}
            assert await sweeping == 3000

    asyncio.run(scene())


def test_a_file_that_could_not_be_begun_anew_is_opened_again(tmp_path: Path) -> None:
    async def scene() -> None:
        with sqlite(tmp_path, SetClock()) as cache:
            await cache.put([FULL])
            (tmp_path / "no" / "file").mkdir(parents=True)
            cache.file = EvidenceFile(tmp_path / "no" / "file")
            with pytest.raises(Unavailable):
                await cache.clear()
            cache.file = EvidenceFile(tmp_path / FILE)
            assert await cache.named([FULL.evidence_id])
            await cache.clear()
            assert not await cache.named([FULL.evidence_id])

    asyncio.run(scene())


def test_whoever_does_not_wait_for_a_check_ends_it(tmp_path: Path) -> None:
    filled(tmp_path)
    looking = Looking(EvidenceFile(tmp_path / FILE))
    looking.look()
    looking.interrupt()
    with pytest.raises(Unavailable, match="interrupted"):
        looking.look()

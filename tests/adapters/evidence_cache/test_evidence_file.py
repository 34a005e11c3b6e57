"""The file of the cache: what is wrong with it is put aside, and said."""

import asyncio
import os
from pathlib import Path

import apsw
import pytest
from structlog.testing import capture_logs

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
def test_a_file_that_cannot_be_used_is_put_aside_and_said(tmp_path: Path, harm: object) -> None:
    filled(tmp_path)
    harm(tmp_path / FILE)  # type: ignore[operator]
    spoilt = (tmp_path / FILE).read_bytes()
    with capture_logs() as said:
        assert not shown(tmp_path)
    ((told),) = said
    assert (told["log_level"], told["moved"]) == ("warning", f"{FILE}.aside")
    assert told["because"]
    assert (tmp_path / f"{FILE}.aside").read_bytes() == spoilt
    filled(tmp_path)
    assert shown(tmp_path)


def test_text_that_is_none_is_damage_of_its_row_alone(tmp_path: Path) -> None:
    async def scene() -> None:
        with sqlite(tmp_path, SetClock()) as cache:
            await cache.put([FULL, *MANY])
        with apsw.Connection(str(tmp_path / FILE)) as file:
            change = "UPDATE evidence SET dataset_urn = CAST(x'ff' AS TEXT) WHERE evidence_id = ?"
            file.execute(change, (FULL.evidence_id,))
        with sqlite(tmp_path, SetClock()) as cache:
            with pytest.raises(Damaged, match="text that is none"):
                await cache.named([FULL.evidence_id])
            assert len(await cache.named([one.evidence_id for one in MANY])) == len(MANY)
            assert not cache.is_suspect
        assert not (tmp_path / f"{FILE}.aside").exists()

    asyncio.run(scene())


def test_what_is_put_aside_takes_the_place_of_what_was_before(tmp_path: Path) -> None:
    for _ in range(2):
        filled(tmp_path)
        foreign_version(tmp_path / FILE)
        assert not shown(tmp_path)
    assert sorted(path.name for path in tmp_path.glob("*.aside*")) == [f"{FILE}.aside"]


def test_nothing_of_what_was_put_aside_before_stays_beside_it(tmp_path: Path) -> None:
    """SQLite would read a log that is left as if it belonged to the other file."""
    filled(tmp_path)
    (tmp_path / f"{FILE}.aside-wal").write_bytes(b"of another file")
    foreign_version(tmp_path / FILE)
    assert not shown(tmp_path)
    assert sorted(path.name for path in tmp_path.glob("*.aside*")) == [f"{FILE}.aside"]


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
    assert looking.faults() == []
    looking.interrupt()
    with pytest.raises(Unavailable, match="interrupted"):
        looking.faults()

"""What a SQLite file keeps for its readers is handed on as it was kept, or not at all."""

import asyncio
from collections.abc import Collection
from datetime import timedelta
from pathlib import Path

import apsw
import orjson
import pytest

from adapters.evidence_archive.rows import to_row
from adapters.sqlite.evidence.cache import SqliteEvidenceCache
from application.errors import Damaged
from application.evidence.archive import EvidenceAsked
from application.reads.paging import PageRequest
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId
from tests.adapters.evidence_cache.caches import FILE, SetClock, sqlite
from tests.adapters.evidence_cache.some_evidence import FULL, some
from tests.application.evidence.samples import telling

OTHERS = [some(number) for number in range(3)]
TOLD = telling(FULL)
ROW = orjson.dumps(to_row(FULL))
DAY = EvidenceAsked(FULL.dataset, FULL.created_at, FULL.created_at + timedelta(days=1))


def changed(folder: Path, column: str, stored: bytes) -> None:
    with apsw.Connection(str(folder / FILE)) as file:
        change = f'UPDATE evidence SET "{column}" = ? WHERE evidence_id = ?'
        file.execute(change, (stored, FULL.evidence_id))
        assert file.changes() == 1


def harmed(whole: bytes, another: bytes) -> list[bytes]:
    flips = (
        whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in range(0, len(whole), 97)
    )
    return [*flips, whole[:-1], whole + b" ", another, b""]


@pytest.mark.parametrize("stored", harmed(TOLD, telling(OTHERS[0])))
def test_if_what_is_told_was_changed_that_is_found(tmp_path: Path, stored: bytes) -> None:
    async def scene(cache: SqliteEvidenceCache) -> None:
        await cache.put([FULL, *OTHERS])
        changed(tmp_path, "told", stored)
        with pytest.raises(Damaged, match=FULL.evidence_id):
            await cache.told([OTHERS[0].evidence_id, FULL.evidence_id])
        rest = [one.evidence_id for one in OTHERS]
        assert (await cache.told(rest)).keys() == {*rest}
        assert await cache.named([FULL.evidence_id]) == {FULL.evidence_id: FULL}

    with sqlite(tmp_path, SetClock()) as cache:
        asyncio.run(scene(cache))


@pytest.mark.parametrize("stored", harmed(ROW, orjson.dumps(to_row(OTHERS[0]))))
def test_if_a_row_was_changed_that_is_found(tmp_path: Path, stored: bytes) -> None:
    """Also where it is a right row still."""

    async def scene(cache: SqliteEvidenceCache) -> None:
        await cache.put([FULL, *OTHERS], pinned=[FULL.evidence_id])
        changed(tmp_path, "row", stored)
        for ask in (
            cache.named([OTHERS[0].evidence_id, FULL.evidence_id]),
            cache.of_dataset(DAY, PageRequest(10)),
        ):
            with pytest.raises(Damaged, match=FULL.evidence_id):
                await ask
        assert await cache.told([FULL.evidence_id]) == {FULL.evidence_id: TOLD}

    with sqlite(tmp_path, SetClock()) as cache:
        asyncio.run(scene(cache))


@pytest.mark.parametrize("column", ["told", "row"])
@pytest.mark.parametrize(
    "change",
    [
        "({0}, {0}_checksum) = (SELECT {0}, {0}_checksum FROM evidence WHERE evidence_id = :other)",
        "{0} = x'', {0}_checksum = 0",
        "{0} = CAST({0} AS TEXT)",
        "{0} = CAST(x'ff' AS TEXT)",
        "{0} = NULL",
        "{0}_checksum = NULL",
    ],
)
def test_a_damaged_file_may_hold_anything(tmp_path: Path, column: str, change: str) -> None:
    """Its own schema notwithstanding, and the checksum of another is no better."""

    async def scene(cache: SqliteEvidenceCache) -> None:
        await cache.put([FULL, *OTHERS])
        with apsw.Connection(str(tmp_path / FILE)) as file:
            without_schema(file)
            sets = change.format(f'"{column}"').replace('"_checksum', '_checksum"')
            where = " WHERE evidence_id = :name"
            names = {"other": OTHERS[0].evidence_id, "name": FULL.evidence_id}
            file.execute(f"UPDATE evidence SET {sets}{where}", names)
        ask = cache.told if column == "told" else cache.named
        with pytest.raises(Damaged):
            await ask([FULL.evidence_id])

    with sqlite(tmp_path, SetClock()) as cache:
        asyncio.run(scene(cache))


def test_what_is_found_under_an_id_that_is_no_text_is_not_listed(tmp_path: Path) -> None:
    async def scene(cache: SqliteEvidenceCache) -> None:
        await cache.put([FULL])
        with apsw.Connection(str(tmp_path / FILE)) as file:
            without_schema(file)
            file.execute("UPDATE evidence SET evidence_id = x'00'")
        with pytest.raises(Damaged):
            await cache.of_dataset(DAY, PageRequest(10))

    with sqlite(tmp_path, SetClock()) as cache:
        asyncio.run(scene(cache))


@pytest.mark.parametrize("change", ["x''", "CAST(x'ff' AS TEXT)", "NULL"])
def test_one_that_is_damaged_makes_all_of_the_cache_suspect(tmp_path: Path, change: str) -> None:
    """Whoever meets it: from then on a check fails, until the cache is cleared."""

    async def scene(cache: SqliteEvidenceCache) -> None:
        ids = [one.evidence_id for one in (FULL, *OTHERS)]
        await cache.put([FULL, *OTHERS], pinned=ids)
        with apsw.Connection(str(tmp_path / FILE)) as file:
            without_schema(file)
            where = (FULL.evidence_id,)
            file.execute(f'UPDATE evidence SET "row" = {change} WHERE evidence_id = ?', where)
        suspect = [cache.is_suspect]
        for ask in (cache.unpin(ids), cache.check()):
            with pytest.raises(Damaged):
                await ask
        suspect.append(cache.is_suspect)
        assert (await cache.named(ids[1:])).keys() == {*ids[1:]}
        await cache.clear()
        await cache.check()
        assert [*suspect, cache.is_suspect] == [False, True, False]

    with sqlite(tmp_path, SetClock()) as cache:
        asyncio.run(scene(cache))


def without_schema(file: apsw.Connection) -> None:
    """Let columns take what they would refuse."""
    file.execute("PRAGMA writable_schema = ON")
    loose = "replace(replace(sql, ') STRICT', ')'), 'NOT NULL', '')"
    file.execute(f"UPDATE sqlite_schema SET sql = {loose} WHERE name = 'evidence'")
    file.execute("PRAGMA writable_schema = RESET")


def test_it_is_told_once_however_often_it_is_read(tmp_path: Path) -> None:
    heard = list[EvidenceId]()

    def listening(one: Evidence, *, archived: bool = False) -> bytes:
        heard.append(one.evidence_id)
        return telling(one, archived=archived)

    async def scene(cache: SqliteEvidenceCache, ids: Collection[EvidenceId]) -> None:
        await cache.put([FULL])
        for _ in range(3):
            assert await cache.told(ids) == {FULL.evidence_id: TOLD}

    with sqlite(tmp_path, SetClock()) as cache:
        cache.telling = listening
        asyncio.run(scene(cache, [FULL.evidence_id]))
    assert heard == [FULL.evidence_id]

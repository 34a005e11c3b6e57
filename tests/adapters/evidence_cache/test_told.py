"""What a SQLite file keeps for its readers is handed on as it was told, or not at all."""

import asyncio
from collections.abc import Collection
from pathlib import Path

import apsw
import pytest

from adapters.sqlite.evidence_cache import SqliteEvidenceCache
from application.errors import Damaged
from domain.evidence import Evidence
from domain.ids import EvidenceId
from tests.adapters.evidence_cache.caches import FILE, SetClock, sqlite
from tests.adapters.evidence_cache.some_evidence import FULL, some
from tests.application.evidence.some import telling

OTHERS = [some(number) for number in range(3)]
TOLD = telling(FULL)


def changed(folder: Path, told: bytes) -> None:
    with apsw.Connection(str(folder / FILE)) as file:
        change = "UPDATE evidence SET told = ? WHERE evidence_id = ?"
        file.execute(change, (told, FULL.evidence_id))


@pytest.mark.parametrize(
    "harmed",
    [
        *(TOLD[:at] + bytes([TOLD[at] ^ 1]) + TOLD[at + 1 :] for at in range(0, len(TOLD), 97)),
        TOLD[:-1],
        TOLD + b" ",
        telling(OTHERS[0]),
        b"",
    ],
)
def test_what_was_changed_is_found(tmp_path: Path, harmed: bytes) -> None:
    async def scene(cache: SqliteEvidenceCache) -> None:
        await cache.put([FULL, *OTHERS])
        changed(tmp_path, harmed)
        with pytest.raises(Damaged, match=FULL.evidence_id):
            await cache.told([OTHERS[0].evidence_id, FULL.evidence_id])
        rest = [one.evidence_id for one in OTHERS]
        assert list(await cache.told(rest)) == rest
        assert await cache.named([FULL.evidence_id]) == {FULL.evidence_id: FULL}

    with sqlite(tmp_path, SetClock()) as cache:
        asyncio.run(scene(cache))


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

"""Whatever happens to the bytes of the archive: it is told and named, never shown."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import cache
from pathlib import Path
from zlib import crc32

import pytest
from attrs import frozen

from adapters.blobs.directory import DirectoryBlobs
from adapters.evidence_archive.archive import BlobEvidenceArchive
from adapters.evidence_archive.object_format import FORMAT, TRAILER
from adapters.memory.blobs import MemoryBlobs
from application.errors import Damaged, NotReadable
from domain.evidence.evidence import Evidence
from domain.ids import EvidenceId
from tests.adapters.evidence_archive.archives import over
from tests.adapters.evidence_archive.contents import recorded, shown
from tests.adapters.evidence_archive.samples import ORDERS, START, STOCK, bare, evidence

KEPT = {
    one.evidence_id: one
    for one in (bare(1), evidence(2), evidence(3, dataset=STOCK, created=timedelta(hours=2)))
}


@frozen
class Scene:
    """An archive with three items, in the bytes of its objects."""

    objects: Mapping[str, bytes]

    @classmethod
    def prepared(cls, *, is_sorted: bool) -> "Scene":
        blobs = MemoryBlobs()

        async def prepare() -> Mapping[str, bytes]:
            archive = over(blobs)
            name = await archive.keep(list(KEPT.values()))
            if is_sorted:
                await archive.compact([name])
            return {name: await blobs.get(name) or b"" for name in await blobs.names()}

        return cls(asyncio.run(prepare()))

    def with_(self, name: str, data: bytes) -> BlobEvidenceArchive:
        return over(MemoryBlobs({**self.objects, name: data}, dict.fromkeys(self.objects, START)))


@cache
def scene_of(folder: str) -> tuple[Scene, str]:
    """A scene with an object in the folder, and the name of the object."""
    scene = Scene.prepared(is_sorted=folder != "batches")
    return scene, next(name for name in scene.objects if name.startswith(folder))


EVERYWHERE = pytest.mark.parametrize(
    "folder", ["batches", "segments/sales=orders=v1", "segments/Ware_house", "ids"]
)


async def all_of(archive: BlobEvidenceArchive, *, by: str) -> Mapping[EvidenceId, Evidence]:
    match by:
        case "id":
            return await archive.named(KEPT)
        case "dataset":
            _, lists = await shown(archive, [], [ORDERS, STOCK])
            return {one.evidence_id: one for some in lists.values() for one in some}
        case _:
            return await recorded(archive, START)


async def is_noticed(archive: BlobEvidenceArchive, name: str, by: str) -> bool:
    """Whether the damage is told; if not, everything must be shown as it was kept."""
    try:
        found = await all_of(archive, by=by)
    except Damaged as error:
        return name in str(error)
    assert found == KEPT
    return False


def damaged(data: bytes) -> Iterator[bytes]:
    for at in range(len(data)):
        yield data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]
    for length in range(len(data)):
        yield data[:length]


@EVERYWHERE
def test_every_flipped_bit_and_every_cut_is_noticed(folder: str) -> None:
    prepared, name = scene_of(folder)

    async def scene() -> None:
        for data in damaged(prepared.objects[name]):
            archive = prepared.with_(name, data)
            told = [await is_noticed(archive, name, by) for by in ("id", "dataset", "replay")]
            assert any(told)

    asyncio.run(scene())


@EVERYWHERE
def test_an_object_is_not_taken_for_another(folder: str) -> None:
    prepared, name = scene_of(folder)
    later = name.replace("-p1-", "-p2-")
    objects = {**prepared.objects, later: prepared.objects[name]}
    del objects[name]
    with pytest.raises(Damaged, match="it was written as"):
        asyncio.run(all_of(over(MemoryBlobs(objects)), by="id"))


def test_damage_on_disk_is_noticed_where_whole_files_are_read(tmp_path: Path) -> None:
    archive = over(DirectoryBlobs(tmp_path))
    name = asyncio.run(archive.keep(list(KEPT.values())))
    path = tmp_path / f"{name}.blob"
    whole = path.read_bytes()

    async def scene() -> None:
        for data in damaged(whole):
            path.write_bytes(data)
            again = over(DirectoryBlobs(tmp_path))
            for work in (again.batch(name), again.compact([name]), again.named(KEPT)):
                with pytest.raises(Damaged, match=name.rpartition("/")[2]):
                    await work

    asyncio.run(scene())
    path.write_bytes(whole)
    assert asyncio.run(over(DirectoryBlobs(tmp_path)).named(KEPT)) == KEPT


def flipped(data: bytes) -> bytes:
    return data[:9] + bytes([data[9] ^ 1]) + data[10:]


def newer(data: bytes) -> bytes:
    """As a later version of the program may write it."""
    told = data[-TRAILER : -TRAILER + 6] + (FORMAT + 1).to_bytes(2) + data[-TRAILER + 8 : -4]
    return data[:-TRAILER] + told + crc32(told).to_bytes(4)


SPOILT = pytest.mark.parametrize(
    ("spoilt", "error"), [(flipped, Damaged), (newer, NotReadable)], ids=["damaged", "newer"]
)
Spoil = Callable[[bytes], bytes]


async def tell(archive: BlobEvidenceArchive, told: list[Evidence]) -> None:
    async for some in archive.recorded_since(START):
        told += some


@SPOILT
def test_a_batch_that_cannot_be_read_stops_no_other_from_being_sorted_or_told(
    spoilt: Spoil, error: type[Exception]
) -> None:
    async def scene() -> None:
        blobs = MemoryBlobs()
        before = over(blobs)
        names = [await before.keep([one]) for one in KEPT.values()]
        await blobs.put(names[1], spoilt(await blobs.get(names[1]) or b""))
        archive, told = over(blobs), list[Evidence]()
        with pytest.raises(error, match=names[1]):
            await tell(archive, told)
        first, _, third = KEPT.values()
        assert told == [first, third]
        await archive.compact([names[0]])
        assert await archive.batches() == names[1:]
        with pytest.raises(error, match=names[1]):
            await archive.compact(names)
        assert await archive.batches() == [names[1]]
        (found,) = await archive.segments.named([third.evidence_id], since=set())
        assert found == third.evidence_id

    asyncio.run(scene())


@SPOILT
def test_a_segment_that_cannot_be_read_stops_no_other_from_being_told(
    spoilt: Spoil, error: type[Exception]
) -> None:
    async def scene() -> None:
        blobs = MemoryBlobs()
        await over(blobs).compact([await over(blobs).keep(list(KEPT.values()))])
        bad, other = await blobs.names("segments/")
        await blobs.put(bad, spoilt(await blobs.get(bad) or b""))
        told = list[Evidence]()
        with pytest.raises(error, match=bad):
            await tell(over(blobs), told)
        assert {one.dataset for one in told} == {ORDERS}
        assert len(told) == 2
        assert "orders" in other

    asyncio.run(scene())


@pytest.mark.parametrize("first", [flipped, newer])
def test_of_several_that_cannot_be_read_the_first_is_told(first: Spoil) -> None:
    async def scene() -> None:
        blobs = MemoryBlobs()
        names = [await over(blobs).keep([one]) for one in KEPT.values()]
        await blobs.put(names[0], first(await blobs.get(names[0]) or b""))
        for spoilt, name in ((newer, names[1]), (flipped, names[2])):
            await blobs.put(name, spoilt(await blobs.get(name) or b""))
        with pytest.raises((Damaged, NotReadable), match=names[0]):
            await tell(over(blobs), [])

    asyncio.run(scene())


@pytest.mark.parametrize("folder", ["segments", "ids"])
def test_a_damaged_object_that_would_be_merged_does_not_stop_what_is_sorted(folder: str) -> None:
    async def scene() -> None:
        blobs = MemoryBlobs()
        await over(blobs, fan_in=9).compact([await over(blobs).keep([evidence(1)])])
        (bad,) = await blobs.names(f"{folder}/")
        whole = await blobs.get(bad) or b""
        await blobs.put(bad, flipped(whole))
        archive, later = over(blobs, fan_in=2), evidence(2)
        await archive.compact([await archive.keep([later])])
        assert await archive.batches() == []
        await blobs.put(bad, whole)
        assert len(await over(blobs).named([later.evidence_id, evidence(1).evidence_id])) == 2

    asyncio.run(scene())


def test_what_others_left_there_is_not_read(tmp_path: Path) -> None:
    async def scene() -> None:
        blobs = DirectoryBlobs(tmp_path)
        archive = over(blobs)
        await archive.keep(list(KEPT.values()))
        for folder in ("batches", "segments", "segments/sales=orders=v1", "ids", "other"):
            await blobs.put(f"{folder}/README", b"?")
            await blobs.put(f"{folder}/0-0-0-0", b"?")
            (tmp_path / folder / ".draft-1").write_bytes(b"half")
        await blobs.put("segments/sales=orders=v1/soon/00000000000000000000000001-p1-9-1-1", b"?")
        await blobs.put("ids/soon/00000000000000000000000001-p1-9-1-1", b"?")
        await archive.compact(await archive.batches())
        for by in ("id", "dataset", "replay"):
            assert await all_of(over(blobs), by=by) == KEPT
        await archive.forget(START + timedelta(days=1), sparing=KEPT)
        assert await all_of(over(blobs), by="replay") == KEPT
        assert (await archive.stock()).items == len(KEPT)

    asyncio.run(scene())


def test_a_newer_format_is_not_guessed_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.evidence_archive.object_format.FORMAT", 2)
    newer = Scene.prepared(is_sorted=False)
    monkeypatch.undo()
    with pytest.raises(NotReadable, match="it has the format 2"):
        asyncio.run(all_of(over(MemoryBlobs(dict(newer.objects))), by="id"))

"""What every blob store promises."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.blobs.store import MOST_CHARACTERS, BlobStore
from tests.adapters.blobs.stores import STORES
from tests.support.scale import scaled

NAMES = ["a", "a.b", "a/b", "a/b/c", "a=1/b", "ab", "b", "a.blob-1"]


def test_what_was_put_is_found(blobs: BlobStore) -> None:
    async def scene() -> None:
        data = bytes(range(256)) * 5_000
        await blobs.put("log/1", data)
        await blobs.put("log/2", b"")
        assert await blobs.get("log/1") == data
        assert await blobs.get("log/2") == b""
        assert await blobs.get("log/3") is None

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("start", "length"), [(0, 1), (0, 9), (3, 4), (8, 1), (8, 5), (9, 1), (50, 10), (0, 1_000)]
)
def test_a_part_is_found(blobs: BlobStore, start: int, length: int) -> None:
    async def scene() -> None:
        await blobs.put("log/1", b"some data")
        await blobs.put("log/2", b"")
        assert await blobs.part("log/1", start, length) == b"some data"[start : start + length]
        assert await blobs.part("log/2", start, length) == b""
        assert await blobs.part("log/3", start, length) is None

    asyncio.run(scene())


def test_the_newer_replaces_the_older(blobs: BlobStore) -> None:
    async def scene() -> None:
        await blobs.put("a", b"a longer one")
        await blobs.put("a", b"short")
        assert await blobs.get("a") == b"short"

    asyncio.run(scene())


def test_deleting_forgets(blobs: BlobStore) -> None:
    async def scene() -> None:
        await blobs.put("a/b", b"1")
        await blobs.delete("a/b")
        await blobs.delete("a/b")
        await blobs.delete("never/was")
        assert await blobs.get("a/b") is None
        assert await blobs.names() == []

    asyncio.run(scene())


def test_names_of_what_is_old(blobs: BlobStore) -> None:
    async def scene() -> None:
        await blobs.put("a/b", b"1")
        now, hour = datetime.now(UTC), timedelta(hours=1)
        assert list(await blobs.names("a/", before=now - hour)) == []
        assert list(await blobs.names("a/", before=now + hour)) == ["a/b"]
        assert list(await blobs.names("b/", before=now + hour)) == []

    asyncio.run(scene())


def test_names_come_in_order(blobs: BlobStore) -> None:
    async def scene() -> None:
        for name in reversed(NAMES):
            await blobs.put(name, name.encode())
        assert list(await blobs.names()) == sorted(NAMES)
        assert list(await blobs.names("a/b")) == ["a/b", "a/b/c"]
        assert list(await blobs.names("a/")) == ["a/b", "a/b/c"]
        assert list(await blobs.names("nothing")) == []
        for name in NAMES:
            assert await blobs.get(name) == name.encode()

    asyncio.run(scene())


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/",
        "/a",
        "a/",
        "a//b",
        ".",
        "..",
        "a/../b",
        ".hidden",
        "a/.b",
        "a b",
        "ä",
        "a\n",
        "a\\b",
        "a.blob",
        "a.blob/b",
        "x" * 201,
        "x/" * MOST_CHARACTERS + "x",
    ],
)
def test_what_cannot_be_a_name_is_refused(blobs: BlobStore, name: str) -> None:
    for work in (blobs.put(name, b""), blobs.get(name), blobs.delete(name)):
        with pytest.raises(ValueError, match="name of a blob"):
            asyncio.run(work)


def test_writers_of_the_same_name_do_not_mix(blobs: BlobStore) -> None:
    async def scene() -> None:
        candidates = [bytes([n]) * 100_000 for n in range(8)]
        await asyncio.gather(*(blobs.put("same", data) for data in candidates))
        assert await blobs.get("same") in candidates

    asyncio.run(scene())


@pytest.mark.parametrize("kind", STORES)
@settings(max_examples=scaled(15, 300), deadline=None)
@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from(["put", "delete", "get", "names"]),
            st.sampled_from(NAMES),
            st.binary(max_size=64),
        ),
        max_size=15,
    )
)
def test_any_history_ends_as_in_a_dictionary(
    kind: str, steps: list[tuple[str, str, bytes]]
) -> None:
    async def scene(blobs: BlobStore) -> None:
        model: dict[str, bytes] = {}
        for step, name, data in steps:
            match step:
                case "put":
                    await blobs.put(name, data)
                    model[name] = data
                case "delete":
                    await blobs.delete(name)
                    model.pop(name, None)
                case "get":
                    assert await blobs.get(name) == model.get(name)
                case _:
                    within = sorted(one for one in model if one.startswith(name))
                    assert list(await blobs.names(name)) == within

    with TemporaryDirectory() as folder:
        asyncio.run(scene(STORES[kind](Path(folder))))

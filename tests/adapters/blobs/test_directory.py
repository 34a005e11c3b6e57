"""Blobs as files: durable, whole, and noticed when damaged."""

import asyncio
import errno
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from adapters.blobs.directory import DirectoryBlobs
from application.errors import Damaged, Unavailable


@pytest.fixture
def blobs(tmp_path: Path) -> DirectoryBlobs:
    return DirectoryBlobs(tmp_path / "new" / "blobs")


def test_a_blob_is_found_by_another_process_with_the_directory(blobs: DirectoryBlobs) -> None:
    asyncio.run(blobs.put("a/b", b"data"))
    again = DirectoryBlobs(blobs.root)
    assert asyncio.run(again.get("a/b")) == b"data"
    assert asyncio.run(again.names()) == ["a/b"]


def test_a_directory_that_is_checked_is_there_and_empty(blobs: DirectoryBlobs) -> None:
    asyncio.run(blobs.check())
    assert [*blobs.root.iterdir()] == []


@pytest.mark.parametrize("place", ["/proc/nope", "/proc"])
def test_a_directory_that_cannot_be_written_is_told(place: str) -> None:
    with pytest.raises(Unavailable, match=Path(place).name):
        asyncio.run(DirectoryBlobs(Path(place)).check())


DAMAGED: dict[str, Callable[[bytes], bytes]] = {
    "shorter": lambda stored: stored[:-1],
    "longer": lambda stored: stored + b"x",
    "empty": lambda stored: b"",
    "other": bytes.swapcase,
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_blob_is_named_and_not_returned(blobs: DirectoryBlobs, damage: str) -> None:
    asyncio.run(blobs.put("a/b", b"some data"))
    path = blobs.root / "a" / "b.blob"
    path.write_bytes(DAMAGED[damage](path.read_bytes()))
    with pytest.raises(Damaged, match=r"b\.blob is damaged"):
        asyncio.run(blobs.get("a/b"))


def test_a_draft_that_a_crash_left_is_no_blob(blobs: DirectoryBlobs) -> None:
    asyncio.run(blobs.put("a", b"1"))
    (blobs.root / ".draft-1").write_bytes(b"half")
    assert asyncio.run(blobs.names()) == ["a"]


def test_a_directory_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    blobs = DirectoryBlobs(tmp_path / "file")
    with pytest.raises(Unavailable, match=r"the blob directory .*file"):
        asyncio.run(blobs.put("a", b""))


def test_a_failed_write_leaves_the_older_blob_and_no_draft(blobs: DirectoryBlobs) -> None:
    asyncio.run(blobs.put("a", b"older"))
    (blobs.root / "b.blob").mkdir()
    with pytest.raises(Unavailable):
        asyncio.run(blobs.put("b", b"newer"))
    assert asyncio.run(blobs.get("a")) == b"older"
    assert not list(blobs.root.glob(".draft*"))


def test_nothing_is_made_before_the_first_blob(blobs: DirectoryBlobs) -> None:
    assert asyncio.run(blobs.names()) == []
    assert asyncio.run(blobs.get("a")) is None
    asyncio.run(blobs.delete("a"))
    assert not blobs.root.exists()


def test_errors_do_not_tell_where_on_the_server_the_directory_lies(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("a file")
    with pytest.raises(Unavailable) as away:
        asyncio.run(DirectoryBlobs(tmp_path / "blobs").put("log/1", b"x"))
    root = tmp_path / "others"
    asyncio.run(DirectoryBlobs(root).put("log/1", b"x"))
    (root / "log" / "1.blob").write_bytes(bytes(40))
    with pytest.raises(Damaged) as damaged:
        asyncio.run(DirectoryBlobs(root).get("log/1"))
    assert str(tmp_path) in str(away.value.__cause__)
    for told in (str(away.value), str(damaged.value)):
        assert str(tmp_path) not in told


ASKS: dict[str, Callable[[DirectoryBlobs], Coroutine[Any, Any, object]]] = {
    "names": lambda blobs: blobs.names(),
    "some names": lambda blobs: blobs.names("a/"),
    "get": lambda blobs: blobs.get("a/b"),
    "part": lambda blobs: blobs.part("a/b", 0, 1),
    "put": lambda blobs: blobs.put("a/c", b"more"),
}


@pytest.mark.parametrize("instead", ["nothing", "another", "a file", "a link to nothing", "a loop"])
@pytest.mark.parametrize("ask", ASKS)
def test_a_directory_that_is_gone_is_not_taken_for_an_empty_one(
    blobs: DirectoryBlobs, ask: str, instead: str
) -> None:
    """As when a volume is not mounted any more. Nothing is put beside it either."""
    asyncio.run(blobs.put("a/b", b"data"))
    away = blobs.root.rename(blobs.root.with_name("away"))
    if instead == "another":
        blobs.root.mkdir()
    elif instead == "a file":
        blobs.root.write_bytes(b"")
    elif instead != "nothing":
        blobs.root.symlink_to("nowhere" if instead == "a link to nothing" else blobs.root.name)
    with pytest.raises(Unavailable, match="blob directory blobs"):
        asyncio.run(ASKS[ask](blobs))
    if instead == "another":
        blobs.root.rmdir()
    elif instead != "nothing":
        blobs.root.unlink()
    away.rename(blobs.root)
    assert asyncio.run(blobs.get("a/b")) == b"data"


@pytest.mark.parametrize("ask", ASKS)
def test_a_directory_that_goes_meanwhile_is_noticed(blobs: DirectoryBlobs, ask: str) -> None:
    """What was put beside it is not acknowledged."""
    asyncio.run(blobs.put("a/b", b"data"))
    look = blobs.__class__._look

    class Going(DirectoryBlobs):
        looks: int = 0

        def _look(self) -> None:
            look(self)
            self.looks += 1
            if self.looks == 2:
                self.root.rename(self.root.with_name("away"))

    going = Going(blobs.root)
    look(going)
    going.looks = 1
    with pytest.raises(Unavailable, match="blob directory blobs"):
        asyncio.run(ASKS[ask](going))


def test_what_may_not_be_looked_into_is_not_taken_for_empty(
    blobs: DirectoryBlobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever runs the tests may look into everything: the system is told to refuse."""
    asyncio.run(blobs.put("a/b", b"data"))
    scandir = os.scandir

    def refusing(path: Any) -> Any:
        if Path(path).name == "a":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    with pytest.raises(Unavailable, match="Permission denied"):
        asyncio.run(blobs.names())

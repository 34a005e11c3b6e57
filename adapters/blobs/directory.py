"""
Blobs as files of a directory: `log/000123/4f1c` is the file `log/000123/4f1c.blob`.

A file starts with the SHA-256 of what follows, so that damage is noticed when it is read. It is
written beside its place, synced and moved there: nobody ever sees half a blob.

A directory that cannot be looked into is not taken for one with nothing in it: neither if it, or
one below it, may not be read, nor if it is gone, as when a volume is not mounted any more.
"""

import asyncio
import errno
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from attrs import define, field

from adapters.blobs.store import FILE_ENDING, checked
from application.errors import Damaged, Unavailable

T = TypeVar("T")

_DIGEST_BYTES = 32


@define
class DirectoryBlobs:
    """Several processes may share the directory."""

    root: Path
    _seen: tuple[int, int] | None = field(default=None, init=False, eq=False)
    """By which numbers the system knows the directory, since it was there first."""

    async def check(self) -> None:
        """Make the directory. Raises Unavailable if it cannot be made or written."""
        await self._done(lambda: _try(self.root))

    async def put(self, name: str, data: bytes) -> None:
        path = self._path(name)
        await self._done(lambda: _write(path, sha256(data).digest() + data))

    async def get(self, name: str) -> bytes | None:
        path = self._path(name)
        stored = await self._done(lambda: _read(path))
        return None if stored is None else _intact(name, stored)

    async def part(self, name: str, start: int, length: int) -> bytes | None:
        path = self._path(name)
        return await self._done(lambda: _part(path, _DIGEST_BYTES + start, length))

    async def delete(self, name: str) -> None:
        path = self._path(name)
        await self._done(lambda: _remove(path))

    async def names(self, prefix: str = "", *, before: datetime | None = None) -> Sequence[str]:
        return await self._done(lambda: sorted(self._names(prefix, before)))

    def _path(self, name: str) -> Path:
        return self.root / f"{checked(name)}{FILE_ENDING}"

    def _names(self, prefix: str, before: datetime | None) -> Iterator[str]:
        folder = self.root / prefix.rpartition("/")[0]
        for path in _files(folder):
            name = path.relative_to(self.root).as_posix().removesuffix(FILE_ENDING)
            if name.startswith(prefix) and _is_from(path, before):
                yield name

    async def _done(self, work: Callable[[], T]) -> T:
        def in_place() -> T:
            self._look()
            result = work()
            self._look()  # It may have gone meanwhile.
            return result

        try:
            return await asyncio.to_thread(in_place)
        except OSError as error:
            # Callers are told this: where the directory lies is for the log alone.
            reason = error.strerror or type(error).__name__
            raise Unavailable(f"the blob directory {self.root.name}", reason) from error

    def _look(self) -> None:
        """Raises OSError if the directory was there, and is not there any more."""
        try:
            found = self.root.stat()
        except FileNotFoundError:
            if self._seen is None:
                return  # It is made with the first blob.
            raise
        place = (found.st_dev, found.st_ino)
        if self._seen not in (None, place):
            raise OSError(errno.ESTALE, "another directory lies there than before")
        self._seen = place


def _files(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder, onerror=_unless_gone):
        yield from (Path(place, name) for name in names if name.endswith(FILE_ENDING))


def _unless_gone(error: OSError) -> None:
    """There may be nothing yet, or nothing any more."""
    if not isinstance(error, FileNotFoundError):
        raise error


def _is_from(path: Path, before: datetime | None) -> bool:
    try:
        return before is None or path.stat().st_mtime < before.timestamp()
    except FileNotFoundError:
        return False  # Deleted meanwhile.


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None  # Also if it was deleted a moment ago.


def _intact(name: str, stored: bytes) -> bytes:
    digest, data = stored[:_DIGEST_BYTES], stored[_DIGEST_BYTES:]
    if sha256(data).digest() != digest:
        raise Damaged(f"the blob {name}{FILE_ENDING}", "restore it from a copy")
    return data


def _part(path: Path, start: int, length: int) -> bytes | None:
    try:
        with path.open("rb") as file:
            file.seek(start)
            return file.read(length)
    except FileNotFoundError:
        return None


def _write(path: Path, stored: bytes) -> None:
    _make(path.parent)
    # Without the ending, a draft that a crash left behind is no blob.
    handle, draft = tempfile.mkstemp(prefix=".draft-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(stored)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(path)
    except OSError:
        Path(draft).unlink(missing_ok=True)
        raise
    _sync(path.parent)


def _try(folder: Path) -> None:
    _make(folder)
    with tempfile.TemporaryFile(prefix=".draft-", dir=folder):
        pass


def _make(folder: Path) -> None:
    """A new folder is durable when the one that holds it is synced."""
    if not folder.exists():
        _make(folder.parent)
        folder.mkdir(exist_ok=True)
        _sync(folder.parent)


def _remove(path: Path) -> None:
    if path.exists():
        path.unlink(missing_ok=True)
        _sync(path.parent)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

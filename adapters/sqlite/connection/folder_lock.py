"""One process owns a data folder; the others are told who it is."""

import fcntl
import os
from pathlib import Path
from threading import Lock
from typing import ClassVar

from attrs import define


@define
class FolderInUse(Exception):
    """Another process owns the folder."""

    folder: Path
    pid: int | None

    def __str__(self) -> str:
        owner = "another process" if self.pid is None else f"process {self.pid}"
        return f"{self.folder} is in use by {owner}: stop it first, or choose another folder"


class FolderLock:
    """This process's claim on a folder, shared by all who take it here.

    The kernel holds the lock (flock on `<folder>/.lock`) and drops it with the process, so a
    killed owner leaves nothing behind. The file only names the owner.
    """

    _mine: ClassVar[dict[Path, "FolderLock"]] = {}
    _guard: ClassVar[Lock] = Lock()

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._users = 0
        self._descriptor = locked(folder)

    @classmethod
    def take(cls, folder: Path) -> "FolderLock":
        """Own the folder, creating it when it is missing.

        Raises:
            FolderInUse: Another process owns it.
        """
        folder = folder.resolve()
        with cls._guard:
            lock = cls._mine.get(folder) or cls(folder)
            cls._mine[folder] = lock
            lock._users += 1
            return lock

    def release(self) -> None:
        """Give back one claim; the last one frees the folder."""
        with self._guard:
            self._users -= 1
            if self._users == 0:
                del self._mine[self._folder]
                os.close(self._descriptor)


def locked(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = _owner(descriptor)
        os.close(descriptor)
        raise FolderInUse(folder, owner) from None
    _sign(descriptor)
    return descriptor


def _owner(descriptor: int) -> int | None:
    written = os.pread(descriptor, 32, 0).strip()
    return int(written) if written.isdigit() else None


def _sign(descriptor: int) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)

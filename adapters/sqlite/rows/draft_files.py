"""Drafts of read models in files of their own, each in a folder that one process uses."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from adapters.row_layouts.engine import TableEngine
from adapters.sqlite.connection.database import Database
from adapters.sqlite.connection.folder_lock import FolderInUse, FolderLock
from adapters.sqlite.rows.engine import SqliteEngine
from application.errors import Unavailable

FILE = "draft.db"


@frozen
class DraftFiles:
    folder: Path

    @contextmanager
    def open(self, purpose: str, *, empty: bool = False) -> Iterator[TableEngine]:
        """Raises Unavailable if another process is at the same work."""
        place = self.folder / purpose
        try:
            lock = FolderLock.take(place)
        except (FolderInUse, OSError) as error:
            raise Unavailable(f"the draft of the {purpose}", str(error)) from error
        try:
            if empty:
                _clear(place)
            with Database.open(place / FILE) as database:
                yield SqliteEngine(database)
        finally:
            lock.release()

    def discard(self, purpose: str) -> None:
        shutil.rmtree(self.folder / purpose, ignore_errors=True)


def _clear(place: Path) -> None:
    for file in place.glob(f"{FILE}*"):
        file.unlink()

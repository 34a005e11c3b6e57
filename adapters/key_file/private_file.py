"""Files that only their owner may read: keys and tokens."""

import os
import stat
from pathlib import Path

from attrs import define


@define
class NotPrivate(Exception):
    path: Path
    mode: int

    def __str__(self) -> str:
        return f"{self.path} can be read by others (mode {self.mode:o}); run: chmod 600 {self.path}"


def read_private(path: Path) -> str:
    """The file's text.

    Raises:
        NotPrivate: Others may read or write it.
    """
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise NotPrivate(path, mode)
    return path.read_text()


def write_private(path: Path, text: str) -> None:
    """Replace the file with the text, durably and never half."""
    draft = path.with_name(f".{path.name}.draft")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

"""
Blobs: payloads too large for the log or a table, kept under names.

A name is made of segments with slashes between them, as in `log/000123/4f1c`. A segment starts with
a letter or a digit and may hold `. _ = -` as well. The same names work on every store.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

MOST_CHARACTERS = 512
FILE_ENDING = ".blob"

_SEGMENT = r"[A-Za-z0-9][A-Za-z0-9._=-]{0,199}"
_NAME = re.compile(rf"{_SEGMENT}(/{_SEGMENT})*")
_ENDS_AS_FILE = re.compile(rf"{re.escape(FILE_ENDING)}(/|$)")


class BlobStore(Protocol):
    """A name that is none is refused with a ValueError.

    Raises (all methods):
        Unavailable: The store does not answer.
        Damaged: What it holds is not what was put.
    """

    async def put(self, name: str, data: bytes) -> None:
        """Keep the bytes under the name, durably and whole; what was there is replaced."""
        ...

    async def get(self, name: str) -> bytes | None:
        """Return the bytes exactly as they were put, nothing if there are none."""
        ...

    async def part(self, name: str, start: int, length: int) -> bytes | None:
        """Return some of the bytes: fewer where there are no more, nothing if there is no blob.

        Nobody looks whether a part is damaged: whoever wants to read parts puts checksums there.
        """
        ...

    async def delete(self, name: str) -> None:
        """Forget the name. One that is not there is fine."""
        ...

    async def names(self, prefix: str = "", *, before: datetime | None = None) -> Sequence[str]:
        """Return the names that start with the prefix, in order; only what was put before then."""
        ...


def checked(name: str) -> str:
    """The name, if it is one.

    Raises:
        ValueError: It is not.
    """
    fits = len(name) <= MOST_CHARACTERS and _NAME.fullmatch(name)
    if not fits or _ENDS_AS_FILE.search(name):
        raise ValueError(f"{name!r} cannot be the name of a blob")
    return name

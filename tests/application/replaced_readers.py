"""Readers some of whose parts a test replaces, such as by one that counts or fails."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from attrs import evolve, frozen

from application.reads.consistency import Reads
from application.reads.reader import CurrentReader
from tests.application.store import ADMIN


async def current(reads: Reads) -> CurrentReader:
    """What can be read now, whatever was written a moment ago."""
    return await reads.open_now(by=ADMIN, projections=())


def replaced(reads: Reads, **parts: Any) -> Reads:
    """Reads whose readers of the present have these parts."""
    return around(reads, {name: partial(_instead, part) for name, part in parts.items()})


def _instead(part: Any, _: Any) -> Any:
    return part


def around(reads: Reads, parts: Mapping[str, Callable[[Any], Any]]) -> Reads:
    """Reads whose readers of the present have parts that are made from the usual ones."""
    readers: Any = ReplacingReaders(reads.readers, parts)
    return evolve(reads, readers=readers)


@frozen
class ReplacingReaders:
    readers: Any
    parts: Mapping[str, Callable[[Any], Any]]

    def open(self, *asked: Any) -> "ReplacedReader":
        return ReplacedReader(self.readers.open(*asked), self.parts)


@frozen
class ReplacedReader:
    reader: Any
    parts: Mapping[str, Callable[[Any], Any]]

    def __getattr__(self, name: str) -> Any:
        usual = getattr(self.reader, name)
        return self.parts[name](usual) if name in self.parts else usual

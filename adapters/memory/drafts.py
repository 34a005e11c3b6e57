"""Drafts of read models in memory."""

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import field, frozen

from adapters.memory.engine import MemoryEngine
from adapters.row_layouts.engine import TableEngine


@frozen
class MemoryDrafts:
    _kept: dict[str, MemoryEngine] = field(factory=dict)

    @contextmanager
    def open(self, purpose: str, *, empty: bool = False) -> Iterator[TableEngine]:
        if empty or purpose not in self._kept:
            self._kept[purpose] = MemoryEngine()
        yield self._kept[purpose]

    def discard(self, purpose: str) -> None:
        self._kept.pop(purpose, None)

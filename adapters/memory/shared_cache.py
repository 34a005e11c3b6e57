"""The shared cache in memory, for tests."""

from collections.abc import Collection, Mapping
from datetime import timedelta

from attrs import define, field, frozen

from adapters.cache.entry import Copy, Entry
from application.ports.clock import Clock


@frozen
class _Held:
    entry: Entry | None = None
    dropped: int = 0

    @property
    def position(self) -> int:
        return max(self.dropped, self.entry.position if self.entry else 0)


@define
class MemorySharedCache:
    clock: Clock
    fresh_for: timedelta = timedelta(minutes=5)
    _held: dict[str, _Held] = field(factory=dict, init=False)
    _told: dict[str, int] = field(factory=dict, init=False)

    async def get(self, names: Collection[str]) -> Mapping[str, Copy]:
        found = ((name, self._held.get(name, _Held())) for name in names)
        return {name: self._copy(held.entry, held) for name, held in found if held.entry}

    async def put(self, entries: Mapping[str, Entry]) -> None:
        for name, entry in entries.items():
            held = self._held.get(name, _Held())
            if entry.position >= held.position:
                self._held[name] = _Held(entry, held.dropped)

    async def drop(self, names: Mapping[str, int]) -> None:
        for name, position in names.items():
            held = self._held.get(name, _Held())
            self._held[name] = _Held(held.entry, max(held.dropped, position))

    async def told(self, of: str) -> int | None:
        return self._told.get(of)

    async def tell(self, of: str, upto: int, *, after: int | None) -> bool:
        is_so = self._told.get(of) == after
        if is_so:
            self._told[of] = upto
        return is_so

    async def check(self) -> None:
        pass

    async def clear(self) -> int:
        count = await self.size()
        self._held.clear()
        self._told.clear()
        return count

    async def size(self) -> int:
        return len(self._held)

    async def close(self) -> None:
        pass

    def _copy(self, entry: Entry, held: _Held) -> Copy:
        young = self.clock.now() - entry.read_at < self.fresh_for
        return Copy(entry, young and entry.position >= held.dropped)

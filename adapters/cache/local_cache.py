"""The first layer: what this process read within the last moment (S0-221)."""

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from attrs import define, field, frozen

from adapters.cache.entry import Copy, Entry

MOST_REMEMBERED = 10_000


@frozen
class _Held:
    entry: Entry
    until: float


@define
class LocalCache:
    """Keeps so many entries for so many seconds; later they are only copies for hard times.

    What was read before a change is never put after it: a name remembers at which position it was
    dropped. So many names do; of all others it counts what was the last to be forgotten.
    """

    seconds: float = 0.1
    most: int = 10_000
    now: Callable[[], float] = monotonic
    _held: OrderedDict[str, _Held] = field(factory=OrderedDict, init=False)
    _dropped: OrderedDict[str, int] = field(factory=OrderedDict, init=False)
    _forgotten: int = field(default=0, init=False)

    def get(self, name: str, *, least: int = 0) -> Entry | None:
        """What is fresh and shows all facts up to `least`."""
        held = self._held.get(name)
        if held is None or held.entry.reached.position < least or held.until <= self.now():
            return None
        self._held.move_to_end(name)
        return held.entry

    def copy(self, name: str) -> Copy | None:
        """What is there, however old it is."""
        held = self._held.get(name)
        return None if held is None else Copy(held.entry, held.until > self.now())

    def put(self, name: str, entry: Entry) -> bool:
        """Tells whether it was kept: not if the name was dropped, or put, at a later position."""
        held = self._held.get(name)
        known = max(self._dropped_at(name), held.entry.position if held else 0)
        if entry.position < known:
            return False
        self._held[name] = _Held(entry, self.now() + self.seconds)
        self._held.move_to_end(name)
        while len(self._held) > self.most:
            self._held.popitem(last=False)
        return True

    def drop(self, name: str, position: int) -> None:
        """What was read before the position is no longer fresh."""
        self._dropped[name] = max(position, self._dropped_at(name))
        self._dropped.move_to_end(name)
        while len(self._dropped) > MOST_REMEMBERED:
            _, forgotten = self._dropped.popitem(last=False)
            self._forgotten = max(self._forgotten, forgotten)
        held = self._held.get(name)
        if held is not None and held.entry.position < position:
            self._held[name] = _Held(held.entry, float("-inf"))

    def clear(self) -> int:
        """Forget all entries; tells how many there were. What was dropped stays dropped."""
        count = len(self._held)
        self._held.clear()
        return count

    def __len__(self) -> int:
        return len(self._held)

    def _dropped_at(self, name: str) -> int:
        return self._dropped.get(name, self._forgotten)

"""The second layer, which processes share."""

from collections.abc import Collection, Mapping
from typing import Protocol

from adapters.cache.entry import Copy, Entry


class SharedCache(Protocol):
    """Every call raises Unavailable if the cache does not answer."""

    async def get(self, names: Collection[str]) -> Mapping[str, Copy]:
        """What is there, stale copies included. What cannot be read is not there."""
        ...

    async def put(self, entries: Mapping[str, Entry]) -> None:
        """Keep them, but none whose name was dropped, or put, at a later position."""
        ...

    async def drop(self, names: Mapping[str, int]) -> None:
        """What was read before the positions is no longer fresh, also what is put from now on."""
        ...

    async def told(self, of: str) -> int | None:
        """Up to where it was told what has changed, as it remembers; nothing if it does not.

        It remembers that after what it was told: should it lose both, it knows of neither.
        """
        ...

    async def tell(self, of: str, upto: int, *, after: int | None) -> bool:
        """Let it remember that; False, and it does not, if it remembers other than `after`."""
        ...

    async def check(self) -> None:
        """Return if changes are taken; nothing is changed by that."""
        ...

    async def clear(self) -> int:
        """Forget everything; tells how much there was."""
        ...

    async def size(self) -> int:
        """How much there is. That may take long: it raises rather than take too long."""
        ...

    async def close(self) -> None: ...

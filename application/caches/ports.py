"""The caches before the read models, as people who look after the store see them."""

from collections.abc import Sequence
from typing import Protocol

from attrs import frozen


@frozen
class Tally:
    """How often a layer had what was asked of it, of one table, since the process started."""

    layer: str
    """`l1` in this process, `l2` shared, `store` the table, `stale` copies in hard times."""
    table: str
    asked: int
    hits: int
    p50_seconds: float | None
    p99_seconds: float | None

    @property
    def hit_rate(self) -> float | None:
        return self.hits / self.asked if self.asked else None


@frozen
class SharedStatus:
    entries: int | None
    """Nothing if it does not answer."""
    trouble: str | None


@frozen
class CacheStatus:
    local_entries: int
    local_capacity: int
    """How many there may be; 0 where the process keeps none."""
    shared: SharedStatus | None
    """Nothing if there is none."""
    tallies: Sequence[Tally]


@frozen
class Cleared:
    local: int
    shared: int | None
    """Nothing if there is none, or if it does not answer."""
    trouble: str | None = None
    """Why the shared cache was not cleared, if so: to be cleared again when it answers."""


class Caches(Protocol):
    @property
    def trouble(self) -> str | None:
        """Why the shared cache is not used now, if so."""
        ...

    async def status(self) -> CacheStatus: ...

    async def clear(self) -> Cleared:
        """Forget everything. It is read again when it is asked for."""
        ...

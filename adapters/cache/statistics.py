"""How often each layer had what was asked for, and how long it took (S0-224)."""

from collections import defaultdict, deque
from typing import Literal

from attrs import define, field

from application.caches.ports import Tally

Layer = Literal["l1", "l2", "store", "stale"]
LAYERS: tuple[Layer, ...] = ("l1", "l2", "store", "stale")

RECENT = 1_000
"""Times from which latencies are told."""


@define
class _Counted:
    """Of one layer, and one table."""

    asked: int = 0
    hits: int = 0
    times: deque[float] = field(factory=lambda: deque(maxlen=RECENT))


@define
class Counts:
    _counted: dict[tuple[Layer, str], _Counted] = field(factory=lambda: defaultdict(_Counted))

    def count(
        self, layer: Layer, table: str, *, asked: int, hits: int, took: float | None = None
    ) -> None:
        """`took` if all of it was found there: what else was asked meanwhile is no time of it."""
        counted = self._counted[layer, table]
        counted.asked += asked
        counted.hits += hits
        if took is not None:
            counted.times.append(took)

    def took(self, layer: Layer, table: str, seconds: float) -> None:
        self._counted[layer, table].times.append(seconds)

    def tallies(self) -> list[Tally]:
        """By table, the nearest layer first."""
        tables = sorted({table for _, table in self._counted})
        found = ((layer, table) for table in tables for layer in LAYERS)
        return [self._tally(*one) for one in found if one in self._counted]

    def _tally(self, layer: Layer, table: str) -> Tally:
        counted = self._counted[layer, table]
        times = sorted(counted.times)
        return Tally(
            layer, table, counted.asked, counted.hits, _share(times, 0.5), _share(times, 0.99)
        )


def _share(times: list[float], share: float) -> float | None:
    return times[min(int(len(times) * share), len(times) - 1)] if times else None

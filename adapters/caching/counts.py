"""How often each layer had what was asked for, and how long it took (S0-224)."""

from collections import defaultdict, deque
from typing import Literal

from attrs import define, field

from application.ports.caches import Tally

Layer = Literal["l1", "l2", "store", "stale"]
LAYERS: tuple[Layer, ...] = ("l1", "l2", "store", "stale")

RECENT = 1_000
"""Times from which latencies are told."""


@define
class Counts:
    _asked: dict[tuple[Layer, str], int] = field(factory=lambda: defaultdict(int))
    _hits: dict[tuple[Layer, str], int] = field(factory=lambda: defaultdict(int))
    _times: dict[tuple[Layer, str], deque[float]] = field(
        factory=lambda: defaultdict(lambda: deque(maxlen=RECENT))
    )

    def count(self, layer: Layer, table: str, *, asked: int, hits: int) -> None:
        self._asked[layer, table] += asked
        self._hits[layer, table] += hits

    def took(self, layer: Layer, table: str, seconds: float) -> None:
        self._times[layer, table].append(seconds)

    def tallies(self) -> list[Tally]:
        """By table, the nearest layer first."""
        tables = sorted({table for _, table in self._asked})
        return [
            self._tally(layer, table)
            for table in tables
            for layer in LAYERS
            if (layer, table) in self._asked
        ]

    def _tally(self, layer: Layer, table: str) -> Tally:
        times = sorted(self._times.get((layer, table), ()))
        return Tally(
            layer,
            table,
            self._asked[layer, table],
            self._hits[layer, table],
            _share(times, 0.5),
            _share(times, 0.99),
        )


def _share(times: list[float], share: float) -> float | None:
    return times[min(int(len(times) * share), len(times) - 1)] if times else None

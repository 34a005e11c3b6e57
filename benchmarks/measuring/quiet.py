"""
When nothing was stolen: the machine we run on had its cores to itself.

What others do on the same machine is not known here; the bench is for one that does nothing else.
"""

import asyncio
from collections.abc import Iterable, Sequence
from time import perf_counter

from attrs import define, field

from benchmarks.measuring.machine import Cores

SPAN = 0.5
"""Seconds. Ticks are of 10 ms: shorter ones would be quiet or not by chance."""
QUIET = 0.02
"""The share of the cores that the host may give to other machines in a quiet span."""


@define
class QuietSpans:
    spans: list[tuple[float, float]] = field(factory=list)

    async def watch(self) -> None:
        """Look until it is cancelled."""
        since, before = perf_counter(), Cores.now()
        while True:
            await asyncio.sleep(SPAN)
            at, now = perf_counter(), Cores.now()
            # Where the system does not say, no span is known to be quiet.
            if now.all_in_all and now.stolen_since(before) <= QUIET:
                self.spans.append((since, at))
            since, before = at, now

    def among(self, calls: Iterable[tuple[float, float]]) -> Sequence[float]:
        """How long those took that began in quiet spans, however they ended."""
        return [
            took
            for began, took in calls
            if any(since <= began < until for since, until in self.spans)
        ]

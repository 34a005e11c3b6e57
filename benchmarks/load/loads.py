"""
What a client asks of a server, and what came of it.

Requests are prepared bytes and go through a raw channel: making messages and reading answers whole
would cost the client more than the calls do, and it must not be what limits. How busy it was is
told with every figure. A load with a rate is paced: each request has its moment, and its latency
runs from that moment on, so that a server which falls behind cannot look quick.
"""

from collections.abc import Sequence
from enum import StrEnum

from attrs import frozen

from benchmarks.measuring.figures import Measure, higher, lower, percentile


class Way(StrEnum):
    UNARY = "unary"
    STREAM = "stream"
    HTTP = "http"


@frozen
class Load:
    what: str
    where: str
    """A gRPC method, or for HTTP nothing: the requests are whole ones."""
    requests: Sequence[bytes]
    seconds: float
    rate: float | None = None
    """Requests in a second; if none is said, as many as the callers can make."""
    callers: int = 64
    each: int = 1
    """How many updates or names a request has."""
    way: Way = Way.UNARY
    again: bool = True
    """Whether requests may be made again once all were: reads may, updates mean nothing then."""
    empty: bool = False
    """Whether it goes to the server of empty calls."""


@frozen
class Taken:
    """What came of a load."""

    what: str
    each: int
    latencies: Sequence[float]
    refused: int
    """Answers that were not what was asked for."""
    seconds: float
    busy: float
    """The share of a core that the client took meanwhile, with all its loads."""
    undisturbed: Sequence[float]
    """The latencies of calls that began while others left us the cores."""

    @property
    def rate(self) -> float:
        return len(self.latencies) * self.each / self.seconds

    def ms(self, share: float) -> float:
        return percentile(self.latencies, share) * 1_000

    @property
    def latency(self) -> str:
        return f"P50 {self.ms(0.5):.1f}, P99 {self.ms(0.99):.1f} ms"

    @property
    def measures(self) -> Sequence[Measure]:
        return (higher(self.rate, "/s"), *self.latency_measures)

    @property
    def latency_measures(self) -> Sequence[Measure]:
        return (lower(self.ms(0.5), "ms", "p50"), lower(self.ms(0.99), "ms", "p99"))

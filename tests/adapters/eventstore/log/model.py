"""A log in a few lines of Python, and random appends to it."""

from random import Random

from attrs import define, field, frozen
from hypothesis import strategies as st

from adapters.eventstore.log import Append, Guard
from tests.adapters.eventstore.log.appends import event

STREAMS = ("a-1", "b-1", "c-1", "d-1")


@frozen
class Step:
    """An event or a guard relative to where its stream will be: `off` is 0 when it fits."""

    stream: str
    off: int


@frozen
class Plan:
    """What to append; streams that do not exist yet begin at version 0 or 1."""

    events: list[Step]
    guards: list[Step]
    begins: int


streams = st.sampled_from(STREAMS)
steps = st.builds(Step, streams, st.sampled_from((0, 0, 0, 0, 0, 0, -1, 1, 2)))
begins = st.integers(0, 1)
plans = st.builds(
    Plan, st.lists(steps, min_size=1, max_size=4), st.lists(steps, max_size=2), begins
)
Conflict = tuple[str, int, int | None]
"""Stream, attempted and last version."""


def noise(size: int) -> bytes:
    """Bytes that do not compress."""
    return Random(size).randbytes(size)


@define
class Model:
    """Streams and versions in the order of the log, nothing else."""

    events: list[tuple[str, int]] = field(factory=list)

    def last(self, stream: str) -> int | None:
        return max((v for s, v in self.events if s == stream), default=None)

    def versions(self, stream: str, after: int, upto: int | None) -> list[int]:
        return [
            v for s, v in self.events if s == stream and after < v and (upto is None or v <= upto)
        ]

    def planned(self, plan: Plan) -> Append:
        """An append whose versions fit, up to the steps that are off on purpose."""
        heads: dict[str, int] = {}
        events = []
        for step in plan.events:
            known = self.last(step.stream)
            last = heads.get(step.stream, plan.begins - 1 if known is None else known)
            heads[step.stream] = last + 1 + step.off
            events.append(event(step.stream, heads[step.stream]))
        guards = [Guard(s.stream, (self.last(s.stream) or 0) + s.off) for s in plan.guards]
        return Append(events, guards)

    def next_ones(self, stream: str, count: int, begins: int) -> range:
        """Versions that continue the stream."""
        last = self.last(stream)
        first = begins if last is None else last + 1
        return range(first, first + count)

    def apply(self, append: Append) -> int | Conflict:
        """The first position, or the conflict."""
        for guard in append.guards:
            last = self.last(guard.stream)
            if (last is None) != (guard.version == 0) or last not in (None, guard.version):
                return guard.stream, guard.version, last
        before = list(self.events)
        for new in append.events:
            last = self.last(new.stream)
            if new.version not in ([0, 1] if last is None else [last + 1]):
                self.events = before
                return new.stream, new.version, last
            self.events.append((new.stream, new.version))
        return len(before) + 1

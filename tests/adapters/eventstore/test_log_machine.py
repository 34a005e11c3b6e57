"""Random histories: whatever happens to a log, it stays equal to a few lines of Python."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from attrs import frozen
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from adapters.eventstore.log import Append, Guard, Log, LogEntry, Receipt, StreamConflict
from tests.adapters.eventstore.appends import event
from tests.adapters.eventstore.engines import ENGINES, Clock, Engine

STREAMS = ("a-1", "b-1", "c-1", "d-1")


@frozen
class Step:
    """An event or a guard relative to where its stream will be: `off` is 0 when it fits."""

    stream: str
    off: int


steps = st.builds(Step, st.sampled_from(STREAMS), st.sampled_from((0, 0, 0, 0, 0, 0, -1, 1, 2)))
plans = st.tuples(st.lists(steps, min_size=1, max_size=4), st.lists(steps, max_size=2))
Plan = tuple[list[Step], list[Step]]


class Model:
    """A log as a list of streams and versions, nothing else."""

    def __init__(self) -> None:
        self.events: list[tuple[str, int]] = []

    def last(self, stream: str) -> int | None:
        return max((v for s, v in self.events if s == stream), default=None)

    def planned(self, plan: Plan) -> Append:
        """An append whose versions fit, up to the steps that are off on purpose."""
        heads: dict[str, int] = {}
        events = []
        for step in plan[0]:
            known = self.last(step.stream)
            last = heads.get(step.stream, 0 if known is None else known)
            heads[step.stream] = last + 1 + step.off
            events.append(event(step.stream, heads[step.stream]))
        guards = [Guard(step.stream, (self.last(step.stream) or 0) + step.off) for step in plan[1]]
        return Append(events, guards)

    def apply(self, append: Append) -> int | tuple[str, int, int | None]:
        """The first position, or stream, attempted and last version of the conflict."""
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


class LogMachine(RuleBasedStateMachine):
    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self.engine = engine
        self.clock = Clock()
        self.model = Model()
        self.ends = ExitStack()
        self.folder = Path(self.ends.enter_context(TemporaryDirectory()))
        self.runner = self.ends.enter_context(asyncio.Runner())
        self.opened = ExitStack()
        self.log: Log = self.opened.enter_context(engine.open(self.folder, self.clock))

    def teardown(self) -> None:
        self.opened.close()
        self.ends.close()

    @rule(plan=plans)
    def append(self, plan: Plan) -> None:
        append = self.model.planned(plan)
        self.check(append, self.runner.run(outcome(self.log, append)))

    @rule(plans=st.lists(plans, min_size=2, max_size=6))
    def append_together(self, plans: list[Plan]) -> None:
        """All are planned before any is stored, so they race for the same versions."""
        appends = [self.model.planned(plan) for plan in plans]
        for append, ended in zip(
            appends, self.runner.run(outcomes(self.log, appends)), strict=True
        ):
            self.check(append, ended)

    @rule(seconds=st.integers(-100, 100))
    def move_the_clock(self, seconds: int) -> None:
        self.clock.move(seconds=seconds)

    @precondition(lambda self: self.engine.durable)
    @rule()
    def reopen(self) -> None:
        self.opened.close()
        self.log = self.opened.enter_context(self.engine.open(self.folder, self.clock))

    @rule(stream=st.sampled_from(STREAMS), after=st.integers(-1, 8), limit=st.integers(0, 8))
    def read_a_stream(self, stream: str, after: int, limit: int) -> None:
        entries = self.runner.run(self.log.stream(stream, after=after, limit=limit))
        versions = [v for s, v in self.model.events if s == stream and v > after]
        assert [e.version for e in entries] == versions[:limit]

    @rule(after=st.integers(0, 40), limit=st.integers(0, 20))
    def read_the_log(self, after: int, limit: int) -> None:
        entries = self.runner.run(self.log.read(after, limit))
        assert [(e.stream, e.version) for e in entries] == self.model.events[after:][:limit]

    @rule(position=st.integers(0, 40))
    def wait(self, position: int) -> None:
        reached = self.runner.run(self.log.beyond(position, timeout=0))
        assert reached == (len(self.model.events) > position)

    @invariant()
    def holds_what_was_stored(self) -> None:
        entries: Sequence[LogEntry] = self.runner.run(self.log.read(0, 10_000))
        assert [(e.stream, e.version) for e in entries] == self.model.events
        assert [e.position for e in entries] == list(range(1, len(entries) + 1))
        assert [e.recorded_at for e in entries] == sorted(e.recorded_at for e in entries)

    @invariant()
    def knows_every_last_version(self) -> None:
        assert self.runner.run(self.log.head()) == len(self.model.events)
        for stream in STREAMS:
            assert self.runner.run(self.log.last_version(stream)) == self.model.last(stream)

    def check(self, append: Append, ended: Receipt | StreamConflict) -> None:
        expected = self.model.apply(append)
        if isinstance(ended, StreamConflict):
            assert (ended.stream, ended.attempted, ended.last) == expected
        else:
            assert (ended.first, ended.last) == (expected, len(self.model.events))


async def outcome(log: Log, append: Append) -> Receipt | StreamConflict:
    try:
        return await log.append(append)
    except StreamConflict as conflict:
        return conflict


async def outcomes(log: Log, appends: Sequence[Append]) -> list[Receipt | StreamConflict]:
    return await asyncio.gather(*(outcome(log, append) for append in appends))


@pytest.mark.parametrize("engine", ENGINES)
def test_any_history_equals_the_model(engine: str) -> None:
    run_state_machine_as_test(
        lambda: LogMachine(ENGINES[engine]),  # type: ignore[arg-type]
        settings=settings(
            max_examples=30,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )

"""Random histories: whatever happens to a log, it stays equal to a few lines of Python."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from attrs import frozen
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from adapters.eventstore.log import Append, Guard, Log, Receipt, StreamConflict
from tests.adapters.eventstore.appends import event
from tests.adapters.eventstore.engines import ENGINES, Clock
from tests.scale import FULL, scaled

T = TypeVar("T")

STREAMS = ("a-1", "b-1", "c-1", "d-1")


@frozen
class Step:
    """An event or a guard relative to where its stream will be: `off` is 0 when it fits."""

    stream: str
    off: int


steps = st.builds(Step, st.sampled_from(STREAMS), st.sampled_from((0, 0, 0, 0, 0, 0, -1, 1, 2)))
plans = st.tuples(st.lists(steps, min_size=1, max_size=4), st.lists(steps, max_size=2))
Plan = tuple[list[Step], list[Step]]
Conflict = tuple[str, int, int | None]
"""Stream, attempted and last version."""


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


class LogMachine(RuleBasedStateMachine):
    """One program for the logs of all engines: they answer alike, and as the model says."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.model = Model()
        self.ends = ExitStack()
        self.folder = Path(self.ends.enter_context(TemporaryDirectory()))
        self.runner = self.ends.enter_context(asyncio.Runner())
        self.opened = {name: ExitStack() for name in ENGINES}
        self.logs = {name: self.open(name) for name in ENGINES}

    def open(self, name: str) -> Log:
        return self.opened[name].enter_context(ENGINES[name].open(self.folder, self.clock))

    def teardown(self) -> None:
        for opened in self.opened.values():
            opened.close()
        self.ends.close()

    def agreed(self, ask: Callable[[Log], Coroutine[Any, Any, T]]) -> T:
        """What every engine answers."""
        answers = {name: self.runner.run(ask(log)) for name, log in self.logs.items()}
        first, *others = answers.values()
        assert all(other == first for other in others), answers
        return first

    @rule(plan=plans)
    def append(self, plan: Plan) -> None:
        append = self.model.planned(plan)
        self.check(append, self.agreed(lambda log: outcome(log, append)))

    @rule(plans=st.lists(plans, min_size=2, max_size=6))
    def append_together(self, plans: list[Plan]) -> None:
        """All are planned before any is stored, so they race for the same versions."""
        appends = [self.model.planned(plan) for plan in plans]
        ended = self.agreed(lambda log: outcomes(log, appends))
        for append, one in zip(appends, ended, strict=True):
            self.check(append, one)

    @rule(seconds=st.integers(-100, 100))
    def move_the_clock(self, seconds: int) -> None:
        self.clock.move(seconds=seconds)

    @rule(name=st.sampled_from([name for name, engine in ENGINES.items() if engine.durable]))
    def reopen(self, name: str) -> None:
        self.opened[name].close()
        self.logs[name] = self.open(name)

    @rule(stream=st.sampled_from(STREAMS), after=st.integers(-1, 8), limit=st.integers(0, 8))
    def read_a_stream(self, stream: str, after: int, limit: int) -> None:
        entries = self.agreed(lambda log: log.stream(stream, after=after, limit=limit))
        versions = [v for s, v in self.model.events if s == stream and v > after]
        assert [e.version for e in entries] == versions[:limit]

    @rule(after=st.integers(0, 40), limit=st.integers(0, 20))
    def read_the_log(self, after: int, limit: int) -> None:
        entries = self.agreed(lambda log: log.read(after, limit))
        assert [(e.stream, e.version) for e in entries] == self.model.events[after:][:limit]

    @rule(position=st.integers(0, 40))
    def wait(self, position: int) -> None:
        reached = self.agreed(lambda log: log.beyond(position, timeout=0))
        assert reached == (len(self.model.events) > position)

    @invariant()
    def holds_what_was_stored(self) -> None:
        entries = self.agreed(lambda log: log.read(0, 10_000))
        assert [(e.stream, e.version) for e in entries] == self.model.events
        assert [e.position for e in entries] == list(range(1, len(entries) + 1))
        assert [e.recorded_at for e in entries] == sorted(e.recorded_at for e in entries)

    @invariant()
    def knows_every_last_version(self) -> None:
        assert self.agreed(lambda log: log.head()) == len(self.model.events)
        for stream in STREAMS:
            assert self.agreed(partial(last_version, stream)) == self.model.last(stream)

    def check(self, append: Append, ended: Receipt | Conflict) -> None:
        expected = self.model.apply(append)
        if isinstance(ended, Receipt):
            assert (ended.first, ended.last) == (expected, len(self.model.events))
        else:
            assert ended == expected


async def last_version(stream: str, log: Log) -> int | None:
    return await log.last_version(stream)


async def outcome(log: Log, append: Append) -> Receipt | Conflict:
    try:
        return await log.append(append)
    except StreamConflict as conflict:
        return conflict.stream, conflict.attempted, conflict.last


async def outcomes(log: Log, appends: Sequence[Append]) -> list[Receipt | Conflict]:
    return await asyncio.gather(*(outcome(log, append) for append in appends))


def test_any_history_is_the_same_on_every_engine() -> None:
    run_state_machine_as_test(
        LogMachine,
        settings=settings(
            max_examples=scaled(15, 150),
            stateful_step_count=20,
            deadline=None,
            # Making a failing history short takes minutes on three engines.
            phases=set(Phase) if FULL else set(Phase) - {Phase.shrink},
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )

"""
Random histories: whatever happens to a log, it stays equal to a few lines of Python.

One program drives all engines, through the log itself and through the library's recorders. What
takes many megabytes in production is large here, so that parts and blobs are common.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import pytest
from eventsourcing.persistence import (
    IntegrityError,
    PersistenceError,
    StoredEvent,
    Tracking,
)
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from adapters.dynamodb.log import batches, payloads
from adapters.eventstore.log import Append, Log, NewEvent, Receipt, StreamConflict
from adapters.eventstore.snapshots import Snapshot
from tests.adapters.eventstore.complete_engines import WHOLE, Whole
from tests.adapters.eventstore.engines import Clock
from tests.adapters.eventstore.log.appends import append as single
from tests.adapters.eventstore.log.model import Conflict, Model, Plan, begins, noise, plans, streams
from tests.adapters.eventstore.log.queries import (
    Cut,
    Page,
    cuts,
    everything,
    followed,
    last_version,
    pages,
    places,
    read_log,
    read_stream,
    select,
    select_events,
    select_sparse,
)
from tests.support.scale import FULL, scaled

T = TypeVar("T")

PART = 3_000
"""Bytes of a large append's part: ten of them fit into a transaction, more go to a blob."""

upstreams = st.sampled_from(("up", "down"))
kinds = st.sampled_from(("k", "l"))
sizes = st.sampled_from((10, PART, 4 * PART, 11 * PART))


class LogMachine(RuleBasedStateMachine):
    """All engines answer alike, and as the model says."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.model = Model()
        self.reached: dict[str, int] = {}
        self.ends = ExitStack()
        patch = self.ends.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(batches, "PART_BYTES", PART)
        patch.setattr(payloads, "LARGEST_INLINE", PART)
        self.folder = Path(self.ends.enter_context(TemporaryDirectory()))
        self.runner = self.ends.enter_context(asyncio.Runner())
        self.opened = {name: ExitStack() for name in WHOLE}
        self.engines = {name: self.open(name) for name in WHOLE}

    def open(self, name: str) -> Whole:
        return self.opened[name].enter_context(WHOLE[name](self.folder, self.clock))

    def teardown(self) -> None:
        for opened in self.opened.values():
            opened.close()
        self.ends.close()

    def agreed(self, ask: Callable[[Log], Coroutine[Any, Any, T]]) -> T:
        """What every engine's log answers."""
        return self.alike(lambda engine: self.runner.run(ask(engine.log)))

    def alike(self, ask: Callable[[Whole], T]) -> T:
        """What every engine answers."""
        answers = {name: ask(engine) for name, engine in self.engines.items()}
        first, *others = answers.values()
        assert all(other == first for other in others), answers
        return first

    # Appending.

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

    @rule(stream=streams, count=st.sampled_from((20, 120)), begins=begins)
    def append_many(self, stream: str, count: int, begins: int) -> None:
        append = single(stream, *self.model.next_ones(stream, count, begins))
        self.check(append, self.agreed(lambda log: outcome(log, append)))

    @rule(plan=plans, sizes=st.lists(sizes, min_size=4, max_size=4))
    def append_large(self, plan: Plan, sizes: list[int]) -> None:
        planned = self.model.planned(plan)
        grown = [
            NewEvent(e.stream, e.version, "thing.grew", noise(size), b"id", b"m")
            for e, size in zip(planned.events, sizes, strict=False)
        ]
        append = Append(grown, planned.guards)
        self.check(append, self.agreed(lambda log: outcome(log, append)))

    @rule(plan=plans)
    def insert(self, plan: Plan) -> None:
        append = Append(self.model.planned(plan).events)
        ended = self.alike(lambda engine: inserted(engine, append))
        self.check_inserted(append, ended)

    @rule(plan=plans, upstream=upstreams, position=st.integers(1, 9))
    def insert_with_tracking(self, plan: Plan, upstream: str, position: int) -> None:
        append = Append(self.model.planned(plan).events)
        tracking = Tracking(upstream, position)
        ended = self.alike(lambda engine: inserted(engine, append, tracking=tracking))
        if position <= self.reached.get(upstream, 0):
            assert ended is IntegrityError
        elif self.check_inserted(append, ended):
            self.reached[upstream] = position

    def check(self, append: Append, ended: Receipt | Conflict) -> None:
        expected = self.model.apply(append)
        if isinstance(ended, Receipt):
            assert (ended.first, ended.last) == (expected, len(self.model.events))
        else:
            assert ended == expected

    def check_inserted(self, append: Append, ended: Sequence[int] | type[Exception] | None) -> bool:
        first = self.model.apply(append)
        if isinstance(first, int):
            assert ended == list(range(first, len(self.model.events) + 1))
        else:
            assert ended is IntegrityError
        return isinstance(first, int)

    # Surroundings.

    @rule(seconds=st.integers(-100, 100))
    def move_the_clock(self, seconds: int) -> None:
        self.clock.move(seconds=seconds)

    @rule(name=st.sampled_from([name for name in WHOLE if name != "memory"]))
    def reopen(self, name: str) -> None:
        self.opened[name].close()
        self.engines[name] = self.open(name)

    # Reading.

    @rule(stream=streams, cuts=st.lists(cuts, min_size=4, max_size=8))
    def read_a_stream(self, stream: str, cuts: list[Cut]) -> None:
        for cut in cuts:
            entries = self.agreed(partial(read_stream, stream, cut))
            stored = self.alike(partial(select_events, stream, cut))
            wanted = self.model.versions(stream, -1 if cut.gt is None else cut.gt, cut.lte)
            assert [e.version for e in entries] == wanted[: cut.limit]
            ordered = wanted[::-1] if cut.desc else wanted
            assert [e.originator_version for e in stored] == ordered[: cut.limit]

    @rule(pages=st.lists(pages(), min_size=4, max_size=8))
    def read_the_log(self, pages: list[Page]) -> None:
        for page in pages:
            after = page.start or 0
            entries = self.agreed(partial(read_log, after, page.limit))
            wanted = self.model.events[after:][: page.limit]
            assert [(e.stream, e.version) for e in entries] == wanted
            self.check_page(page, [one.id for one in self.alike(partial(select, page))])

    def check_page(self, page: Page, found: list[int]) -> None:
        first = max((page.start or 0) + (0 if page.inclusive else 1), 1)
        end = len(self.model.events)
        wanted = list(range(first, (end if page.stop is None else min(page.stop, end)) + 1))
        assert set(found) <= set(wanted)
        assert page.topics or found == wanted[: page.limit]

    @rule(position=places)
    def wait(self, position: int) -> None:
        reached = self.agreed(lambda log: log.beyond(position, timeout=0))
        assert reached == (len(self.model.events) > position)

    # Tracking.

    @rule(upstream=upstreams, position=st.integers(1, 9))
    def track(self, upstream: str, position: int) -> None:
        tracking = Tracking(upstream, position)
        ended = self.alike(lambda engine: told(engine.recorder.insert_tracking, tracking))
        passed = position <= self.reached.get(upstream, 0)
        assert ended is (IntegrityError if passed else None)
        self.reached[upstream] = max(position, self.reached.get(upstream, 0))

    # Snapshots.

    @rule(
        stream=streams,
        taken=st.lists(st.integers(0, 8), min_size=1, max_size=3),
        size=sizes,
        cuts=st.lists(cuts, min_size=2, max_size=4),
    )
    def keep_sparse(self, stream: str, taken: list[int], size: int, cuts: list[Cut]) -> None:
        stored = [StoredEvent(stream, version, "state", noise(size)) for version in taken]
        self.alike(lambda engine: told(engine.sparse.insert_events, stored))
        for cut in (Cut(), *cuts):
            self.alike(partial(select_sparse, stream, cut))

    @rule(stream=streams, kind=kinds, taken=st.lists(st.integers(0, 2), max_size=4), size=sizes)
    def keep_states(self, stream: str, kind: str, taken: list[int], size: int) -> None:
        """Of one version there may be several states, of another schema."""
        for number, version in enumerate(taken):
            for engine in self.engines.values():
                engine.states.keep(Snapshot(stream, kind, number, version, noise(size + number)))
                engine.settle()
            self.alike(lambda engine: self.runner.run(engine.states.latest(stream, kind)))

    @rule(stream=streams, kind=kinds)
    def clear_states(self, stream: str, kind: str) -> None:
        for engine in self.engines.values():
            self.runner.run(engine.states.clear())
        assert self.alike(lambda e: self.runner.run(e.states.latest(stream, kind))) is None

    # What always holds.

    @invariant()
    def holds_what_was_stored(self) -> None:
        entries = self.agreed(everything)
        assert [(e.stream, e.version) for e in entries] == self.model.events
        assert [e.position for e in entries] == list(range(1, len(entries) + 1))
        assert [e.recorded_at for e in entries] == sorted(e.recorded_at for e in entries)

    @invariant()
    def knows_every_end(self) -> None:
        assert self.agreed(lambda log: log.head()) == len(self.model.events)
        for stream in ("a-1", "b-1"):
            assert self.agreed(partial(last_version, stream)) == self.model.last(stream)
        for upstream in ("up", "down"):
            assert self.alike(partial(followed, upstream)) == self.reached.get(upstream)


async def outcome(log: Log, append: Append) -> Receipt | Conflict:
    try:
        return await log.append(append)
    except StreamConflict as conflict:
        return conflict.stream, conflict.attempted, conflict.last


async def outcomes(log: Log, appends: Sequence[Append]) -> list[Receipt | Conflict]:
    return await asyncio.gather(*(outcome(log, append) for append in appends))


def inserted(engine: Whole, append: Append, **more: Tracking) -> Any:
    """The positions, or the type of the error."""
    stored = [StoredEvent(e.stream, e.version, e.name, e.data) for e in append.events]
    return told(engine.recorder.insert_events, stored, **more)


def told(call: Callable[..., T], *given: object, **more: object) -> T | type[Exception]:
    try:
        return call(*given, **more)
    except PersistenceError as error:
        return type(error)


def test_any_history_is_the_same_on_every_engine() -> None:
    run_state_machine_as_test(
        LogMachine,
        settings=settings(
            max_examples=scaled(8, 150),
            stateful_step_count=scaled(25, 50),
            deadline=None,
            # Making a failing history short takes minutes on three engines.
            phases=set(Phase) if FULL else set(Phase) - {Phase.shrink},
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )

"""Of several processes one sends, and the next goes on from what is kept (S0-331)."""

import asyncio
from collections.abc import Sequence

import pytest
from attrs import define, evolve, field

from application.delivery.event import Event, EventType
from application.delivery.sink import Answer
from application.errors import Unavailable
from application.projections.progress import Progress
from tests.application.delivery.outboxes import Surroundings, ToldSink, in_turns
from tests.application.projections.story import registered


@define
class OneHolder:
    holder: object = None
    me: object = field(factory=object)

    async def hold(self, name: str) -> bool:
        assert name == "outbox/told"
        return self.holder in (None, self.me)

    async def release(self, name: str) -> None:
        self.holder = None


def test_only_who_holds_the_lease_sends_and_the_next_goes_on_from_what_is_kept() -> None:
    lease = OneHolder(holder="another process")
    around = Surroundings(registered().facts, leases=lease)
    outbox = around.outbox()
    asyncio.run(in_turns(outbox))
    assert around.sink.received == []
    lease.holder = None
    asyncio.run(in_turns(outbox))
    assert len(around.sink.received) == 1
    lease.holder = "another process"
    around.facts.extend(registered().retire().facts[1:])
    other = evolve(around, leases=OneHolder())
    asyncio.run(in_turns(other.outbox()))
    assert len(around.sink.received) == 2
    asyncio.run(in_turns(outbox))
    lease.holder = None
    asyncio.run(in_turns(outbox))
    assert len(around.sink.received) == 2


def test_whoever_does_not_send_tells_how_far_the_other_one_is() -> None:
    lease = OneHolder()
    around = Surroundings(registered().facts, leases=lease)
    outbox = around.outbox()
    asyncio.run(in_turns(outbox))
    lease.holder = "another process"
    around.facts.extend(registered().retire().facts[1:])
    other = evolve(around, leases=OneHolder(), progress=Progress())
    asyncio.run(in_turns(other.outbox()))
    assert around.progress.reached("told").position == 1
    asyncio.run(in_turns(outbox))
    assert around.progress.reached("told").position == 2


@pytest.mark.parametrize(("seconds", "kept"), [(0.0, 2), (3600.0, 1)])
def test_how_far_it_came_is_kept_now_and_then_though_nothing_is_sent(
    seconds: float, kept: int
) -> None:
    around = Surroundings(registered().facts)
    outbox = around.outbox(types=[EventType.INCIDENT_CREATED], stored_after=seconds)

    async def story() -> int:
        await outbox.turn()
        around.facts.extend(registered().retire().facts[1:])
        await outbox.turn()
        return await around.cards.reached("outbox/told")

    assert asyncio.run(story()) == kept


@define
class CountedLease:
    held: int = 0

    async def hold(self, name: str) -> bool:
        self.held += 1
        return True

    async def release(self, name: str) -> None:
        self.held = 0


@define
class LeaseThatIsRenewed(CountedLease):
    renewed: asyncio.Event = field(factory=asyncio.Event)

    async def hold(self, name: str) -> bool:
        if self.held == 1:
            # Not being able to say so once must not end it.
            self.held += 1
            raise Unavailable("the lease", "it does not answer")
        if self.held > 1:
            self.renewed.set()
        return await super().hold(name)


@define
class SlowSink(ToldSink):
    """Answers only after the lease was renewed."""

    lease: LeaseThatIsRenewed = field(factory=LeaseThatIsRenewed)

    async def send(self, events: Sequence[Event]) -> Sequence[Answer]:
        await asyncio.wait_for(self.lease.renewed.wait(), 30)
        return await super().send(events)


def test_a_lease_is_kept_while_a_sink_takes_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else another process would begin with the same events, and both would never end."""
    monkeypatch.setattr("application.subscriptions.lease.RENEWED_EVERY", 0.0)
    sink = SlowSink()
    around = Surroundings(registered().facts, sink, leases=sink.lease)
    asyncio.run(in_turns(around.outbox()))
    assert len(sink.received) == 1

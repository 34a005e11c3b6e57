"""Who was deployed around the breach, whenever and for however long they wrote the data."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from application.reads.demand import NOTHING, Demand
from application.root_cause.deploys import Deploys
from domain.ids import IncidentId
from tests.application.lineage.test_lineage import REVENUE, col, declare, report
from tests.application.root_cause.scene import OPENED, breach, context, known, minutes, opened, play
from tests.application.store import ENGINES, NOON, ORDERS, Store

pytestmark = pytest.mark.parametrize("engine", ENGINES)

GONE = "service:gone"
COLUMN = col(ORDERS, "id")


async def deploys(
    store: Store, name: IncidentId, demand: Demand = NOTHING
) -> Sequence[tuple[str, str, Sequence[str]]]:
    told: Deploys | None = (await context(store, name, demand)).parts.deploys.told
    assert told is not None
    assert not told.more
    return [(one.producer, one.commit, one.stopped_writing) for one in told.deploys]


@pytest.mark.parametrize("recorded_after", [-50, 5])
def test_whoever_stopped_writing_it_altogether(
    engine: str, tmp_path: Path, recorded_after: int
) -> None:
    """First declared within the hour, or all of it told only after the breach."""

    async def story(store: Store) -> None:
        first, last = NOON - minutes(50), NOON - minutes(2)
        store.clock.at = NOON + minutes(recorded_after)
        await declare(store, report(GONE, writes={COLUMN: GONE}, commit="c1", updated_at=first))
        store.clock.at = max(last, store.clock.at)
        await declare(store, report(GONE, reads={ORDERS: GONE}, commit="c2", updated_at=last))
        await known(store, ORDERS)
        await breach(store)
        name = await opened(store)
        expected = [(GONE, "c1", ()), (GONE, "c2", (COLUMN, ORDERS))]
        for demand in (NOTHING, Demand(strong=True), Demand(as_of=OPENED)):
            assert await deploys(store, name, demand) == expected

    play(engine, tmp_path, story)


def test_a_spec_of_a_clock_that_is_ahead(engine: str, tmp_path: Path) -> None:
    """Recorded more than an hour before the breach, made less than one before it."""

    async def story(store: Store) -> None:
        store.clock.at = NOON - minutes(61)
        ahead = NOON - minutes(5)
        await declare(store, report(GONE, writes={ORDERS: GONE}, updated_at=ahead))
        await known(store, ORDERS)
        await breach(store)
        assert await deploys(store, await opened(store)) == [(GONE, "c1", ())]

    play(engine, tmp_path, story)


def test_whoever_wrote_it_long_ago_only(engine: str, tmp_path: Path) -> None:
    """It had stopped before the hour: what it was deployed with since has nothing to do with it."""

    async def story(store: Store) -> None:
        for count, place in ((300, ORDERS), (200, REVENUE), (10, REVENUE)):
            store.clock.at = at = NOON - minutes(count)
            spec = report(GONE, writes={place: GONE}, commit=f"c{count}", updated_at=at)
            await declare(store, spec)
        await known(store, ORDERS)
        await breach(store)
        assert await deploys(store, await opened(store)) == []

    play(engine, tmp_path, story)


def test_whoever_comes_after_two_hundred_others(engine: str, tmp_path: Path) -> None:
    """So many are shown as writers; more are looked at."""

    async def story(store: Store) -> None:
        store.clock.at = NOON - minutes(90)
        many = " ".join(f"job:{number:03}" for number in range(205))
        await declare(
            store,
            report("many", writes={ORDERS: many}, updated_at=store.clock.at),
            report("z", writes={ORDERS: "z", COLUMN: "z"}, updated_at=store.clock.at),
        )
        store.clock.at = NOON - minutes(9)
        await declare(
            store, report("z", writes={ORDERS: "z"}, commit="c2", updated_at=store.clock.at)
        )
        await known(store, ORDERS)
        await breach(store)
        name = await opened(store)
        assert await deploys(store, name) == [("z", "c2", (COLUMN,))]
        told = await context(store, name)
        assert told.parts.writers.told
        (writers,) = told.parts.writers.told
        assert (len(writers.entries), writers.more, writers.uncounted) == (200, True, False)
        (late,) = [one for one in told.cause.suspicion.suspects if one.producer_id == "z"]
        assert [(one.weight, one.sentence) for one in late.reasons] == [
            (23, "deployed c2 9 min before the breach"),
            (1, f"is one of 206 declared to write {ORDERS}"),
        ]

    play(engine, tmp_path, story)


@pytest.mark.parametrize(("column", "stopped"), [("customer_id", True), ("id", False)])
def test_whoever_never_wrote_the_failing_field_did_not_stop_writing_it(
    engine: str, tmp_path: Path, column: str, stopped: bool
) -> None:
    """Though it stopped writing the whole dataset."""

    async def story(store: Store) -> None:
        for count, place in ((50, col(ORDERS, column)), (10, REVENUE)):
            store.clock.at = at = NOON - minutes(count)
            spec = report(GONE, writes={place: GONE}, commit=f"c{count}", updated_at=at)
            await declare(store, spec)
        await known(store, ORDERS)
        await breach(store)
        suspects = (await context(store, await opened(store))).cause.suspicion.suspects
        (gone,) = [one for one in suspects if one.producer_id == "gone"]
        dropped = ["stopped writing customer_id with c10"] if stopped else []
        assert [one.sentence for one in gone.reasons] == [
            *dropped,
            "deployed c10 10 min before the breach",
        ]

    play(engine, tmp_path, story)


@pytest.mark.parametrize(("restored", "stopped"), [(-10, False), (3, True)])
def test_what_was_written_again_before_the_breach_is_no_cause(
    engine: str, tmp_path: Path, restored: int, stopped: bool
) -> None:
    async def story(store: Store) -> None:
        field = col(ORDERS, "customer_id")
        for commit, at, places in (
            ("good", -90, (ORDERS, field)),
            ("dropper", -20, (ORDERS,)),
            ("restored", restored, (ORDERS, field)),
        ):
            store.clock.at = NOON + minutes(at)
            writes = dict.fromkeys(places, GONE)
            await declare(
                store, report(GONE, writes=writes, commit=commit, updated_at=store.clock.at)
            )
        await known(store, ORDERS)
        await breach(store)
        suspects = (await context(store, await opened(store))).cause.suspicion.suspects
        (gone,) = [one for one in suspects if one.producer_id == "gone"]
        said = "stopped writing customer_id with dropper"
        assert (said in [one.sentence for one in gone.reasons]) == stopped

    play(engine, tmp_path, story)

"""Declaring lineage and walking it, on every engine (S0-195, S0-244..S0-246)."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from application.caller import RequestKey
from application.lineage import impact as walking
from application.lineage.impact import Impact
from application.reads.paging import PageRequest
from domain.dataset.settings import Settings
from domain.dataset.settings_validation import DatasetReport
from domain.dataset.tier import Tier
from domain.errors import Invalid, Violation
from domain.ids import DatasetUrn, Place
from domain.lineage.lineage import LineageSpecOutcome
from domain.lineage.report import LineageReport, ReportedEntry
from tests.application.store import ADMIN, ENGINES, NOON, ORDERS, SETTINGS, Store, open_store

INVOICES = DatasetUrn("urn:dp:finance:invoices:v1")
REVENUE = DatasetUrn("urn:dp:finance:revenue:v1")
DAY = timedelta(days=1)

Story = Callable[[Store], Awaitable[None]]
Play = Callable[[Story], None]


@pytest.fixture(params=ENGINES)
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Play:
    def played(story: Story) -> None:
        async def scene() -> None:
            async with open_store(request.param, tmp_path) as store:
                await story(store)

        asyncio.run(scene())

    return played


def col(dataset: str, column: str) -> str:
    return f"urn:col:{dataset}:{column}"


def entries(pairs: dict[str, str], *, columns: bool) -> tuple[ReportedEntry, ...]:
    return tuple(
        ReportedEntry(urn, name, name, "JOB")
        for urn, names in pairs.items()
        for name in names.split()
        if urn.startswith("urn:col:") == columns
    )


def report(
    producer: str = "p",
    *,
    reads: dict[str, str] | None = None,
    writes: dict[str, str] | None = None,
    commit: str = "c1",
    **more: Any,
) -> LineageReport:
    """A spec of places and the entities, separated by spaces, that read or write them."""
    reads, writes = reads or {}, writes or {}
    given: dict[str, Any] = {
        "spec_id": f"lspec:{producer}:git:{commit}",
        "commit": commit,
        "confidence": "HIGH",
        "updated_at": NOON,
        "dataset_reads": entries(reads, columns=False),
        "dataset_writes": entries(writes, columns=False),
        "column_reads": entries(reads, columns=True),
        "column_writes": entries(writes, columns=True),
        **more,
    }
    return LineageReport(**given)


async def declare(store: Store, *reports: LineageReport) -> Sequence[str]:
    outcomes = [(await store.use_cases.declare_lineage(one, by=ADMIN)).outcome for one in reports]
    await store.project()
    return outcomes


async def readers(store: Store, place: str) -> list[str]:
    page = (await store.use_cases.read_readers(Place(place), PageRequest(), by=ADMIN)).value
    return [entry.entity.entity_id for entry in page.items]


async def writers(store: Store, place: str) -> list[str]:
    page = (await store.use_cases.read_writers(Place(place), PageRequest(), by=ADMIN)).value
    return [entry.entity.entity_id for entry in page.items]


def reached(impact: Impact) -> list[tuple[str, int]]:
    return [(one.entity.entity_id, one.distance) for one in impact.entities]


def test_what_is_declared_is_found_by_dataset_and_column(play: Play) -> None:
    async def story(store: Store) -> None:
        one = report(
            reads={ORDERS: "job:a", col(INVOICES, "id"): "job:b"},
            writes={INVOICES: "job:a", col(REVENUE, "sum"): "job:b"},
        )
        assert await declare(store, one) == [LineageSpecOutcome.APPLIED]
        assert await readers(store, ORDERS) == ["job:a"]
        assert await readers(store, INVOICES) == ["job:b"]
        assert await readers(store, col(INVOICES, "id")) == ["job:b"]
        assert await writers(store, INVOICES) == ["job:a"]
        assert await writers(store, REVENUE) == ["job:b"]
        assert await writers(store, col(REVENUE, "sum")) == ["job:b"]
        assert await writers(store, ORDERS) == await readers(store, REVENUE) == []

    play(story)


def test_again_newer_and_older(play: Play) -> None:
    async def story(store: Store) -> None:
        old = report(reads={ORDERS: "job:a"})
        new = report(reads={INVOICES: "job:a"}, commit="c2", updated_at=NOON + DAY)
        assert await declare(store, old, old, new, old, new) == [
            "applied",
            "unchanged",
            "applied",
            "superseded",
            "unchanged",
        ]
        assert (await readers(store, ORDERS), await readers(store, INVOICES)) == ([], ["job:a"])
        assert await store.container.feed().head() == 2

    play(story)


def test_the_answer_names_the_spec_that_holds(play: Play) -> None:
    async def story(store: Store) -> None:
        new = report(commit="c2", updated_at=NOON + DAY)
        first = await store.use_cases.declare_lineage(new, by=ADMIN)
        assert first.in_force == first.spec == new.parse(at=store.clock.at)
        late = await store.use_cases.declare_lineage(report(), by=ADMIN)
        assert (late.outcome, late.in_force) == (
            LineageSpecOutcome.SUPERSEDED,
            new.parse(at=store.clock.at),
        )
        assert late.spec == report().parse(at=store.clock.at)

    play(story)


def test_entries_end(play: Play) -> None:
    """T26"""

    async def story(store: Store) -> None:
        await declare(
            store,
            report("p", reads={ORDERS: "job:a"}, writes={INVOICES: "job:a"}, ttl_seconds=172800),
            report("q", reads={INVOICES: "job:b"}),
        )
        assert reached((await store.use_cases.read_impact(ORDERS, by=ADMIN)).value) == [
            ("job:a", 1),
            ("job:b", 2),
        ]
        store.clock.at = NOON + 2 * DAY
        assert await readers(store, ORDERS) == await writers(store, INVOICES) == []
        assert reached((await store.use_cases.read_impact(ORDERS, by=ADMIN)).value) == []
        assert await readers(store, INVOICES) == ["job:b"]
        store.clock.at = NOON + 90 * DAY
        assert await readers(store, INVOICES) == []

    play(story)


def test_what_breaks_the_contract_is_refused_and_not_recorded(play: Play) -> None:
    async def story(store: Store) -> None:
        wrong = report(reads={"x": "job:a"}, confidence="SURE")
        unreadable = (Violation("commit", "WRONG_TYPE", "must be a text"),)
        with pytest.raises(Invalid) as refused:
            await declare(store, evolve(wrong, unreadable=unreadable))
        assert {one.field for one in refused.value.violations} == {
            "commit",
            "confidence",
            "dataset_reads[0].dataset_urn",
        }
        assert await store.container.feed().head() == 0

    play(story)


def test_endless_complaints_are_cut_short(play: Play) -> None:
    async def story(store: Store) -> None:
        blank = (ReportedEntry(),) * 1000
        names = (f"dataset_reads[{n}].entity_id" for n in range(4000))
        unreadable = tuple(Violation(name, "REQUIRED", "") for name in names)
        worst = evolve(report(), dataset_reads=blank, column_writes=blank, unreadable=unreadable)
        with pytest.raises(Invalid) as refused:
            await declare(store, worst)
        assert 200 <= len(refused.value.violations) <= 400

    play(story)


@pytest.mark.parametrize("then", ["applied", "superseded"])
def test_a_repeated_request_is_answered_as_the_first(play: Play, then: str) -> None:
    async def story(store: Store) -> None:
        if then == "superseded":
            await declare(store, report(commit="c0", updated_at=NOON + DAY / 2))
        by = evolve(ADMIN, request=RequestKey("key", "fingerprint"))
        first = await store.use_cases.declare_lineage(report(), by=by)
        await declare(store, report(commit="c2", updated_at=NOON + DAY))
        again = await store.use_cases.declare_lineage(report(), by=by)
        assert (first.replayed, again.replayed) == (False, True)
        assert first.outcome == again.outcome == then
        assert first.in_force == again.in_force

    play(story)


def test_racing_specs_end_with_the_newest(play: Play) -> None:
    async def story(store: Store) -> None:
        specs = [
            report(reads={ORDERS: f"job:n{n}"}, commit=f"c{n}", updated_at=NOON + n * DAY / 24)
            for n in range(9)
        ]
        racing = (
            store.use_cases.declare_lineage(one, by=ADMIN) for one in [*specs[::2], *specs[1::2]]
        )
        outcomes = [done.outcome for done in await asyncio.gather(*racing)]
        assert set(outcomes) <= {"applied", "superseded"}
        await store.project()
        assert await readers(store, ORDERS) == ["job:n8"]

    play(story)


# Impact


def test_downstream_through_several_producers_with_tiers(play: Play) -> None:
    async def story(store: Store) -> None:
        await store.use_cases.register_dataset(DatasetReport(INVOICES, SETTINGS), by=ADMIN)
        await store.use_cases.register_dataset(
            DatasetReport(ORDERS, Settings(display_name="O", tier=Tier.TIER_2, owner_team="o")),
            by=ADMIN,
        )
        await declare(
            store,
            report("a", reads={ORDERS: "job:a svc:x"}, writes={INVOICES: "job:a"}),
            report("b", reads={INVOICES: "job:b"}, writes={REVENUE: "job:b", ORDERS: "job:b"}),
        )
        impact = (await store.use_cases.read_impact(ORDERS, by=ADMIN)).value
        assert reached(impact) == [("job:a", 1), ("svc:x", 1), ("job:b", 2)]
        assert impact.entities[2].via == Place(INVOICES)
        assert [(one.dataset, one.distance, one.through) for one in impact.datasets] == [
            (INVOICES, 1, "job:a"),
            (REVENUE, 2, "job:b"),
        ]
        assert impact.tiers == {INVOICES: Tier.TIER_1}
        assert (impact.truncated, impact.depth_limit_reached) == (False, False)

    play(story)


def test_an_entity_declared_by_two_producers_is_one(play: Play) -> None:
    """One says what it reads, the other what it writes."""

    async def story(store: Store) -> None:
        await declare(
            store,
            report("a", reads={ORDERS: "job:x"}),
            report("b", writes={INVOICES: "job:x"}, confidence="LOW"),
            report("c", reads={INVOICES: "job:y"}),
        )
        impact = (await store.use_cases.read_impact(ORDERS, by=ADMIN)).value
        assert reached(impact) == [("job:x", 1), ("job:y", 2)]
        assert [one.confidence for one in impact.entities] == ["HIGH", "LOW"]

    play(story)


def test_by_column(play: Play) -> None:
    async def story(store: Store) -> None:
        await declare(
            store,
            report(
                "a",
                reads={col(ORDERS, "id"): "job:a", col(ORDERS, "sum"): "job:b", ORDERS: "job:c"},
                writes={col(INVOICES, "order"): "job:a", REVENUE: "job:a", INVOICES: "job:b"},
            ),
            report(
                "b",
                reads={
                    col(INVOICES, "order"): "job:exact",
                    col(INVOICES, "other"): "job:elsewhere",
                    REVENUE: "job:whole",
                },
            ),
        )
        by_id = (await store.use_cases.read_impact(ORDERS, "id", by=ADMIN)).value
        assert reached(by_id) == [("job:a", 1), ("job:exact", 2), ("job:whole", 2)]
        assert [(one.dataset, one.columns) for one in by_id.datasets] == [
            (INVOICES, ("order",)),
            (REVENUE, None),
        ]
        by_sum = (await store.use_cases.read_impact(ORDERS, "sum", by=ADMIN)).value
        assert reached(by_sum)[1:] == [("job:elsewhere", 2), ("job:exact", 2)]
        assert reached((await store.use_cases.read_impact(ORDERS, "unread", by=ADMIN)).value) == []
        assert len((await store.use_cases.read_impact(ORDERS, by=ADMIN)).value.entities) == 6

    play(story)


def test_the_depth_is_kept_and_told(play: Play) -> None:
    async def story(store: Store) -> None:
        urns = [DatasetUrn(f"urn:dp:d:n{n}:v1") for n in range(5)]
        reads: dict[str, str] = {urns[n]: f"job:n{n}" for n in range(4)}
        writes: dict[str, str] = {urns[n + 1]: f"job:n{n}" for n in range(4)}
        await declare(store, report(reads=reads, writes=writes))
        two = (await store.use_cases.read_impact(urns[0], depth=2, by=ADMIN)).value
        assert (reached(two), two.depth_limit_reached) == ([("job:n0", 1), ("job:n1", 2)], True)
        whole = (await store.use_cases.read_impact(urns[0], depth=5, by=ADMIN)).value
        assert (len(whole.entities), whole.depth_limit_reached) == (4, False)

    play(story)


def test_too_many_are_cut_and_it_is_told(play: Play) -> None:
    async def story(store: Store) -> None:
        names = [f"job:n{n:04}" for n in range(1000)]
        await declare(store, report("a", reads={ORDERS: " ".join(names)}))
        full = (await store.use_cases.read_impact(ORDERS, by=ADMIN)).value
        assert (len(full.entities), full.truncated) == (1000, False)
        await declare(store, report("b", reads={ORDERS: "job:zzz"}))
        cut = (await store.use_cases.read_impact(ORDERS, by=ADMIN)).value
        assert (len(cut.entities), cut.truncated) == (1000, True)

    play(story)


@pytest.mark.parametrize(("most", "truncated"), [(20 + 400 + 400, False), (819, True), (30, True)])
def test_a_dense_graph_costs_only_so_much(
    play: Play, monkeypatch: pytest.MonkeyPatch, most: int, truncated: bool
) -> None:
    """Twenty readers, the twenty datasets that each of them writes, and again the readers."""
    monkeypatch.setattr(walking, "MOST_LINKS", most)
    monkeypatch.setattr(walking, "PORTION", 7)

    async def story(store: Store) -> None:
        everyone = " ".join(f"job:n{n}" for n in range(20))
        dense = {f"urn:dp:d:n{n}:v1": everyone for n in range(20)}
        await declare(store, report(reads={ORDERS: everyone, **dense}, writes=dense))
        impact = (await store.use_cases.read_impact(ORDERS, by=ADMIN)).value
        assert impact.truncated is truncated
        assert len(impact.entities) == 20

    play(story)

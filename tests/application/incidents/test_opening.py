"""Opening incidents through the use cases, on every engine."""

import asyncio
from pathlib import Path

import pytest
from attrs import evolve

from application.caller import Caller
from application.errors import Forbidden
from application.incidents.opening import IncidentOpened
from application.incidents.read_model import IncidentFilter
from application.reads.paging import PageRequest
from domain.dataset.settings_validation import DatasetReport
from domain.errors import AlreadyExists, Impossible, Invalid, NotFound
from domain.ids import IncidentId, is_incident_id
from domain.incident.patch import IncidentPatch
from domain.incident.values import IncidentStatus
from domain.lineage.report import LineageReport, ReportedEntry
from tests.application.incidents.stories import (
    LATE,
    OTHER,
    RESOLVED,
    Play,
    incident,
    keyed,
    link,
    settled,
    slot,
)
from tests.application.store import ADMIN, ENGINES, ORDERS, SETTINGS, Store, open_store, report
from tests.support.scale import scaled


def test_opening(play: Play) -> None:
    """S0-204, S0-205, S0-206"""

    async def story(store: Store) -> None:
        opened = await store.use_cases.open_incident(incident(), by=ADMIN)
        assert is_incident_id(opened.incident)
        assert len(opened.incident) == len("INC-") + 26
        assert (opened.joined, opened.version, opened.replayed) == (False, 1, False)
        title = "Volume breach on orders:order_created - LATE_DATA:processed_at"
        await settled(store, opened.incident, owner_team="orders-platform", title=title)
        assert await slot(store) == await link(store) == opened.incident

    play(story)


def test_an_imported_name(play: Play) -> None:
    """T8"""

    async def story(store: Store) -> None:
        opened = await store.use_cases.open_incident(incident(incident_id="INC-7721"), by=ADMIN)
        assert opened.incident == "INC-7721"
        with pytest.raises(AlreadyExists) as told:
            await store.use_cases.open_incident(incident(OTHER, incident_id="INC-7721"), by=ADMIN)
        assert told.value.version == 1

    play(story)


def test_joining(play: Play) -> None:
    async def story(store: Store) -> None:
        first = await store.use_cases.open_incident(incident(), by=ADMIN)
        again = await store.use_cases.open_incident(incident(incident_id="INC-2"), by=ADMIN)
        assert (again.incident, again.joined, again.version) == (first.incident, True, 1)
        more = await store.use_cases.open_incident(incident(OTHER, LATE), by=ADMIN)
        assert (more.incident, more.joined, more.version) == (first.incident, True, 2)
        await settled(store, first.incident, signatures=(LATE, OTHER))
        with pytest.raises(NotFound):
            await store.use_cases.read_incident(IncidentId("INC-2"), by=ADMIN)

    play(story)


@pytest.mark.parametrize("engine", ENGINES)
def test_racing_creators_never_open_two(engine: str, tmp_path: Path) -> None:
    """The service is asked by all at once; every one of them brings evidence of its own."""

    async def scene() -> None:
        async with open_store(engine, tmp_path) as store:
            await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
            await store.use_cases.update_signal(report(0, state="CRITICAL"), by=ADMIN)
            many = scaled(200, 1000)

            async def creator(number: int) -> IncidentOpened:
                order = (LATE, OTHER) if number % 2 else (OTHER, LATE)
                said = incident(*order, evidence_sample=(f"evd-{number:026}",))
                created: IncidentOpened = await store.use_cases.open_incident(
                    said, by=keyed(f"k{number}")
                )
                return created

            opened = await asyncio.gather(*(creator(number) for number in range(many)))
            assert len({one.incident for one in opened}) == 1
            assert [one.joined for one in opened].count(False) == 1
            name = opened[0].incident
            assert await slot(store) == await slot(store, OTHER) == name
            await store.project()
            page = (
                await store.use_cases.list_incidents(IncidentFilter(), PageRequest(), by=ADMIN)
            ).value
            assert [card.incident for card in page.items] == [name]
            assert len(page.items[0].evidence) == 100

    asyncio.run(scene())


def test_racing_creators_resolvers_and_reopeners(play: Play) -> None:
    async def story(store: Store) -> None:
        opened = await store.use_cases.open_incident(incident(), by=ADMIN)

        async def creator() -> None:
            await store.use_cases.open_incident(incident(LATE, OTHER), by=ADMIN)

        async def resolver() -> None:
            await store.use_cases.change_incident(opened.incident, RESOLVED, by=ADMIN)

        async def reopener() -> None:
            await store.use_cases.reopen_incident(opened.incident, None, by=ADMIN)

        for _ in range(8):
            asked = [ask() for ask in (creator, resolver, reopener) for _ in range(4)]
            for outcome in await asyncio.gather(*asked, return_exceptions=True):
                assert outcome is None or isinstance(outcome, Impossible), outcome
            await store.project()
            wanted = IncidentFilter(statuses=(IncidentStatus.OPEN, IncidentStatus.ACKNOWLEDGED))
            page = (await store.use_cases.list_incidents(wanted, PageRequest(), by=ADMIN)).value
            held = {s: card.incident for card in page.items for s in card.signatures}
            assert len(held) == sum(len(card.signatures) for card in page.items)
            for signature in (LATE, OTHER):
                assert await slot(store, signature) == held.get(signature)
            assert (await link(store) is None) is (not page.items)

    play(story)


# What is refused.


def test_the_dataset_must_be_registered_and_in_service(play: Play) -> None:
    """Said together with everything else that is wrong."""

    async def story(store: Store) -> None:
        elsewhere = evolve(incident(severity="bad"), dataset_urn="urn:dp:orders:unknown:v1")
        with pytest.raises(Invalid) as told:
            await store.use_cases.open_incident(elsewhere, by=ADMIN)
        assert {v.code for v in told.value.violations} == {"UNKNOWN_VALUE", "NOT_REGISTERED"}
        with pytest.raises(Invalid) as told:
            await store.use_cases.open_incident(evolve(elsewhere, severity="SEV_1"), by=ADMIN)
        assert {v.code for v in told.value.violations} == {"NOT_REGISTERED"}
        with pytest.raises(Invalid) as told:
            await store.use_cases.open_incident(evolve(elsewhere, dataset_urn="x"), by=ADMIN)
        assert {v.code for v in told.value.violations} == {"UNKNOWN_VALUE", "MALFORMED"}
        await store.use_cases.retire_dataset(ORDERS, by=ADMIN)
        with pytest.raises(Invalid) as told:
            await store.use_cases.open_incident(incident(), by=ADMIN)
        assert [v.code for v in told.value.violations] == ["RETIRED"]

    play(story)


def test_who_may_not(play: Play) -> None:
    async def story(store: Store) -> None:
        nobody, name = Caller("nobody"), IncidentId("INC-0")
        for asked in (
            store.use_cases.open_incident(incident(), by=nobody),
            store.use_cases.change_incident(name, IncidentPatch(), by=nobody),
            store.use_cases.reopen_incident(name, None, by=nobody),
            store.use_cases.read_incident(name, by=nobody),
            store.use_cases.read_timeline(name, PageRequest(), by=nobody),
            store.use_cases.list_incidents(IncidentFilter(), PageRequest(), by=nobody),
        ):
            with pytest.raises(Forbidden):
                await asked

    play(story)


def test_the_blast_radius_counts_what_the_caller_declared_just_before(tmp_path: Path) -> None:
    """The lineage index may be behind: whoever declares and opens at once is waited for."""

    async def scene() -> None:
        async with open_store("memory", tmp_path) as store:
            await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
            await store.container.runner().resume()
            following = asyncio.create_task(store.container.runner().run())
            for number in range(12):
                job = f"job:j{number}"
                entry = ReportedEntry(ORDERS, job, job, "JOB")
                spec = LineageReport(
                    f"lspec:{job}:git:9f31c2d",
                    "HIGH",
                    "9f31c2d",
                    store.clock.at,
                    dataset_reads=(entry,),
                )
                await store.use_cases.declare_lineage(spec, by=ADMIN)
            opened = await store.use_cases.open_incident(incident(), by=ADMIN)
            card = (await store.use_cases.read_incident(opened.incident, by=ADMIN)).value
            assert card.blast_radius is not None
            assert card.blast_radius.downstream_count == 12
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)

    asyncio.run(scene())

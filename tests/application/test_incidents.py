"""Opening, changing and reading incidents through the use cases, on every engine."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from application.caller import Caller, RequestKey
from application.errors import Forbidden, KeyReused
from application.incidents import IncidentOpened
from application.paging import PageRequest
from application.ports.incident_board import IncidentFilter
from application.recorded import ERASED
from domain.errors import AlreadyExists, Impossible, Invalid, NotFound, VersionMismatch
from domain.fault import FaultSlot
from domain.ids import IncidentId, fault_stream, incident_stream, is_incident_id
from domain.incident import Status
from domain.incident_contract import IncidentPatch, IncidentReport, ReportedResolution
from domain.lineage_contract import LineageReport, ReportedEntry
from domain.severity import Severity
from tests.application.store import (
    ADMIN,
    ENGINES,
    ORDERS,
    SETTINGS,
    VOLUME,
    Store,
    open_store,
    report,
)
from tests.scale import scaled

LATE = "LATE_DATA:processed_at"
OTHER = "MISSING_FIELD:customer_id"
RESOLVED = IncidentPatch(
    status="RESOLVED", resolution=ReportedResolution("a deploy", resolved_by="joe")
)

Story = Callable[[Store], Awaitable[None]]
Play = Callable[[Story], None]


@pytest.fixture(params=ENGINES)
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Play:
    """Plays a story on a store that knows one dataset in breach."""

    def played(story: Story) -> None:
        async def scene() -> None:
            async with open_store(request.param, tmp_path) as store:
                await store.register_dataset(ORDERS, SETTINGS, by=ADMIN)
                await store.update_signal(report(0, state="CRITICAL"), by=ADMIN)
                await story(store)

        asyncio.run(scene())

    return played


def incident(*signatures: str, **given: Any) -> IncidentReport:
    said: dict[str, Any] = {"signal_types": (VOLUME,), "severity": "SEV_1", **given}
    return IncidentReport(ORDERS, failure_signatures=signatures or (LATE,), **said)


def keyed(key: str, fingerprint: str = "same", **more: Any) -> Caller:
    return evolve(ADMIN, request=RequestKey(key, fingerprint), **more)


async def settled(store: Store, name: IncidentId, **expected: Any) -> None:
    """What the board shows is what the facts say."""
    await store.project()
    card = await store.read_incident(name, by=ADMIN)
    assert await store.incident_board.incident(name) == card
    assert {what: getattr(card, what) for what in expected} == expected


async def slot(store: Store, signature: str = LATE) -> IncidentId | None:
    stream = fault_stream(ORDERS, signature)  # type: ignore[arg-type]  # a signature
    held: FaultSlot = await store.streams.state(stream, FaultSlot())
    return held.holder


async def link(store: Store) -> str | None:
    await store.project()
    told: str | None = (await store.read_signal(ORDERS, VOLUME, by=ADMIN)).incident_id
    return told


def test_opening(play: Play) -> None:
    """S0-204, S0-205, S0-206"""

    async def story(store: Store) -> None:
        opened = await store.open_incident(incident(), by=ADMIN)
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
        opened = await store.open_incident(incident(incident_id="INC-7721"), by=ADMIN)
        assert opened.incident == "INC-7721"
        with pytest.raises(AlreadyExists) as told:
            await store.open_incident(incident(OTHER, incident_id="INC-7721"), by=ADMIN)
        assert told.value.version == 1

    play(story)


def test_joining(play: Play) -> None:
    async def story(store: Store) -> None:
        first = await store.open_incident(incident(), by=ADMIN)
        again = await store.open_incident(incident(incident_id="INC-2"), by=ADMIN)
        assert (again.incident, again.joined, again.version) == (first.incident, True, 1)
        more = await store.open_incident(incident(OTHER, LATE), by=ADMIN)
        assert (more.incident, more.joined, more.version) == (first.incident, True, 2)
        await settled(store, first.incident, signatures=(LATE, OTHER))
        with pytest.raises(NotFound):
            await store.read_incident(IncidentId("INC-2"), by=ADMIN)

    play(story)


@pytest.mark.parametrize("engine", ENGINES)
def test_racing_creators_never_open_two(engine: str, tmp_path: Path) -> None:
    """The service is asked by all at once; every one of them brings evidence of its own."""

    async def scene() -> None:
        async with open_store(engine, tmp_path) as store:
            await store.register_dataset(ORDERS, SETTINGS, by=ADMIN)
            await store.update_signal(report(0, state="CRITICAL"), by=ADMIN)
            many = scaled(200, 1000)

            async def creator(number: int) -> IncidentOpened:
                order = (LATE, OTHER) if number % 2 else (OTHER, LATE)
                said = incident(*order, evidence_sample=(f"evd-{number:026}",))
                created: IncidentOpened = await store.open_incident(said, by=keyed(f"k{number}"))
                return created

            opened = await asyncio.gather(*(creator(number) for number in range(many)))
            assert len({one.incident for one in opened}) == 1
            assert [one.joined for one in opened].count(False) == 1
            name = opened[0].incident
            assert await slot(store) == await slot(store, OTHER) == name
            await store.project()
            page = await store.list_incidents(IncidentFilter(), PageRequest(), by=ADMIN)
            assert [card.incident for card in page.items] == [name]
            assert len(page.items[0].evidence) == 100

    asyncio.run(scene())


def test_racing_creators_resolvers_and_reopeners(play: Play) -> None:
    async def story(store: Store) -> None:
        opened = await store.open_incident(incident(), by=ADMIN)

        async def creator() -> None:
            await store.open_incident(incident(LATE, OTHER), by=ADMIN)

        async def resolver() -> None:
            await store.change_incident(opened.incident, RESOLVED, by=ADMIN)

        async def reopener() -> None:
            await store.reopen_incident(opened.incident, None, by=ADMIN)

        for _ in range(8):
            asked = [ask() for ask in (creator, resolver, reopener) for _ in range(4)]
            for outcome in await asyncio.gather(*asked, return_exceptions=True):
                assert outcome is None or isinstance(outcome, Impossible), outcome
            await store.project()
            wanted = IncidentFilter(statuses=(Status.OPEN, Status.ACKNOWLEDGED))
            page = await store.list_incidents(wanted, PageRequest(), by=ADMIN)
            held = {s: card.incident for card in page.items for s in card.signatures}
            assert len(held) == sum(len(card.signatures) for card in page.items)
            for signature in (LATE, OTHER):
                assert await slot(store, signature) == held.get(signature)
            assert (await link(store) is None) is (not page.items)

    play(story)


# Repeated requests.


def test_a_repeated_request_is_answered_as_the_first_time(play: Play) -> None:
    async def story(store: Store) -> None:
        first = await store.open_incident(incident(), by=keyed("a"))
        joined = await store.open_incident(incident(), by=keyed("b"))
        assert (first.joined, joined.joined) == (False, True)
        await store.change_incident(first.incident, RESOLVED, by=ADMIN)
        for key, before in (("a", first), ("b", joined)):
            again = await store.open_incident(incident(), by=keyed(key))
            assert again.replayed
            assert (again.incident, again.joined, again.version) == (
                before.incident,
                before.joined,
                1,
            )
        with pytest.raises(KeyReused):
            await store.open_incident(incident(OTHER), by=keyed("a", "another"))
        assert await slot(store) is None

    play(story)


def test_one_key_asked_many_times_at_once(play: Play) -> None:
    async def story(store: Store) -> None:
        asked = [store.open_incident(incident(), by=keyed("a")) for _ in range(20)]
        opened: list[IncidentOpened] = await asyncio.gather(*asked)
        assert len({(one.incident, one.joined) for one in opened}) == 1
        assert [one.replayed for one in opened].count(False) == 1
        assert await store.streams.version(incident_stream(opened[0].incident)) == 1

    play(story)


def test_a_repeated_change(play: Play) -> None:
    async def story(store: Store) -> None:
        name = (await store.open_incident(incident(), by=ADMIN)).incident
        first = await store.change_incident(name, RESOLVED, by=keyed("r"))
        await store.reopen_incident(name, "again", by=ADMIN)
        again = await store.change_incident(name, RESOLVED, by=keyed("r"))
        assert (first.version, again.version, again.replayed) == (2, 2, True)
        card = await store.read_incident(name, by=ADMIN, version=again.version)
        assert card.status is Status.RESOLVED
        await settled(store, name, status=Status.OPEN)

    play(story)


# What is refused.


def test_the_dataset_must_be_registered_and_in_service(play: Play) -> None:
    """Said together with everything else that is wrong."""

    async def story(store: Store) -> None:
        elsewhere = evolve(incident(severity="bad"), dataset_urn="urn:dp:orders:unknown:v1")
        with pytest.raises(Invalid) as told:
            await store.open_incident(elsewhere, by=ADMIN)
        assert {v.code for v in told.value.violations} == {"UNKNOWN_VALUE", "NOT_REGISTERED"}
        with pytest.raises(Invalid) as told:
            await store.open_incident(evolve(elsewhere, severity="SEV_1"), by=ADMIN)
        assert {v.code for v in told.value.violations} == {"NOT_REGISTERED"}
        with pytest.raises(Invalid) as told:
            await store.open_incident(evolve(elsewhere, dataset_urn="x"), by=ADMIN)
        assert {v.code for v in told.value.violations} == {"UNKNOWN_VALUE", "MALFORMED"}
        await store.retire_dataset(ORDERS, by=ADMIN)
        with pytest.raises(Invalid) as told:
            await store.open_incident(incident(), by=ADMIN)
        assert [v.code for v in told.value.violations] == ["RETIRED"]

    play(story)


def test_a_change_is_all_or_nothing(play: Play) -> None:
    async def story(store: Store) -> None:
        name = (await store.open_incident(incident(), by=ADMIN)).incident
        await store.change_incident(name, RESOLVED, by=ADMIN)
        patch = IncidentPatch(note="too late", severity="SEV_3")
        with pytest.raises(Impossible):
            await store.change_incident(name, patch, by=ADMIN)
        with pytest.raises(Invalid):
            await store.change_incident(name, IncidentPatch(note="x", severity="x"), by=ADMIN)
        await settled(store, name, version=2)

    play(story)


def test_a_stale_version_is_refused(play: Play) -> None:
    async def story(store: Store) -> None:
        name = (await store.open_incident(incident(), by=ADMIN)).incident
        patch = IncidentPatch(status="ACKNOWLEDGED", expected_version=1)
        await store.change_incident(name, patch, by=ADMIN)
        with pytest.raises(VersionMismatch) as told:
            await store.change_incident(name, evolve(patch, note="x"), by=ADMIN)
        assert (told.value.expected, told.value.current) == (1, 2)

    play(story)


def test_what_nobody_heard_of(play: Play) -> None:
    async def story(store: Store) -> None:
        name = IncidentId("INC-0")
        for asked in (
            store.change_incident(name, IncidentPatch(note="x"), by=ADMIN),
            store.reopen_incident(name, None, by=ADMIN),
            store.read_incident(name, by=ADMIN),
            store.read_timeline(name, PageRequest(), by=ADMIN),
        ):
            with pytest.raises(NotFound):
                await asked

    play(story)


def test_who_may_not(play: Play) -> None:
    async def story(store: Store) -> None:
        nobody, name = Caller("nobody"), IncidentId("INC-0")
        for asked in (
            store.open_incident(incident(), by=nobody),
            store.change_incident(name, IncidentPatch(), by=nobody),
            store.reopen_incident(name, None, by=nobody),
            store.read_incident(name, by=nobody),
            store.read_timeline(name, PageRequest(), by=nobody),
            store.list_incidents(IncidentFilter(), PageRequest(), by=nobody),
        ):
            with pytest.raises(Forbidden):
                await asked

    play(story)


# From the opening to the end, and back.


def test_resolving_and_reopening(play: Play) -> None:
    async def story(store: Store) -> None:
        name = (await store.open_incident(incident(), by=ADMIN)).incident
        store.clock.at += timedelta(minutes=2)
        await store.change_incident(name, IncidentPatch(status="ACKNOWLEDGED"), by=ADMIN)
        store.clock.at += timedelta(minutes=3)
        await store.change_incident(name, RESOLVED, by=ADMIN)
        await settled(store, name, status=Status.RESOLVED, mtta_seconds=120, mttr_seconds=300)
        assert await slot(store) is await link(store) is None
        await store.reopen_incident(name, "it came back", by=ADMIN)
        await settled(store, name, status=Status.OPEN, mtta_seconds=120, mttr_seconds=None)
        assert await slot(store) == await link(store) == name

    play(story)


def test_reopening_is_refused_when_it_is_too_late_or_taken(play: Play) -> None:
    async def story(store: Store) -> None:
        name = (await store.open_incident(incident(), by=ADMIN)).incident
        await store.change_incident(name, RESOLVED, by=ADMIN)
        other = (await store.open_incident(incident(), by=ADMIN)).incident
        with pytest.raises(Impossible) as told:
            await store.reopen_incident(name, None, by=ADMIN)
        assert other in str(told.value)
        await store.change_incident(other, RESOLVED, by=ADMIN)
        store.clock.at += timedelta(days=7, milliseconds=1)
        with pytest.raises(Impossible):
            await store.reopen_incident(name, None, by=ADMIN)

    play(story)


def test_the_timeline_tells_who_did_what(play: Play) -> None:
    async def story(store: Store) -> None:
        name = (await store.open_incident(incident(), by=ADMIN)).incident
        joe = evolve(ADMIN, principal="joe", correlation_id="cor-1")
        patch = IncidentPatch(status="ACKNOWLEDGED", assigns=True, oncall_user="joe", note="x")
        await store.change_incident(name, patch, by=joe)
        first = await store.read_timeline(name, PageRequest(3), by=ADMIN)
        rest = await store.read_timeline(name, PageRequest(3, first.next), by=ADMIN)
        assert (len(first.items), rest.next) == (3, None)
        told = [*first.items, *rest.items]
        assert [type(one.fact).__name__ for one in told] == [
            "Opened",
            "Acknowledged",
            "Assigned",
            "Noted",
        ]
        assert [one.by for one in told] == [ADMIN.principal, "joe", "joe", "joe"]
        assert [one.version for one in told] == [1, 2, 3, 4]
        assert told[1].correlation_id == "cor-1"

    play(story)


def test_lists_and_health(play: Play) -> None:
    async def story(store: Store) -> None:
        one = (await store.open_incident(incident(severity="SEV_2"), by=ADMIN)).incident
        two = (await store.open_incident(incident(OTHER), by=ADMIN)).incident
        await store.project()
        health = await store.read_health(ORDERS, by=ADMIN)
        assert [card.incident for card in health.incidents] == [two, one]
        await store.change_incident(two, RESOLVED, by=ADMIN)
        await store.project()
        health = await store.read_health(ORDERS, by=ADMIN)
        assert [card.incident for card in health.incidents] == [one]
        wanted = IncidentFilter(severities=(Severity.SEV_1,))
        page = await store.list_incidents(wanted, PageRequest(), by=ADMIN)
        assert [card.incident for card in page.items] == [two]

    play(story)


def test_people_can_be_erased(play: Play) -> None:
    async def story(store: Store) -> None:
        name = (await store.open_incident(incident(), by=ADMIN)).incident
        patch = IncidentPatch(assigns=True, oncall_user="joe")
        await store.change_incident(name, patch, by=ADMIN)
        await store.change_incident(name, RESOLVED, by=ADMIN)
        await store.project()
        assert await store.erase_person("joe", by=ADMIN)
        await store.reopen_incident(name, None, by=ADMIN)
        await settled(store, name, oncall_user=ERASED, version=4)

    play(story)


def test_nobody_is_in_the_files(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_store("embedded", tmp_path, STATESTORE_SNAPSHOT_EVERY="1") as store:
            await store.register_dataset(ORDERS, SETTINGS, by=ADMIN)
            name = (await store.open_incident(incident(), by=ADMIN)).incident
            patch = IncidentPatch(assigns=True, oncall_user="joe@company.example")
            await store.change_incident(name, patch, by=ADMIN)
            solved = ReportedResolution("a deploy", resolved_by="jim@company.example")
            await store.change_incident(
                name, IncidentPatch(status="RESOLVED", resolution=solved), by=ADMIN
            )
            await store.project()

    asyncio.run(scene())
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert b"a deploy" in written
    assert b"joe@" not in written
    assert b"jim@" not in written


def test_the_blast_radius_counts_what_the_caller_declared_just_before(tmp_path: Path) -> None:
    """The lineage index may be behind: whoever declares and opens at once is waited for."""

    async def scene() -> None:
        async with open_store("memory", tmp_path) as store:
            await store.register_dataset(ORDERS, SETTINGS, by=ADMIN)
            await store.runner.resume()
            following = asyncio.create_task(store.runner.run())
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
                await store.declare_lineage(spec, by=ADMIN)
            opened = await store.open_incident(incident(), by=ADMIN)
            card = await store.read_incident(opened.incident, by=ADMIN)
            assert card.blast_radius.downstream_count == 12
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)

    asyncio.run(scene())

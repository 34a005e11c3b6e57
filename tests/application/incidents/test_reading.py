"""What can be read of incidents, and of whom."""

import asyncio
from pathlib import Path

from attrs import evolve

from application.incidents.read_model import IncidentFilter
from application.reads.paging import PageRequest
from application.recorded import ERASED
from domain.dataset.settings_validation import DatasetReport
from domain.incident.patch import IncidentPatch, ReportedResolution
from domain.incident.severity import Severity
from tests.application.incidents.stories import OTHER, RESOLVED, Play, incident, settled
from tests.application.store import ADMIN, ORDERS, SETTINGS, Store, open_store


def test_the_timeline_tells_who_did_what(play: Play) -> None:
    async def story(store: Store) -> None:
        name = (await store.use_cases.open_incident(incident(), by=ADMIN)).incident
        joe = evolve(ADMIN, principal="joe", correlation_id="cor-1")
        patch = IncidentPatch(status="ACKNOWLEDGED", assigns=True, oncall_user="joe", note="x")
        await store.use_cases.change_incident(name, patch, by=joe)
        first = (await store.use_cases.read_timeline(name, PageRequest(3), by=ADMIN)).value
        rest = (
            await store.use_cases.read_timeline(name, PageRequest(3, first.next), by=ADMIN)
        ).value
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
        one = (await store.use_cases.open_incident(incident(severity="SEV_2"), by=ADMIN)).incident
        two = (await store.use_cases.open_incident(incident(OTHER), by=ADMIN)).incident
        await store.project()
        health = (await store.use_cases.read_health(ORDERS, by=ADMIN)).value
        assert [card.incident for card in health.incidents] == [two, one]
        await store.use_cases.change_incident(two, RESOLVED, by=ADMIN)
        await store.project()
        health = (await store.use_cases.read_health(ORDERS, by=ADMIN)).value
        assert [card.incident for card in health.incidents] == [one]
        wanted = IncidentFilter(severities=(Severity.SEV_1,))
        page = (await store.use_cases.list_incidents(wanted, PageRequest(), by=ADMIN)).value
        assert [card.incident for card in page.items] == [two]

    play(story)


def test_people_can_be_erased(play: Play) -> None:
    async def story(store: Store) -> None:
        name = (await store.use_cases.open_incident(incident(), by=ADMIN)).incident
        patch = IncidentPatch(assigns=True, oncall_user="joe")
        await store.use_cases.change_incident(name, patch, by=ADMIN)
        await store.use_cases.change_incident(name, RESOLVED, by=ADMIN)
        await store.project()
        assert await store.use_cases.erase_person("joe", by=ADMIN)
        await store.use_cases.reopen_incident(name, None, by=ADMIN)
        await settled(store, name, oncall_user=ERASED, version=4)

    play(story)


def test_nobody_is_in_the_files(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_store("embedded", tmp_path, STATESTORE_SNAPSHOT_EVERY="1") as store:
            await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
            name = (await store.use_cases.open_incident(incident(), by=ADMIN)).incident
            patch = IncidentPatch(assigns=True, oncall_user="joe@company.example")
            await store.use_cases.change_incident(name, patch, by=ADMIN)
            solved = ReportedResolution("a deploy", resolved_by="jim@company.example")
            await store.use_cases.change_incident(
                name, IncidentPatch(status="RESOLVED", resolution=solved), by=ADMIN
            )
            await store.project()

    asyncio.run(scene())
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert b"a deploy" in written
    assert b"joe@" not in written
    assert b"jim@" not in written

"""Changing incidents through the use cases: all or nothing, and back again."""

from datetime import timedelta

import pytest
from attrs import evolve

from application.reads.paging import PageRequest
from domain.errors import Impossible, Invalid, NotFound, VersionMismatch
from domain.ids import IncidentId
from domain.incident.patch import IncidentPatch
from domain.incident.values import IncidentStatus
from tests.application.incidents.stories import RESOLVED, Play, incident, link, settled, slot
from tests.application.store import ADMIN, Store


def test_a_change_is_all_or_nothing(play: Play) -> None:
    async def story(store: Store) -> None:
        name = (await store.use_cases.open_incident(incident(), by=ADMIN)).incident
        await store.use_cases.change_incident(name, RESOLVED, by=ADMIN)
        patch = IncidentPatch(note="too late", severity="SEV_3")
        with pytest.raises(Impossible):
            await store.use_cases.change_incident(name, patch, by=ADMIN)
        with pytest.raises(Invalid):
            await store.use_cases.change_incident(
                name, IncidentPatch(note="x", severity="x"), by=ADMIN
            )
        await settled(store, name, version=2)

    play(story)


def test_a_stale_version_is_refused(play: Play) -> None:
    async def story(store: Store) -> None:
        name = (await store.use_cases.open_incident(incident(), by=ADMIN)).incident
        patch = IncidentPatch(status="ACKNOWLEDGED", expected_version=1)
        await store.use_cases.change_incident(name, patch, by=ADMIN)
        with pytest.raises(VersionMismatch) as told:
            await store.use_cases.change_incident(name, evolve(patch, note="x"), by=ADMIN)
        assert (told.value.expected, told.value.current) == (1, 2)

    play(story)


def test_what_nobody_heard_of(play: Play) -> None:
    async def story(store: Store) -> None:
        name = IncidentId("INC-0")
        for asked in (
            store.use_cases.change_incident(name, IncidentPatch(note="x"), by=ADMIN),
            store.use_cases.reopen_incident(name, None, by=ADMIN),
            store.use_cases.read_incident(name, by=ADMIN),
            store.use_cases.read_timeline(name, PageRequest(), by=ADMIN),
        ):
            with pytest.raises(NotFound):
                await asked

    play(story)


def test_resolving_and_reopening(play: Play) -> None:
    async def story(store: Store) -> None:
        name = (await store.use_cases.open_incident(incident(), by=ADMIN)).incident
        store.clock.at += timedelta(minutes=2)
        await store.use_cases.change_incident(name, IncidentPatch(status="ACKNOWLEDGED"), by=ADMIN)
        store.clock.at += timedelta(minutes=3)
        await store.use_cases.change_incident(name, RESOLVED, by=ADMIN)
        await settled(
            store, name, status=IncidentStatus.RESOLVED, mtta_seconds=120, mttr_seconds=300
        )
        assert await slot(store) is await link(store) is None
        await store.use_cases.reopen_incident(name, "it came back", by=ADMIN)
        await settled(store, name, status=IncidentStatus.OPEN, mtta_seconds=120, mttr_seconds=None)
        assert await slot(store) == await link(store) == name

    play(story)


def test_reopening_is_refused_when_it_is_too_late_or_taken(play: Play) -> None:
    async def story(store: Store) -> None:
        name = (await store.use_cases.open_incident(incident(), by=ADMIN)).incident
        await store.use_cases.change_incident(name, RESOLVED, by=ADMIN)
        other = (await store.use_cases.open_incident(incident(), by=ADMIN)).incident
        with pytest.raises(Impossible) as told:
            await store.use_cases.reopen_incident(name, None, by=ADMIN)
        assert other in str(told.value)
        await store.use_cases.change_incident(other, RESOLVED, by=ADMIN)
        store.clock.at += timedelta(days=7, milliseconds=1)
        with pytest.raises(Impossible):
            await store.use_cases.reopen_incident(name, None, by=ADMIN)

    play(story)

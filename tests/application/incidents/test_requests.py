"""Requests about incidents that are repeated with their key."""

import asyncio

import pytest

from application.errors import KeyReused
from application.incidents.opening import IncidentOpened
from domain.incident.values import IncidentStatus
from domain.stream_categories import incident_stream
from tests.application.incidents.stories import (
    OTHER,
    RESOLVED,
    Play,
    incident,
    keyed,
    settled,
    slot,
)
from tests.application.store import ADMIN, Store


def test_a_repeated_request_is_answered_as_the_first_time(play: Play) -> None:
    async def story(store: Store) -> None:
        first = await store.use_cases.open_incident(incident(), by=keyed("a"))
        joined = await store.use_cases.open_incident(incident(), by=keyed("b"))
        assert (first.joined, joined.joined) == (False, True)
        await store.use_cases.change_incident(first.incident, RESOLVED, by=ADMIN)
        for key, before in (("a", first), ("b", joined)):
            again = await store.use_cases.open_incident(incident(), by=keyed(key))
            assert again.replayed
            assert (again.incident, again.joined, again.version) == (
                before.incident,
                before.joined,
                1,
            )
        with pytest.raises(KeyReused):
            await store.use_cases.open_incident(incident(OTHER), by=keyed("a", "another"))
        assert await slot(store) is None

    play(story)


def test_one_key_asked_many_times_at_once(play: Play) -> None:
    async def story(store: Store) -> None:
        asked = [store.use_cases.open_incident(incident(), by=keyed("a")) for _ in range(20)]
        opened: list[IncidentOpened] = await asyncio.gather(*asked)
        assert len({(one.incident, one.joined) for one in opened}) == 1
        assert [one.replayed for one in opened].count(False) == 1
        assert await store.container.streams().version(incident_stream(opened[0].incident)) == 1

    play(story)


def test_a_repeated_change(play: Play) -> None:
    async def story(store: Store) -> None:
        name = (await store.use_cases.open_incident(incident(), by=ADMIN)).incident
        first = await store.use_cases.change_incident(name, RESOLVED, by=keyed("r"))
        await store.use_cases.reopen_incident(name, "again", by=ADMIN)
        again = await store.use_cases.change_incident(name, RESOLVED, by=keyed("r"))
        assert (first.version, again.version, again.replayed) == (2, 2, True)
        card = (await store.use_cases.read_incident(name, by=ADMIN, version=again.version)).value
        assert card.status is IncidentStatus.RESOLVED
        await settled(store, name, status=IncidentStatus.OPEN)

    play(story)

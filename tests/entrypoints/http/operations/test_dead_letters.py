"""Events that sinks would not take: seen, sent again, dropped."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from dependency_injector import providers

from application.delivery.dead_lettering import set_aside
from application.delivery.event import Event
from domain.delivery.dead_letter import SetAside
from tests.application.delivery.outboxes import AWAY, LATER, NEVER, ToldSink
from tests.application.delivery.published_events import fitting
from tests.entrypoints.http.api import Api, problem

PATH = "/api/v1/dead-letters"


@pytest.fixture
def sink(api: Api) -> Iterator[ToldSink]:
    made = ToldSink(name="webhook-oncall")
    with api.container.sinks.override(providers.Object({made.name: made})):
        yield made


def letters(api: Api, *sinks: str) -> Sequence[Event]:
    """The events of all that was recorded, as letters that the sinks would not take."""

    async def made() -> Sequence[Event]:
        facts = await api.container.feed().read(0, 100)
        events = await api.container.announcements().of_all(facts)
        for event in events:
            for name in sinks:
                why = SetAside(event.event_type.value, event.position, "it answered with 400", 3)
                await set_aside(api.container.logged_streams(), name, event.event_id, why)
        await api.container.runner().catch_up()
        return events

    return api.loop.run(made())


def listed(api: Api, **query: str) -> list[dict[str, Any]]:
    answer = api.get(PATH, params=query)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["dead_letters"]
    return found


def test_what_was_set_aside_is_listed_and_counted(api: Api) -> None:
    api.registered()
    (event,) = letters(api, "sns", "webhook-oncall")
    assert [one["sink"] for one in listed(api)] == ["sns", "webhook-oncall"]
    (letter,) = listed(api, sink="sns")
    del letter["dead_lettered_at"]
    assert letter == {
        "sink": "sns",
        "event_id": event.event_id,
        "event_type": "DATASET_CONFIG_CHANGED",
        "position": event.token,
        "reason": "it answered with 400",
        "attempts": 3,
    }
    assert listed(api, sink="sn") == []
    assert api.get("/health").json()["dead_letters"] == 2


def test_lists_come_in_pages(api: Api) -> None:
    path = api.registered()
    api.delete(path)
    letters(api, "sns", "webhook-oncall")
    seen, token = [], None
    while True:
        query = {"page_size": "1", **({"page_token": token} if token else {})}
        page = api.get(PATH, params=query).json()
        seen += [(one["sink"], one["event_id"]) for one in page["dead_letters"]]
        token = page["next_page_token"]
        if token is None:
            break
    assert seen == sorted(seen)
    assert len(seen) == 4


def test_a_letter_is_shown_with_its_event(api: Api) -> None:
    api.registered()
    (event,) = letters(api, "sns")
    shown = api.get(f"{PATH}/sns/{event.event_id}").json()
    assert fitting(shown["event"]) == event.document()
    assert (shown["reason"], shown["attempts"]) == ("it answered with 400", 3)


def test_whoever_was_erased_is_not_named_in_a_letter(api: Api) -> None:
    api.registered()
    (event,) = letters(api, "sns")
    who = api.get(f"{PATH}/sns/{event.event_id}").json()["event"]["updated_by"]
    api.post("/api/v1/people/erasure", {"person": who})
    shown = api.get(f"{PATH}/sns/{event.event_id}").json()
    assert shown["event"]["updated_by"] == "[erased]"


def test_a_letter_that_is_sent_again_is_gone(api: Api, sink: ToldSink) -> None:
    api.registered()
    (event,) = letters(api, sink.name)
    path = f"{PATH}/{sink.name}/{event.event_id}"
    assert api.post(f"{path}/resend").json() == {"sink": sink.name, "event_id": event.event_id}
    assert sink.received == [event]
    assert listed(api) == []
    assert problem(api.get(path))["code"] == "NOT_FOUND"
    assert api.post(f"{path}/resend").status_code == 404
    assert len(sink.received) == 1


@pytest.mark.parametrize(
    ("answer", "status", "code"),
    [
        (LATER, 502, "DELIVERY_REJECTED"),
        (NEVER, 502, "DELIVERY_REJECTED"),
        (AWAY, 503, "UNAVAILABLE"),
    ],
)
def test_a_letter_that_is_refused_again_stays(
    api: Api, sink: ToldSink, answer: str, status: int, code: str
) -> None:
    api.registered()
    (event,) = letters(api, sink.name)
    sink.answers = iter([answer])
    refused = api.post(f"{PATH}/{sink.name}/{event.event_id}/resend")
    assert refused.status_code == status
    assert problem(refused)["code"] == code
    assert len(listed(api)) == 1


def test_a_letter_to_nobody_stays_until_it_is_dropped(api: Api, sink: ToldSink) -> None:
    api.registered()
    (event,) = letters(api, "sns")
    path = f"{PATH}/sns/{event.event_id}"
    assert "sink sns does not exist" in problem(api.post(f"{path}/resend"))["detail"]
    assert api.delete(path).status_code == 200
    assert listed(api) == []
    assert api.delete(path).status_code == 404


def test_what_was_dropped_may_be_set_aside_again(api: Api) -> None:
    api.registered()
    (event,) = letters(api, "sns")
    letters(api, "sns")
    assert len(listed(api)) == 1
    api.delete(f"{PATH}/sns/{event.event_id}")
    letters(api, "sns")
    assert len(listed(api)) == 1


@pytest.mark.parametrize("name", ["SNS/x", f"sns/{'0' * 32}", f"{'s' * 61}/{'0' * 32}"])
def test_what_is_no_letter_is_not_found(api: Api, name: str) -> None:
    assert api.get(f"{PATH}/{name}").status_code == 404
    assert api.delete(f"{PATH}/{name}").status_code == 404

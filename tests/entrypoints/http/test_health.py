"""Probes, and how the store says it is (S0-169)."""

from attrs import frozen
from dependency_injector import providers

from application.errors import Unavailable
from application.position import Position
from application.projections.progress import Progress, Reached
from tests.entrypoints.http.api import NOW, Api


@frozen
class Head:
    """A log of which only the end is asked."""

    at: int

    async def head(self) -> int:
        return self.at


class NoLog:
    async def head(self) -> int:
        raise Unavailable("the event log", "the disk is full")


def test_probes_need_no_token(api: Api) -> None:
    del api.client.headers["Authorization"]
    for path in ("/livez", "/readyz", "/health", "/docs", "/openapi.json"):
        assert api.get(path).status_code == 200
    assert api.get("/livez").json() == {"status": "ok"}


def test_how_far_everything_is(api: Api) -> None:
    api.registered()
    told = api.get("/health").json()
    position = Position(1).token()
    up_to_date = {"position": position, "lag_events": 0, "lag_seconds": 0.0}
    assert told == {
        "status": "ok",
        "reason": None,
        "engine": "memory",
        "position": position,
        "projections": {
            "dead-letters": up_to_date,
            "lineage-index": up_to_date,
            "incident-board": up_to_date,
            "registry": up_to_date,
            "resolution-map": up_to_date,
            "signal-board": up_to_date,
        },
        "policies": {},
        "sinks": {},
        "dead_letters": 0,
    }


def test_how_far_the_policies_are_and_why_they_do_not_act(api: Api) -> None:
    api.registered()
    policies = Progress()
    policies.moved("auto-resolve", Reached(0, NOW))
    with api.container.policy_progress.override(providers.Object(policies)):
        told = api.get("/health")
        assert (told.status_code, told.json()["status"]) == (200, "ok")
        assert told.json()["policies"]["auto-resolve"]["lag_events"] == 1
        policies.stuck("auto-resolve", "the disk is full")
        told = api.get("/health")
        assert (told.status_code, told.json()["status"]) == (503, "degraded")
        assert told.json()["reason"] == "not all policies act: auto-resolve: the disk is full"
        assert api.get("/readyz").status_code == 200


def test_a_sink_that_takes_nothing_is_told_and_the_store_is_ok(api: Api) -> None:
    api.registered()
    outboxes = Progress()
    outboxes.moved("sns", Reached(0, NOW))
    outboxes.stuck("sns", "no connection")
    with api.container.outbox_progress.override(providers.Object(outboxes)):
        told = api.get("/health")
        assert (told.status_code, told.json()["status"]) == (200, "ok")
        assert told.json()["sinks"]["sns"] == {
            "position": Position(0).token(),
            "lag_events": 1,
            "lag_seconds": 0.0,
            "trouble": "no connection",
        }


def test_not_ready_before_the_projections_started(api: Api) -> None:
    with api.container.progress.override(providers.Object(Progress())):
        answer = api.get("/readyz")
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "1"
        assert answer.json()["code"] == "UNAVAILABLE"
        assert api.get("/livez").status_code == 200
        assert api.get("/health").status_code == 503


def test_not_ready_far_behind_or_stopped(api: Api) -> None:
    progress = Progress()
    progress.moved("registry", Reached(10, NOW))
    with api.container.progress.override(providers.Object(progress)):
        with api.container.feed.override(providers.Object(Head(1010))):
            assert api.get("/readyz").status_code == 200
        with api.container.feed.override(providers.Object(Head(1011))):
            assert api.get("/readyz").status_code == 503
            told = api.get("/health")
            assert told.status_code == 503
            assert told.json()["status"] == "degraded"
            assert told.json()["reason"] == "registry is 1001 events behind"
            assert told.json()["projections"]["registry"]["lag_events"] == 1001
        progress.stuck("projections", "a fact nobody knows")
        assert "a fact nobody knows" in api.get("/readyz").json()["detail"]


def test_without_the_store(api: Api) -> None:
    with api.container.feed.override(providers.Object(NoLog())):
        assert api.get("/readyz").status_code == 503
        told = api.get("/health")
        assert told.status_code == 503
        assert told.json()["status"] == "unavailable"
        assert api.get("/livez").status_code == 200

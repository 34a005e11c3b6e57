"""Probes, and how the store says it is (S0-169)."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from attrs import frozen
from dependency_injector import providers

from application.errors import Damaged, Unavailable
from application.evidence.maintenance import SORTED_EVERY
from application.projections.progress import Progress, Reached
from application.projections.quarantined_facts import SetAside
from application.reads.position import Position
from application.recorded import Recorded
from domain.streams import StreamId
from tests.application.evidence.samples import Broken
from tests.entrypoints.http.api import ENGINE, EVIDENCE, NOW, ORDERS, Api


@frozen
class Head:
    """A log with so many facts, of which nothing but the time matters."""

    at: int

    async def head(self) -> int:
        return self.at

    async def read(self, after: int, limit: int) -> Sequence[Recorded]:
        return [recorded(after + 1)]


def recorded(position: int) -> Recorded:
    """A fact that has been waiting for a minute."""
    at = NOW - timedelta(minutes=1)
    return Recorded(position, at, StreamId("dataset-x"), 1, None, b"", "", "")


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
        "engine": ENGINE,
        "position": position,
        "projections": {
            "dead-letters": {**up_to_date, "quarantined": 0},
            "stream-directory": {**up_to_date, "quarantined": 0},
            "lineage-index": {**up_to_date, "quarantined": 0},
            "incident-index": {**up_to_date, "quarantined": 0},
            "dataset-registry": {**up_to_date, "quarantined": 0},
            "dataset-resolution": {**up_to_date, "quarantined": 0},
            "signal-state": {**up_to_date, "quarantined": 0},
        },
        "policies": {},
        "sinks": {},
        "cache": {"status": "ok", "error": None},
        "evidence": {
            "status": "ok",
            "error": None,
            "waiting": 0,
            "cache_complete": False,
            "batches_not_in_cache": 0,
            "batches_damaged": 0,
            "batches_not_compacted": None,
        },
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
            "error": "no connection",
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
    progress.moved("dataset-registry", Reached(10, NOW))
    with api.container.progress.override(providers.Object(progress)):
        with api.container.feed.override(providers.Object(Head(1010))):
            assert api.get("/readyz").status_code == 200
        with api.container.feed.override(providers.Object(Head(1011))):
            assert api.get("/readyz").status_code == 503
            told = api.get("/health")
            assert told.status_code == 503
            assert told.json()["status"] == "degraded"
            assert told.json()["reason"] == "dataset-registry is 1001 events behind"
            lagging = told.json()["projections"]["dataset-registry"]
            assert (lagging["lag_events"], lagging["lag_seconds"]) == (1001, 60.0)
        progress.stuck("projections", "a fact nobody knows")
        assert "a fact nobody knows" in api.get("/readyz").json()["detail"]


def test_facts_that_were_set_aside_are_counted(api: Api) -> None:
    api.registered()
    fact = SetAside("dataset-registry", 2, "0a", NOW, "KeyError: 'tier'")
    api.loop.run(api.container.cards().file("dataset-registry", {fact.key: (fact, 2)}, upto=2))
    told = api.get("/health")
    assert (told.status_code, told.json()["status"]) == (503, "degraded")
    assert (
        told.json()["reason"] == "not all facts could be folded: dataset-registry has set aside 1"
    )
    aside = {name: one["quarantined"] for name, one in told.json()["projections"].items()}
    assert (aside.pop("dataset-registry"), set(aside.values())) == (1, {0})
    assert api.get("/readyz").status_code == 200


def test_an_archive_of_evidence_that_is_away_is_told_until_it_is_back(api: Api) -> None:
    api.registered()
    away = Broken(api.container.evidence_archive(), {"batches", "keep"})
    upkeep = api.container.evidence_upkeep()
    whole, upkeep.archive = upkeep.archive, away
    api.loop.run(upkeep.observe())
    told = api.get("/health")
    assert (told.status_code, told.json()["status"]) == (503, "degraded")
    reason = "the archive cannot be read: it is unavailable: it is broken"
    assert told.json()["reason"] == f"evidence is in trouble: {reason}"
    assert told.json()["evidence"]["error"] == reason
    assert api.get("/readyz").status_code == 200
    upkeep.archive = whole
    api.loop.run(upkeep.look())
    told = api.get("/health")
    assert (told.status_code, told.json()["evidence"]["cache_complete"]) == (200, True)
    assert told.json()["evidence"]["batches_not_compacted"] == 0


def test_damage_that_only_a_reader_met_is_told(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    async def damaged(*_: object) -> None:
        raise Damaged("ids/42 in the evidence archive", "a checksum differs")

    archive = api.container.evidence_archive()
    with monkeypatch.context() as patched:
        patched.setattr(type(archive), "named", damaged)
        assert api.get(f"/api/v1/evidence/{EVIDENCE}").json()["code"] == "DATA_CORRUPTED"
    told = api.get("/health")
    assert (told.status_code, told.json()["status"]) == (503, "degraded")
    assert "ids/42 in the evidence archive is damaged" in told.json()["evidence"]["error"]
    api.loop.run(api.container.evidence_upkeep().look())
    assert api.get("/health").json()["evidence"]["error"] is None


@pytest.mark.parametrize("error", [Unavailable, Damaged])
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("named", f"/api/v1/evidence?ids={EVIDENCE}"),
        ("of_dataset", f"/api/v1/datasets/{ORDERS}/evidence"),
    ],
)
def test_a_cache_that_does_not_answer_a_reader_is_told(
    api: Api,
    monkeypatch: pytest.MonkeyPatch,
    error: type[Unavailable],
    method: str,
    path: str,
) -> None:
    """Though the archive answers instead."""

    async def away(*_: object) -> None:
        raise error("the file", "it is odd")

    upkeep = api.container.evidence_upkeep()
    api.loop.run(upkeep.look())
    with monkeypatch.context() as patched:
        patched.setattr(type(api.container.evidence_cache()), method, away)
        assert api.get(path).status_code == 200
    told = api.get("/health").json()["evidence"]["error"]
    assert told.startswith("the cache cannot be read: the file is ")
    for _ in range(SORTED_EVERY):
        api.loop.run(upkeep.look())
    assert api.get("/health").json()["evidence"]["error"] is None


def test_without_the_store(api: Api) -> None:
    with api.container.feed.override(providers.Object(NoLog())):
        assert api.get("/readyz").status_code == 503
        told = api.get("/health")
        assert told.status_code == 503
        assert told.json()["status"] == "unavailable"
        assert api.get("/livez").status_code == 200

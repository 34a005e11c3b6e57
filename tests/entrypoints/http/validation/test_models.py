"""Reading as of a moment, after a position, and strongly (issue: as of, read your writes)."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest

from application.reads.position import Position
from domain.timestamps import stamp
from tests.entrypoints.http.api import NOW, ORDERS, Api, fields, problem, serving, update
from tests.entrypoints.http.incidents.calls import RESOLVED
from tests.entrypoints.http.lineage.test_lineage import INVOICES, PATH, column, spec

DATASET = f"/api/v1/datasets/{ORDERS}"
SIGNAL = f"{DATASET}/signals/CONTRACT_COMPLIANCE"
INCIDENT = "/api/v1/incidents/INC-1"
HOUR = timedelta(hours=1)

STRONG_TOO = (SIGNAL, f"{DATASET}/signals", f"{DATASET}/health", DATASET, INCIDENT)
READS = (
    *STRONG_TOO,
    f"{SIGNAL}/history",
    "/api/v1/signals",
    "/api/v1/datasets",
    f"{DATASET}/versions",
    f"{DATASET}/resolution-rules",
    f"{DATASET}/resolution-rules/default",
    "/api/v1/incidents",
    f"/api/v1/incidents?dataset_urn={ORDERS}",
    f"{INCIDENT}/timeline",
    f"{INCIDENT}/impact",
    f"{DATASET}/readers",
    f"/api/v1/datasets/{INVOICES}/writers",
    f"/api/v1/columns/{column(ORDERS, 'customer_id')}/readers",
    f"/api/v1/columns/{column(INVOICES, 'customer')}/writers",
    f"{DATASET}/impact",
)


def done(answer: Any) -> Any:
    assert answer.status_code in (200, 201, 204), answer.text
    return answer


def asking(path: str, **asked: str) -> str:
    """The path with parameters, whether it has some or not."""
    return f"{path}{'&' if '?' in path else '?'}{urlencode(asked)}"


def bodies(api: Api, **asked: str) -> dict[str, Any]:
    """What every read tells."""
    return {path: _lasting(done(api.get(asking(path, **asked))).json()) for path in READS}


def _lasting(body: dict[str, Any]) -> dict[str, Any]:
    """Without how far it was read and how old it may be, nor where pages go on, which is signed."""
    passing = ("position", "age_seconds", "next_page_token")
    return {name: body[name] for name in body if name not in passing}


def peopled(api: Api) -> None:
    """Something for every read to tell."""
    api.registered()
    done(
        api.post(
            f"{DATASET}/resolution-rules",
            {"topic_pattern": "a", "name": "default"} | {"resolution_type": "EXACT"},
        )
    )
    done(api.put(SIGNAL, update(0, "CRITICAL")))
    done(api.put(PATH, spec()))
    said = {"primary_dataset_urn": ORDERS, "signal_types": ["CONTRACT_COMPLIANCE"]}
    done(
        api.post(
            "/api/v1/incidents",
            {"incident_id": "INC-1", "severity": "SEV_1", **said}
            | {"failure_signatures": ["MISSING_FIELD:customer_id"]},
        )
    )


def change_everything(api: Api) -> None:
    done(api.put(DATASET, {"tier": "TIER_3", "owner_team": "others", "expected_version": 1}))
    done(api.put(SIGNAL, update(1, "OK")))
    done(api.patch(INCIDENT, RESOLVED))
    done(
        api.put(
            PATH.replace("9f31c2d", "b"),
            spec(
                dataset_reads=[],
                column_reads=[],
                dataset_writes=[],
                column_writes=[],
                commit="b",
                updated_at="2026-01-15T13:00:00Z",
            ),
        )
    )
    done(api.delete(f"{DATASET}/resolution-rules/default"))
    done(api.delete(DATASET))


@pytest.fixture
def past(api: Api) -> datetime:
    """A moment with something to tell, after which everything changed."""
    peopled(api)
    then = api.clock.at
    api.clock.at += HOUR
    change_everything(api)
    return then


def test_as_of_is_what_was_told_then(api: Api) -> None:
    peopled(api)
    told, then = bodies(api), stamp(api.clock.at)
    api.clock.at += HOUR
    change_everything(api)

    later = bodies(api, as_of=then)

    assert later == told
    assert done(api.get(DATASET)).json()["tier"] == "TIER_3"


def test_an_answer_says_what_it_is_about(api: Api, past: datetime) -> None:
    for path in READS:
        headers = done(api.get(asking(path, as_of=stamp(past)))).headers
        assert headers["statestore-as-of"] == stamp(past)
        assert headers["statestore-age-seconds"] == "0.000"
        assert 0 < Position.read(headers["statestore-position"]).number < api.head()


def test_what_did_not_exist_then_is_not_found(api: Api, past: datetime) -> None:
    before = stamp(NOW - HOUR)
    for path in (*STRONG_TOO, f"{INCIDENT}/timeline", f"{SIGNAL}/history", f"{DATASET}/versions"):
        assert problem(api.get(path, params={"as_of": before}))["code"] == "NOT_FOUND", path
    for path, items in (("signals", "signals"), ("datasets", "datasets"), ("incidents",) * 2):
        told = done(api.get(f"/api/v1/{path}", params={"as_of": before}))
        assert told.json()[items] == []
        assert told.headers["statestore-position"] == Position(0).token()


def test_the_future_cannot_be_asked_about(api: Api, past: datetime) -> None:
    answer = api.get(SIGNAL, params={"as_of": stamp(api.clock.at + HOUR)})
    assert answer.status_code == 400
    assert problem(answer)["code"] == "AS_OF_IN_FUTURE"
    done(api.get(DATASET, params={"as_of": stamp(api.clock.at)}))


def test_pages_belong_to_one_moment(api: Api) -> None:
    for number in (1, 2):
        api.registered(dataset_urn=f"urn:dp:orders:o{number}:v1")
    then, listed = stamp(api.clock.at), "/api/v1/datasets?page_size=1"
    api.clock.at += HOUR
    done(api.delete("/api/v1/datasets/urn:dp:orders:o2:v1"))

    first = done(api.get(f"{listed}&as_of={then}")).json()
    token = first["next_page_token"]
    second = done(api.get(f"{listed}&as_of={then}&page_token={token}")).json()

    assert [one["dataset_urn"] for one in second["datasets"]] == ["urn:dp:orders:o2:v1"]
    assert fields(api.get(f"{listed}&page_token={token}")) == {"page_token": "MALFORMED"}


def test_everything_wrong_is_told_at_once(api: Api) -> None:
    asked = {"as_of": "yesterday", "min_position": "seven", "consistency": "strong"}
    assert fields(api.get("/api/v1/datasets/x/health", params=asked)) == {
        "dataset_urn": "MALFORMED",
        "as_of": "MALFORMED",
        "min_position": "MALFORMED",
        "consistency": "INCONSISTENT",
    }
    assert fields(api.get(DATASET, params={"consistency": "best"})) == {
        "consistency": "UNKNOWN_VALUE"
    }


def test_only_single_things_are_read_strongly(api: Api, past: datetime) -> None:
    for path in READS:
        answer = api.get(asking(path, consistency="strong"))
        if path in STRONG_TOO:
            assert answer.status_code == 200
        else:
            assert fields(answer) == {"consistency": "UNKNOWN_PARAMETER"}


# With projections that do not keep up.


@pytest.fixture
def behind() -> Iterator[Api]:
    """What is written now is projected by nobody."""
    with serving(STATESTORE_READ_WAIT_SECONDS="0") as api:
        peopled(api)
        done(api.get(SIGNAL, params={"consistency": "strong"}))
        api.loop.run(_caught_up(api))
        api.stop_projecting()
        yield api


async def _caught_up(api: Api) -> None:
    head = await api.container.feed().head()
    for projection in api.container.projections():
        await api.container.progress().wait(projection.name, head, timeout=10)


def test_a_strong_read_sees_what_is_not_projected(behind: Api) -> None:
    token = done(behind.put(SIGNAL, update(1, "OK"))).headers["statestore-position"]

    old = done(behind.get(SIGNAL))
    new = done(behind.get(SIGNAL, params={"consistency": "strong", "min_position": token}))

    assert (old.json()["state"], new.json()["state"]) == ("CRITICAL", "OK")
    assert old.headers["statestore-position"] != token == new.headers["statestore-position"]
    assert "statestore-as-of" not in new.headers


def test_a_read_after_a_position_is_refused_rather_than_old(behind: Api) -> None:
    token = done(behind.put(SIGNAL, update(1, "OK"))).headers["statestore-position"]

    refused = behind.get(SIGNAL, params={"min_position": token})

    told = problem(refused)
    assert (refused.status_code, told["code"]) == (503, "POSITION_NOT_REACHED")
    assert refused.headers["retry-after"] == "1"
    assert told["min_position"] == token
    assert Position.read(told["position"]).number < Position.read(token).number
    done(behind.get(SIGNAL, params={"min_position": told["position"]}))
    # Read from the log itself: there is nothing to wait for.
    done(behind.get(INCIDENT, params={"min_position": token}))


def test_the_past_needs_no_waiting(behind: Api) -> None:
    then = stamp(behind.clock.at)
    behind.clock.at += HOUR
    token = done(behind.put(SIGNAL, update(1, "OK"))).headers["statestore-position"]

    told = done(behind.get(SIGNAL, params={"as_of": then, "min_position": token}))

    assert told.json()["state"] == "CRITICAL"


def test_a_strong_read_of_all_signals_waits_for_the_directory(behind: Api) -> None:
    done(behind.put(f"{DATASET}/signals/VOLUME", update(1, "OK")))
    refused = behind.get(f"{DATASET}/signals", params={"consistency": "strong"})
    assert (refused.status_code, problem(refused)["code"]) == (503, "POSITION_NOT_REACHED")


def test_an_answer_says_how_old_it_may_be(behind: Api) -> None:
    # Of the end of a log that others may write to, it is known how long ago it was looked at.
    assert 0 <= float(done(behind.get(SIGNAL)).headers["statestore-age-seconds"]) < 2.5
    done(behind.put(SIGNAL, update(1, "OK")))
    behind.clock.at += timedelta(seconds=2.5)
    assert done(behind.get(SIGNAL)).headers["statestore-age-seconds"] == "2.500"


def test_tokens_of_elsewhere_are_refused(api: Api) -> None:
    api.registered()
    beyond, epoch = Position(999).token(), Position(1, epoch=2).token()
    assert fields(api.get(DATASET, params={"min_position": beyond})) == {
        "min_position": "POSITION_BEYOND_END"
    }
    assert fields(api.get(DATASET, params={"min_position": epoch})) == {
        "min_position": "POSITION_OF_ANOTHER_LOG"
    }


def test_every_write_tells_its_position(api: Api) -> None:
    """All that record something; the others record nothing, or only read."""
    quiet = {
        "erasePerson",
        "resolveDataset",
        "lookupSignals",
        "lookupPolicies",
        "rebuildProjections",
        "verifyProjections",
        "putEvidence",
        "rebuildEvidence",
        "verifyEvidence",
        "compactEvidence",
        "purgeEvidence",
        "clearCaches",
    }
    for path in api.app.openapi()["paths"].values():
        for method, operation in path.items():
            if method != "get" and operation["operationId"] not in quiet:
                answers = operation["responses"]
                success = next(answers[code] for code in answers if code.startswith("2"))
                assert "Statestore-Position" in success["headers"], operation["operationId"]


def test_an_offset_that_was_not_escaped_is_noticed(api: Api) -> None:
    told = problem(api.get("/api/v1/datasets?as_of=2026-01-15T10:00:00+01:00"))
    assert "write %2B" in told["detail"]
    done(api.get("/api/v1/datasets?as_of=2026-01-15T10:00:00%2B01:00"))
    assert "%2B" not in problem(api.get("/api/v1/datasets?as_of=yesterday"))["detail"]

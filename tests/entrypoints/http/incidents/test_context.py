"""All there is about an incident over HTTP, on twins and on DynamoDB (S0-209, S0-250)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
from attrs import evolve

from application.errors import Unavailable
from domain.evidence.report import EvidenceReport
from domain.timestamps import stamp
from tests.application import replaced_readers
from tests.application.root_cause.scene import Trouble, once_quiet
from tests.application.store import ADMIN
from tests.entrypoints.http.api import (
    EVIDENCE,
    NOON,
    NOW,
    ORDERS,
    Api,
    problem,
    replaced,
    serving,
    update,
)
from tests.entrypoints.http.incidents.calls import INCIDENTS, MISSING, opened

OTHER_EVIDENCE = "evd-01HQXY8MNP4QR7ST9VW2XYZ457"
ENOUGH = {"STATESTORE_CONTEXT_TIMEOUT_SECONDS": "60"}
"""These tests are not about time."""


@pytest.fixture(params=["memory", "dynamodb"])
def api(request: pytest.FixtureRequest) -> Iterator[Api]:
    with serving(request.param, **ENOUGH) as served:
        yield served


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, problem(answer)["code"]


def told_of(api: Api, **given: Any) -> str:
    """The path of an incident's context, once a deployment broke the orders."""
    api.clock.at = NOON - timedelta(minutes=10)
    api.registered()
    for commit, columns in (("good", ("order_id", "customer_id")), ("bad", ("order_id",))):
        who = {"entity_id": "service:orders-svc", "entity_name": "o", "entity_type": "SERVICE"}
        spec = {
            "column_writes": [{"column_urn": f"urn:col:{ORDERS}:{one}", **who} for one in columns],
            "confidence": "HIGH",
            "commit": commit,
            "updated_at": stamp(api.clock.at),
        }
        told = api.put(f"/api/v1/lineage/specs/lspec:service:orders-svc:git:{commit}", spec)
        assert told.status_code == 200, told.text
        api.clock.at += timedelta(minutes=2)
    api.clock.at = NOW
    told = api.put(f"/api/v1/datasets/{ORDERS}/signals/CONTRACT_COMPLIANCE", update(0, "CRITICAL"))
    assert told.status_code == 200, told.text
    report = EvidenceReport(EVIDENCE, ORDERS, NOON, "FAIL", (), (MISSING,), "orders-svc", "v3.17")
    api.loop.run(api.container.put_evidence()(api.container.sieve().here([report]), by=ADMIN))
    return f"{opened(api, evidence_sample=[EVIDENCE, OTHER_EVIDENCE], **given)}/context"


def test_one_answer_tells_it_all(api: Api) -> None:
    path = told_of(api)
    answer = api.get(path)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert (told["complete"], told["missing"]) == (True, [])
    assert told["breach"]["start"] == stamp(NOON)
    assert told["incident"]["status"] == "OPEN"
    assert [one["evidence_id"] for one in told["evidence"]["evidence"]] == [EVIDENCE]
    assert told["evidence"]["missing_ids"] == [OTHER_EVIDENCE]
    writers = told["writers"]["datasets"][0]["entities"]
    assert [one["entity_id"] for one in writers] == ["service:orders-svc"]
    assert told["readers"]["datasets"] == [{"dataset_urn": ORDERS, "entities": [], "more": False}]
    assert [one["commit"] for one in told["deploys"]["deploys"]] == ["good", "bad"]
    assert told["deploys"]["deploys"][1]["stopped_writing"] == [f"urn:col:{ORDERS}:customer_id"]
    assert [one["summary"] for one in told["config_changes"]["changes"]] == ["registered it"]
    assert [one["state"] for one in told["signals"]["signals"][0]["evaluations"]] == ["CRITICAL"]
    radii = [
        told[name]["datasets"][0] for name in ("blast_radius_at_opening", "blast_radius_current")
    ]
    assert [one["downstream_count"] for one in radii] == [0, 0]
    assert [one["truncated"] for one in radii] == [None, False]
    assert not any(told[name]["more"] for name in ("config_changes", "deploys", "related"))
    cause = told["likely_cause"]
    assert cause["producer_id"] == "orders-svc"
    assert cause["verdict"] == (
        "Most likely orders-svc v3.17: it stopped writing customer_id with bad."
    )
    assert cause["suspects"][0]["weight"] == sum(
        one["weight"] for one in cause["suspects"][0]["reasons"]
    )
    assert answer.headers["statestore-position"]


def test_as_it_was_and_strongly(api: Api) -> None:
    path = told_of(api)
    position = api.get(path).headers["statestore-position"]
    api.clock.at = NOW + timedelta(hours=1)
    api.patch(path.removesuffix("/context"), {"severity": "SEV_3"})
    then = api.get(path, params={"as_of": stamp(NOW)})
    assert then.json()["incident"]["severity"] == "SEV_1"
    assert then.json()["complete"]
    assert then.headers["statestore-as-of"] == stamp(NOW)
    for more in ({"consistency": "strong"}, {"min_position": position}):
        now = api.get(path, params=more).json()
        assert (now["incident"]["severity"], now["complete"]) == ("SEV_3", True)


def test_what_cannot_be_asked(api: Api) -> None:
    assert refused(api.get(f"{INCIDENTS}/INC-404/context")) == (404, "NOT_FOUND")
    assert refused(api.get(f"{INCIDENTS}/nonsense/context")) == (422, "VALIDATION")
    path = told_of(api)
    assert refused(api.get(path, params={"as_of": "2999-01-01T00:00:00Z"})) == (
        400,
        "AS_OF_IN_FUTURE",
    )
    assert refused(api.get(path, params={"min_position": "nonsense"})) == (422, "VALIDATION")


def test_a_part_that_is_missing_is_named() -> None:
    with serving("memory") as api:
        path = told_of(api)
        read = api.container.read_context()
        away = Unavailable("the evidence archive", "it does not answer")
        for error, code in ((None, "TIMED_OUT"), (away, "UNAVAILABLE")):
            archive = Trouble(read.read_evidence.archive, ["named"], error)
            troubled = evolve(
                read, passing=once_quiet, read_evidence=evolve(read.read_evidence, archive=archive)
            )
            with replaced(api.container, read_context=troubled):
                told = api.get(path).json()
            assert not told["complete"]
            shown = [one["evidence_id"] for one in told["evidence"]["evidence"]]
            assert (shown, told["evidence"]["unavailable_ids"]) == ([EVIDENCE], [OTHER_EVIDENCE])
            assert told["evidence"]["missing_ids"] == []
            assert [(one["part"], one["code"]) for one in told["missing"]] == [("evidence", code)]
            assert told["likely_cause"]["without"] == ["evidence"]
            assert told["writers"]


def test_an_incident_that_is_late_is_no_answer() -> None:
    with serving("memory") as api:
        path = told_of(api)
        read = api.container.read_context()
        streams = Trouble(None, ["facts"])
        late = evolve(
            read, reads=replaced_readers.replaced(read.reads, streams=streams), passing=once_quiet
        )
        with replaced(api.container, read_context=late):
            assert refused(api.get(path)) == (503, "UNAVAILABLE")

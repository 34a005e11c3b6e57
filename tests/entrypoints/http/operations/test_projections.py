"""Read models over HTTP: how far they are, filled anew, proven right."""

import json
from typing import Any

from adapters.row_layouts.catalogue import DATASET_REGISTRY, PK, SK, Table
from adapters.row_layouts.engine import Delete, RowKey, TableEngine
from adapters.row_layouts.ownership import HOLDINGS
from application.errors import Unavailable
from tests.entrypoints.http.api import ORDERS, ORDERS_DATASET, Api

REBUILD, VERIFY = "/api/v1/projections/rebuild", "/api/v1/projections/verify"


def lines(api: Api, path: str, body: Any) -> list[dict[str, Any]]:
    answer = api.post(path, body)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    return [json.loads(line) for line in answer.text.splitlines()]


async def lose_rows(tables: TableEngine, table: Table) -> None:
    rows = (await tables.scan(table.name, limit=100)).rows
    lost = [Delete(RowKey(table.name, row[PK], row[SK]), row["position"]) for row in rows]
    assert lost
    await tables.write("lost", lost, upto=1)


def test_states_tell_generation_and_lag(api: Api) -> None:
    api.post("/api/v1/datasets", ORDERS_DATASET)
    api.get(f"/api/v1/datasets/{ORDERS}")
    told = api.get("/api/v1/projections").json()
    assert {one["projection"]: one["generation"] for one in told["projections"]} == dict.fromkeys(
        HOLDINGS, 1
    )


def test_a_rebuild_is_told_line_by_line(api: Api) -> None:
    api.post("/api/v1/datasets", ORDERS_DATASET)
    told = lines(api, REBUILD, {"projections": ["dataset-registry"]})
    assert told[0]["work"] == "folding the log"
    assert {"reached": told[0]["total"]} in told
    (one,) = told[-1]["result"]["projections"]
    assert (one["projection"], one["generation"]) == ("dataset-registry", 2)
    assert api.get(f"/api/v1/datasets/{ORDERS}").json()["tier"] == "TIER_1"


def test_verify_tells_its_result_in_the_last_line(api: Api) -> None:
    api.post("/api/v1/datasets", ORDERS_DATASET)
    api.get(f"/api/v1/datasets/{ORDERS}")
    result = lines(api, VERIFY, {})[-1]["result"]
    assert result["sound"] is True
    api.loop.run(lose_rows(api.container.bare_tables(), DATASET_REGISTRY))
    result = lines(api, VERIFY, {"repair": True})[-1]["result"]
    assert result["sound"] is False
    repaired = {o["projection"]: o["repaired_by_generation"] for o in result["projections"]}
    assert (repaired["dataset-registry"], repaired["incident-index"]) == (2, None)
    assert lines(api, VERIFY, {})[-1]["result"]["sound"] is True


def test_unknown_projections_and_fields_are_refused(api: Api) -> None:
    refused = api.post(REBUILD, {"projections": ["dataset-registry", "x"], "repair": True})
    assert refused.status_code == 422
    assert [one["field"] for one in refused.json()["violations"]] == ["repair", "projections[1]"]


def test_what_fails_before_it_begins_is_a_problem(api: Api) -> None:
    api.container.drafts()._at_work.add("rebuild")
    refused = api.post(REBUILD, {})
    assert (refused.status_code, refused.json()["code"]) == (503, "UNAVAILABLE")
    assert "another one is at work" in refused.json()["detail"]


def test_what_fails_later_is_told_in_the_last_line(api: Api, monkeypatch: Any) -> None:
    async def fail(*_: Any, **more: Any) -> None:
        raise Unavailable("the tables", "of a test")

    api.post("/api/v1/datasets", ORDERS_DATASET)
    monkeypatch.setattr("adapters.generations.draft.TableDraft.as_generation", fail)
    assert "of a test" in lines(api, REBUILD, {})[-1]["error"]


def test_only_known_callers(api: Api) -> None:
    assert api.post(REBUILD, {}, headers={"Authorization": "Bearer x"}).status_code == 401

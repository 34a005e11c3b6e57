"""How the caches do, over HTTP, and what is told when the tables do not answer."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from application.datasets.policies import Policy, Terms
from application.datasets.read_model import DatasetView
from application.errors import Unavailable
from domain.ids import DatasetUrn
from entrypoints.grpc.datasets.policy_service import policy_told
from tests.adapters.cache.redis_servers import free_port, redis_server
from tests.adapters.cache.tls import encrypted
from tests.entrypoints.http.api import ORDERS, Api, serving
from tests.support.certificates import certificate

POLICY = f"/api/v1/policies/{ORDERS}"


@pytest.fixture
def api() -> Iterator[Api]:
    settings = {
        "STATESTORE_LOCAL_CACHE_ENTRIES": "100",
        "STATESTORE_LOCAL_CACHE_TTL_MILLISECONDS": "60000",
    }
    with serving("memory", **settings) as served:
        served.registered()
        yield served


def test_hits_and_sizes_are_told_and_forgotten(api: Api) -> None:
    """S0-224."""
    for _ in range(3):
        assert api.get(POLICY).status_code == 200
    told = api.get("/api/v1/caches").json()
    (local,) = [
        one
        for one in told["layers"]
        if (one["layer"], one["table"]) == ("l1", "observability-dataset-registry")
    ]
    assert local["hits"] >= 2
    assert local["hit_rate"] == local["hits"] / local["asked"]
    assert (told["local_entries"] > 0, told["local_capacity"], told["shared"]) == (True, 100, None)
    cleared = api.delete("/api/v1/caches").json()
    assert cleared == {"local": told["local_entries"], "shared": None, "error": None}
    assert api.get("/api/v1/caches").json()["local_entries"] == 0


def test_a_shared_cache_that_was_not_cleared_is_told() -> None:
    with serving("memory", STATESTORE_REDIS_URL=f"redis://127.0.0.1:{free_port()}") as api:
        cleared = api.delete("/api/v1/caches").json()
    assert cleared["shared"] is None
    assert cleared["error"]


def test_redis_is_used_over_tls_and_missed_if_it_shows_a_wrong_certificate(tmp_path: Path) -> None:
    files = certificate(tmp_path)
    with redis_server() as redis, encrypted(redis.port, files) as port:
        url = f"rediss://127.0.0.1:{port}/0"
        with serving("memory", **_patient(f"{url}?ssl_ca_certs={files[0]}")) as api:
            api.registered()
            assert [api.get(POLICY).status_code for _ in range(4)] == [200] * 4
            assert _answered_by(api, "l2") > 0
            assert api.get("/health").json()["cache"] == {"status": "ok", "error": None}
        with serving("memory", **_patient(url)) as api:
            api.registered()
            assert [api.get(POLICY).status_code for _ in range(4)] == [200] * 4
            told = api.get("/health")
            assert (told.status_code, told.json()["status"]) == (200, "ok")
            assert told.json()["cache"]["status"] == "degraded"
            assert "certificate verify failed" in told.json()["cache"]["error"]


def _patient(redis: str) -> dict[str, str]:
    """The handshake takes as long as the machine is busy."""
    return {
        "STATESTORE_REDIS_URL": redis,
        "STATESTORE_REDIS_TIMEOUT_MILLISECONDS": "5000",
        "STATESTORE_LOCAL_CACHE_ENTRIES": "0",
    }


def _answered_by(api: Api, layer: str) -> int:
    layers = api.get("/api/v1/caches").json()["layers"]
    return sum(one["hits"] for one in layers if one["layer"] == layer)


def test_a_process_that_keeps_nothing_says_so() -> None:
    """Before the embedded tables it is off unless asked for: a hit is no quicker there."""
    with serving("memory") as api:
        told = api.get("/api/v1/caches").json()
    assert told == {"local_entries": 0, "local_capacity": 0, "shared": None, "layers": []}


def test_the_default_is_flagged_and_not_to_be_kept(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S0-307."""

    async def away(*args: Any, **more: Any) -> Any:
        raise Unavailable("the tables", "away")

    right = api.get(POLICY)
    assert (right.json()["is_fallback"], right.json()["stale_seconds"]) == (False, None)
    api.delete("/api/v1/caches")
    monkeypatch.setattr(type(api.container.bare_tables()), "get", away)
    told = api.get(POLICY)
    assert told.status_code == 200
    assert told.headers["Cache-Control"] == "no-store"
    assert {name: told.json()[name] for name in ("is_fallback", "tier", "contract_binding")} == {
        "is_fallback": True,
        "tier": "TIER_3",
        "contract_binding": None,
    }
    assert told.headers["ETag"] != right.headers["ETag"]


def test_grpc_tells_it_as_well() -> None:
    card: DatasetView | None = None
    default = Policy(DatasetUrn(ORDERS), card, Terms(), "t", is_fallback=True)
    told = policy_told(default)
    assert (told.is_fallback, told.tier, told.registered) == (True, "TIER_3", False)
    assert not told.HasField("stale_seconds")

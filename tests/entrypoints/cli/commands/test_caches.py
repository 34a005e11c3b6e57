"""`statestore cache`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adapters.cache.redis_servers import free_port
from tests.entrypoints.cli.commands.shell import TOKEN, Shell
from tests.entrypoints.support.server import Server, serving

ORDERS = "urn:dp:orders:order_created:v1"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    settings = {"STATESTORE_ENGINE": "memory", "STATESTORE_ADMIN_TOKEN": TOKEN}
    settings |= {
        "STATESTORE_LOCAL_CACHE_ENTRIES": "50",
        "STATESTORE_LOCAL_CACHE_TTL_MILLISECONDS": "60000",
    }
    with serving(tmp_path_factory.mktemp("caches") / "var", **settings) as started:
        yield started


def test_hits_are_shown_and_all_is_forgotten(shell: Shell) -> None:
    for _ in range(2):
        shell.api("GET", f"/policies/{ORDERS}")
    shown = shell.out("cache", "stats")
    for said in ("1 of 50 at most", "none", "observability-dataset-registry", "l1", "store"):
        assert said in shown
    assert shell.json("cache", "stats")["local_entries"] == 1
    assert "in the process" in shell.out("cache", "clear")
    assert shell.json("cache", "clear") == {"local": 0, "shared": None, "error": None}


def test_a_shared_cache_that_was_not_cleared_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"STATESTORE_ENGINE": "memory", "STATESTORE_ADMIN_TOKEN": TOKEN}
    settings["STATESTORE_REDIS_URL"] = f"redis://127.0.0.1:{free_port()}"
    monkeypatch.setenv("STATESTORE_ADMIN_TOKEN", TOKEN)
    with serving(tmp_path / "var", **settings) as started:
        ended = Shell(started, monkeypatch).run("cache", "clear")
    assert ended.exit_code == 1
    assert "the shared cache was not cleared" in ended.stderr
    assert "Traceback" not in ended.output

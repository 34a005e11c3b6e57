"""A full disk and a locked file: 503, nothing acknowledged is lost, and work goes on after."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from entrypoints.wiring.opening import close
from tests.entrypoints.http.api import Api, serving, update


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[Api]:
    settings = {
        "STATESTORE_ENGINE": "embedded",
        "STATESTORE_DATA_DIR": str(tmp_path),
        "STATESTORE_BUSY_TIMEOUT_SECONDS": "0.05",
        "STATESTORE_READ_WAIT_SECONDS": "10",
    }
    with serving(**settings) as api:
        yield api
    asyncio.run(close(api.container))


@contextmanager
def full_disk(api: Api) -> Iterator[None]:
    database = api.container.database()

    def fill(connection: apsw.Connection) -> None:
        connection.pragma("max_page_count", connection.pragma("page_count"))

    database.submit(fill).result()
    yield
    database.submit(lambda c: c.pragma("max_page_count", 1_000_000)).result()


@contextmanager
def locked_file(path: Path) -> Iterator[None]:
    other = apsw.Connection(str(path / "statestore.db"))
    other.set_busy_timeout(5_000)
    other.execute("BEGIN EXCLUSIVE")
    yield
    other.execute("ROLLBACK")
    other.close()


def accepted_until_refused(api: Api, path: str) -> int:
    """Report windows until one is refused; tells how many were acknowledged."""
    for window in range(2_000):
        answer = api.put(path, update(window, expected_version=window))
        if answer.status_code != 200:
            assert answer.status_code == 503, answer.text
            assert answer.json()["code"] == "UNAVAILABLE"
            assert int(answer.headers["retry-after"]) > 0
            return window
    raise AssertionError("the disk never filled")


def test_a_full_disk_loses_nothing(embedded: Api) -> None:
    path = f"{embedded.registered()}/signals/VOLUME"
    with full_disk(embedded):
        acknowledged = accepted_until_refused(embedded, path)
        head = embedded.head()
        again = embedded.put(path, update(acknowledged, expected_version=acknowledged))
        assert again.status_code == 503
        assert embedded.head() == head
    answer = embedded.put(path, update(acknowledged, expected_version=acknowledged))
    assert answer.status_code == 200
    assert embedded.get(path).json()["version"] == acknowledged + 1


def test_a_locked_file_loses_nothing(embedded: Api, tmp_path: Path) -> None:
    path = f"{embedded.registered()}/signals/VOLUME"
    assert embedded.put(path, update(0, expected_version=0)).status_code == 200
    with locked_file(tmp_path):
        assert embedded.put(path, update(1, expected_version=1)).status_code == 503
    assert embedded.put(path, update(1, expected_version=1)).status_code == 200
    assert embedded.get(path).json()["version"] == 2

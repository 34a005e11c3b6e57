"""Another process fills the tables anew on DynamoDB while a server reads and writes them."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event

from adapters.row_layouts.ownership import HOLDINGS
from tests.entrypoints.cli.log.stores import dynamodb_settings
from tests.entrypoints.support.reports import dataset, report
from tests.entrypoints.support.server import Answer, Server, run, serving

URN = "urn:dp:orders:order_created:v1"
SIGNAL = f"/api/v1/datasets/{URN}/signals/VOLUME"


def write(server: Server, window: int) -> None:
    assert server.ask("PUT", SIGNAL, report(window, window)).status == 200


@contextmanager
def reading(server: Server) -> Iterator[list[Answer]]:
    """Somebody reads all the time."""
    answers, over = list[Answer](), Event()

    def read() -> None:
        while not over.is_set():
            answers.append(server.ask("GET", SIGNAL))

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(read)
        try:
            yield answers
        finally:
            over.set()
            done.result()


def test_readers_notice_nothing(tmp_path: Path) -> None:
    settings = {**dynamodb_settings(), "STATESTORE_KEY_FILE": str(tmp_path / "keys.json")}
    with serving(tmp_path / "var", **settings) as server:
        assert server.ask("POST", "/api/v1/datasets", dataset(URN)).status == 201
        write(server, 0)
        with reading(server) as answers:
            replayed = run(tmp_path / "other", "rebuild", "--json", **settings)
            assert replayed.returncode == 0, replayed.stderr
            write(server, 1)
            verified = run(tmp_path / "other", "verify", "--json", **settings)
            assert verified.returncode == 0, verified.stdout
            write(server, 2)
        told = server.ask("GET", "/api/v1/projections").body["projections"]
    assert {one["generation"] for one in json.loads(replayed.stdout)["projections"]} == {2}
    # The server may still be reading the first one; a later verify drops it.
    found = json.loads(verified.stdout)["projections"]
    assert not any(one["dropped_generations"] for one in found)
    assert all(one["retained_generations"] == [1] and one["retained_until"] for one in found)
    assert {one["projection"]: one["generation"] for one in told} == dict.fromkeys(HOLDINGS, 2)
    assert {answer.status for answer in answers} == {200}
    versions = [answer.body["version"] for answer in answers]
    assert versions == sorted(versions)
    assert len(versions) > 20

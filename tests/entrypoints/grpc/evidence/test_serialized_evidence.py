"""What the cache keeps for readers over gRPC says what is said to everybody else."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import apsw
import orjson
import pytest

from adapters.evidence_archive.rows import to_row
from adapters.sqlite.evidence import file as evidence_file
from application.evidence.progress import UNTOLD
from entrypoints.grpc.evidence.responses import evidence_told
from entrypoints.grpc.messages import evidence_pb2 as m
from entrypoints.wiring.locations import EVIDENCE_FILE
from tests.adapters.evidence_cache.some_evidence import BARE, FULL
from tests.application.store import ADMIN
from tests.entrypoints.grpc.support.both import Both, both_served
from tests.entrypoints.http.api import ORDERS
from tests.entrypoints.support.sample_evidence import evidence, named

SAID: list[dict[str, Any]] = [
    evidence(0),
    evidence(1, producer={"producer_id": "a"}, source={"topic": "t", "partition": 0, "offset": 0}),
    evidence(2, otel={}, fingerprints={}, payload_size_bytes=0),
    {
        name: value
        for name, value in evidence(3, validation={"result": "FAIL"}).items()
        if name in ("evidence_id", "dataset_urn", "created_at", "validation")
    },
]
NAMES = [named(number) for number in range(len(SAID))]


@pytest.fixture
def both(tmp_path: Path) -> Iterator[Both]:
    with both_served("embedded", folder=tmp_path) as one:
        assert one.http.post("/api/v1/evidence", SAID).status_code == 200
        yield one


def batch(both: Both) -> m.BatchGetEvidenceResponse:
    told: m.BatchGetEvidenceResponse = both.call(m.BatchGetEvidenceRequest(evidence_ids=NAMES))
    return told


def trouble(both: Both) -> Any:
    return both.http.get("/health").json()["evidence"]["error"]


def test_it_is_what_lists_say(both: Both) -> None:
    listed = list(both.call(m.ListEvidenceRequest(dataset_urn=ORDERS)).evidence)
    assert listed == list(batch(both).evidence)
    assert listed == [both.call(m.GetEvidenceRequest(evidence_id=name)) for name in NAMES]
    assert not any(one.archived for one in listed)


def test_if_it_is_damaged_the_archive_answers(both: Both, tmp_path: Path) -> None:
    """Also for the others of the call; and it is known until the cache is made anew."""
    whole = batch(both)
    with apsw.Connection(str(tmp_path / EVIDENCE_FILE)) as file:
        file.execute(
            "UPDATE evidence SET told = CAST(replace(told, 'raw.orders', 'raw.odors.') AS BLOB) "
            "WHERE evidence_id = ?",
            (NAMES[0],),
        )
        assert file.changes() == 1
    assert batch(both) == whole
    assert both.call(m.GetEvidenceRequest(evidence_id=NAMES[0])) == whole.evidence[0]
    reason = f"{NAMES[0]} in the evidence cache is damaged: its checksum differs"
    assert trouble(both) == f"the cache cannot be read: {reason}"
    container, loop = both.http.container, both.http.loop
    loop.run(container.rebuild_evidence()(UNTOLD, by=ADMIN))
    loop.run(container.evidence_upkeep().look())
    assert trouble(both) is None


def test_whoever_changes_what_is_kept_changes_the_version_of_the_file() -> None:
    """Or those who ask are told the old way for a day, and old rows are not understood: give
    `VERSION` its successor, and this test the new figures."""
    told = evidence_told(FULL) + evidence_told(BARE)
    rows = orjson.dumps([to_row(FULL), to_row(BARE)])
    kept = [sha256(one).hexdigest()[:16] for one in (told, rows)]
    assert (evidence_file.VERSION, kept) == (2, ["7b87c3fd968b70a0", "a2b9e935c87ac8d7"])

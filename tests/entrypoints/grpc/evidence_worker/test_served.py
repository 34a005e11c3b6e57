"""A server has large batches sifted by a process, which ends with it whatever ends it."""

import signal
from pathlib import Path

import grpc
import pytest

from entrypoints.grpc.evidence_worker.offloading import LARGE
from entrypoints.grpc.messages.evidence_pb2 import (
    BatchPutEvidenceRequest,
    BatchPutEvidenceResponse,
)
from tests.entrypoints.grpc.evidence_worker.process_end import PATIENCE, ended
from tests.entrypoints.grpc.support.served import token
from tests.entrypoints.support.sample_evidence import PASSING, message, passed
from tests.entrypoints.support.server import Server, serving

PUT = "/observability.statestore.v1.EvidenceCacheService/BatchPutEvidence"
SOME = BatchPutEvidenceRequest(evidence=[message(passed(name)) for name in PASSING[:LARGE]])
TRIES = 10_000
"""Batches until the process is seen; it is started by the first."""


def put(server: Server) -> BatchPutEvidenceResponse:
    with grpc.insecure_channel(f"127.0.0.1:{server.grpc_port}") as channel:
        call = channel.unary_unary(
            PUT, BatchPutEvidenceRequest.SerializeToString, BatchPutEvidenceResponse.FromString
        )
        told: BatchPutEvidenceResponse = call(
            SOME, metadata=tuple(token(server.token)), timeout=PATIENCE
        )
    return told


def sifting(server: Server) -> int:
    """The id of the process that sifts for it."""
    threads = Path(f"/proc/{server.process.pid}/task")
    for _ in range(TRIES):
        assert put(server).failure_count == 0
        for thread in threads.iterdir():
            if children := (thread / "children").read_text().split():
                return int(children[0])
    raise AssertionError("nothing was started")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_the_process_ends_with_its_server(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path / "data") as server:
        pid = sifting(server)
        code = server.stop(number)
        assert code == (-number if number is signal.SIGKILL else 0)
        assert ended(pid)


def test_none_is_started_if_it_is_not_wanted(tmp_path: Path) -> None:
    with serving(tmp_path / "data", STATESTORE_EVIDENCE_WORKER_PROCESS="false") as server:
        assert put(server) == put(server)
        threads = Path(f"/proc/{server.process.pid}/task")
        assert not any((thread / "children").read_text() for thread in threads.iterdir())
        assert server.stop() == 0

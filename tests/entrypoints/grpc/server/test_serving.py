"""gRPC in the process that `make run` starts: address, TLS, strangers, and a good end."""

import asyncio
import datetime as dt
import signal
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import grpc
import grpc.aio
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from grpc_health.v1.health_pb2 import HealthCheckResponse

from entrypoints.grpc.messages import signals_pb2 as m
from entrypoints.grpc.server.tls import BadCertificate, credentials
from entrypoints.settings.loading import BadSettings, load
from tests.entrypoints.grpc.support.served import SIGNALS, update
from tests.entrypoints.http.api import ORDERS, ORDERS_DATASET
from tests.entrypoints.support.server import PATIENCE, Server, run, serving
from tests.support import certificates
from tests.support.certificates import pem

T = TypeVar("T")


def in_time(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, PATIENCE))


def bearer(server: Server) -> list[tuple[str, str]]:
    return [("authorization", f"Bearer {server.token}")]


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    return certificates.certificate(tmp_path)


def tls(shown: Path, kept: Path) -> dict[str, str]:
    return {
        "STATESTORE_GRPC_TLS_CERTIFICATE": str(shown),
        "STATESTORE_GRPC_TLS_KEY": str(kept),
    }


def test_encrypted_with_the_certificate(tmp_path: Path, certificate: tuple[Path, Path]) -> None:
    async def story(server: Server) -> None:
        address = f"127.0.0.1:{server.grpc_port}"
        trusted = grpc.ssl_channel_credentials(certificate[0].read_bytes())
        async with grpc.aio.secure_channel(address, trusted) as channel:
            ask = channel.unary_unary(
                f"{SIGNALS}ListSignals", None, m.ListSignalsResponse.FromString
            )
            assert await ask(b"", metadata=bearer(server)) is not None
        async with grpc.aio.insecure_channel(address) as channel:
            ask = channel.unary_unary(f"{SIGNALS}ListSignals", None, None)
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await ask(b"", metadata=bearer(server))
            assert refused.value.code() is grpc.StatusCode.UNAVAILABLE

    with serving(tmp_path / "var", **tls(*certificate)) as server:
        assert "(TLS)" in server.banner
        in_time(story(server))
        assert server.stop() == 0


def test_certificates_that_cannot_be_used_are_told_at_the_start(
    tmp_path: Path, certificate: tuple[Path, Path]
) -> None:
    shown, kept = certificate
    other, locked = tmp_path / "other.pem", tmp_path / "locked.pem"
    other.write_bytes(pem(ec.generate_private_key(ec.SECP256R1())))
    locked.write_bytes(pem(ec.generate_private_key(ec.SECP256R1()), b"secret"))
    for files, said in (
        ((tmp_path / "none.pem", kept), "none.pem cannot be read"),
        ((shown, other), "are no certificate with its key"),
        ((shown, locked), "without a password"),
        ((kept, kept), "are no certificate with its key"),
    ):
        with pytest.raises(BadCertificate, match=said):
            credentials(*files, at=dt.datetime.now(dt.UTC))
    ended = run(tmp_path / "var", "serve", **tls(shown, other))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "are no certificate with its key" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("days", [-2, 2])
def test_a_certificate_that_is_out_of_date_is_told_at_the_start(
    certificate: tuple[Path, Path], days: int
) -> None:
    """The server would start, and nobody could call it."""
    at = dt.datetime.now(dt.UTC) + dt.timedelta(days=days)
    with pytest.raises(BadCertificate, match="CN=statestore is only good from"):
        credentials(*certificate, at=at)


@pytest.mark.parametrize("name", ["CERTIFICATE", "KEY"])
def test_a_certificate_needs_its_key(name: str) -> None:
    with pytest.raises(BadSettings, match="together with STATESTORE_GRPC_TLS_CERTIFICATE"):
        load({f"STATESTORE_GRPC_TLS_{name}": "x.pem"}, Path("none"))


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with serving(tmp_path / "one") as server:
        ended = run(tmp_path / "two", "serve", STATESTORE_GRPC_PORT=str(server.grpc_port))
        assert ended.returncode == 1
        assert f"cannot listen on 127.0.0.1:{server.grpc_port}" in ended.stderr
        assert "STATESTORE_GRPC_PORT" in ended.stderr


def test_what_is_on_its_way_ends_before_the_server_does(tmp_path: Path) -> None:
    """Streams end, watchers hear of it, what was acknowledged is there after a new start."""

    async def story(server: Server) -> int:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.grpc_port}") as channel:
            call: Any = channel.stream_stream(
                f"{SIGNALS}StreamSignalStateUpdates",
                None,
                m.StreamSignalStateUpdatesResponse.FromString,
            )
            watch: Any = channel.unary_stream(
                "/grpc.health.v1.Health/Watch", None, HealthCheckResponse.FromString
            )(b"")
            while (await watch.read()).status != HealthCheckResponse.SERVING:
                pass
            stream, acknowledged = call(metadata=bearer(server)), 0
            for window in range(20):
                updates = [update(window, expected_version=window)]
                sent = m.StreamSignalStateUpdatesRequest(updates=updates)
                await stream.write(sent.SerializeToString())
                answer = await stream.read()
                assert all(one.success for one in answer.results), answer
                acknowledged = answer.acknowledged
            server.process.send_signal(signal.SIGTERM)
            assert (await watch.read()).status == HealthCheckResponse.NOT_SERVING
            assert await stream.code() is grpc.StatusCode.UNAVAILABLE
            return int(acknowledged)

    with serving(tmp_path / "var") as server:
        assert server.ask("POST", "/api/v1/datasets", ORDERS_DATASET).status == 201
        acknowledged = in_time(story(server))
        assert server.process.wait(PATIENCE) == 0
    with serving(tmp_path / "var") as server:
        read = server.ask("GET", f"/api/v1/datasets/{ORDERS}/signals/VOLUME")
        assert read.body["version"] == acknowledged == 20
        assert server.stop() == 0

"""The gRPC server: where it listens, what it bears, and how it ends."""

import asyncio
import socket

import grpc
import grpc.aio
from attrs import define, field

from entrypoints.container import Container
from entrypoints.grpc.server.call_limits import Calls
from entrypoints.grpc.server.services import all_services
from entrypoints.grpc.server.tls import credentials
from entrypoints.settings.loading import Settings


@define
class GrpcServer:
    server: grpc.aio.Server
    calls: Calls
    address: str
    secure: bool
    drain_seconds: float
    _ending: asyncio.Task[None] | None = field(default=None, init=False)

    async def start(self) -> None:
        await self.server.start()

    def stop(self) -> None:
        """Take no more calls, and let those end that are on their way."""
        if self._ending is None:
            self.calls.draining.set()
            self._ending = asyncio.create_task(self._end())

    async def ended(self) -> None:
        self.stop()
        assert self._ending
        await self._ending

    async def _end(self) -> None:
        await self.server.stop(self.drain_seconds)
        await self.calls.ended(within=self.drain_seconds)


def listen(container: Container, host: str) -> GrpcServer:
    """Take the port; nothing is answered before the start.

    Raises:
        OSError: The address is taken.
        BadCertificate: The certificate cannot be used.
    """
    settings, calls = container.settings(), container.grpc_calls()
    server = grpc.aio.server(options=_options(settings))
    server.add_generic_rpc_handlers(all_services(container))
    certificate, key = settings.grpc_tls_certificate, settings.grpc_tls_key
    wanted = _address(host, settings.grpc_port)
    _must_be_free(host, settings.grpc_port)
    if certificate and key:
        shown = credentials(certificate, key, at=container.clock().now())
        port = server.add_secure_port(wanted, shown)
    else:
        port = server.add_insecure_port(wanted)
    address = _address(host, port)
    return GrpcServer(server, calls, address, bool(certificate), settings.drain_seconds)


def _options(settings: Settings) -> list[tuple[str, int]]:
    return [
        ("grpc.max_receive_message_length", settings.grpc_max_message_bytes),
        # Two servers must not share a port without knowing of each other.
        ("grpc.so_reuseport", 0),
        # Callers that vanished without a word are noticed, and hold nothing any longer.
        ("grpc.keepalive_time_ms", 60_000),
        ("grpc.keepalive_timeout_ms", 20_000),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
    ]


def _must_be_free(host: str, port: int) -> None:
    """gRPC itself does not say why it cannot listen."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))


def _address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

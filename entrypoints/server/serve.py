"""Serving: open the store, follow the log, answer HTTP and gRPC, and end in good order."""

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Iterator

import uvicorn
from attrs import define
from dependency_injector import providers

from adapters.memory.leases import OwnLeases
from application.errors import Unavailable
from entrypoints.cli.read_models.draft_process import FoldApart
from entrypoints.container import Container, build
from entrypoints.engines.engine import engine_of
from entrypoints.grpc.evidence_worker.offloading import sifting_apart
from entrypoints.grpc.server.server import GrpcServer, listen
from entrypoints.grpc.server.tls import BadCertificate
from entrypoints.http.app import create_app
from entrypoints.http.middleware.size_limit import LARGEST_BODY
from entrypoints.interfaces.event_streams import SLOWEST
from entrypoints.server.followers import following
from entrypoints.server.garbage_collection import give_back_again_and_again, let_what_is_loaded_be
from entrypoints.server.tcp_timeouts import drop_the_silent
from entrypoints.settings.loading import Settings
from entrypoints.wiring.locations import evidence_place
from entrypoints.wiring.opening import close, open_archive, open_log, open_tables

_STOPPING = (signal.SIGINT, signal.SIGTERM)


@define
class CannotServe(Exception):
    reason: str

    def __str__(self) -> str:
        return self.reason


async def serve(settings: Settings, tell: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM, then let running requests end and store everything.

    Raises:
        CannotServe: The address is taken, or would be open to others with a generated token, or
            evidence could not be kept.
    """
    container = build(settings)
    if engine_of(settings).is_durable:
        container.draft_folder.override(providers.Singleton(FoldApart, settings))
    try:
        await open_log(container)
        await open_tables(container)
        await _refuse_to_lose_evidence(container)
        container.runner()
        container.sinks()
        _refuse_strangers(container)
        _refuse_stale_answers(container)
        async with sifting_apart(container):
            await _serve(container, tell)
    finally:
        await close(container)


async def _serve(container: Container, tell: Callable[[str], None]) -> None:
    settings = container.settings()
    listener = _listener(settings)
    beside = _beside(container, listener)
    async with following(container, folds=settings.run_projections):
        try:
            await _answer(container, listener, beside, tell)
        finally:
            await container.evidence_keeper().drain(within=settings.drain_seconds)


async def _refuse_to_lose_evidence(container: Container) -> None:
    try:
        await open_archive(container)
    except Unavailable as error:
        place = evidence_place(container.settings())
        raise CannotServe(
            f"cannot keep evidence in {place}: {error.reason}; "
            "STATESTORE_EVIDENCE_ARCHIVE names another place"
        ) from error


def _refuse_strangers(container: Container) -> None:
    settings, token = container.settings(), container.identities()
    if token.generated and not settings.is_loopback:
        raise CannotServe(
            f"refusing to listen on {settings.http_host} with a generated token: "
            "set STATESTORE_ADMIN_TOKEN, or listen on 127.0.0.1"
        )


def _refuse_stale_answers(container: Container) -> None:
    if not container.settings().run_projections and isinstance(container.leases(), OwnLeases):
        raise CannotServe(
            "refusing to serve with STATESTORE_RUN_PROJECTIONS=off: "
            "no other process could fold the tables of this one"
        )


def _listener(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.http_host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    drop_the_silent(listener, after=SLOWEST)
    try:
        listener.bind((settings.http_host, settings.http_port))
    except OSError as error:
        listener.close()
        where = f"{settings.http_host}:{settings.http_port}"
        raise CannotServe(
            f"cannot listen on {where}: {error.strerror}; STATESTORE_HTTP_PORT names another port"
        ) from error
    return listener


def _beside(container: Container, listener: socket.socket) -> GrpcServer:
    """gRPC, on the address of HTTP."""
    host, port = listener.getsockname()[0], container.settings().grpc_port
    try:
        return listen(container, host)
    except OSError as error:
        listener.close()
        raise CannotServe(
            f"cannot listen on {host}:{port}: {error.strerror}; "
            "STATESTORE_GRPC_PORT names another port"
        ) from error
    except BadCertificate as error:
        listener.close()
        raise CannotServe(str(error)) from error


async def _answer(
    container: Container,
    listener: socket.socket,
    beside: GrpcServer,
    tell: Callable[[str], None],
) -> None:
    streams = container.event_streams()
    config = uvicorn.Config(
        create_app(container),
        http="httptools",
        ws="websockets-sansio",
        ws_max_size=LARGEST_BODY,
        ws_ping_interval=streams.heartbeat,
        ws_ping_timeout=streams.slowest,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=round(container.settings().drain_seconds),
    )
    let_what_is_loaded_be()

    def down() -> None:
        streams.end()
        beside.stop()

    server = _Server(
        config,
        up=lambda: tell(_banner(container, listener, beside)),
        down=down,
    )
    loop = asyncio.get_running_loop()
    for number in _STOPPING:
        loop.add_signal_handler(number, server.stop)
    await beside.start()
    giving_back = asyncio.create_task(give_back_again_and_again())
    try:
        await server.serve(sockets=[listener])
    finally:
        giving_back.cancel()
        await beside.ended()


class _Server(uvicorn.Server):
    """A server whose signals are ours: being asked to stop is a good end, not an error."""

    def __init__(
        self, config: uvicorn.Config, up: Callable[[], None], down: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._up, self._down = up, down

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._up()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def stop(self) -> None:
        self.should_exit = True
        self._down()


def _banner(container: Container, listener: socket.socket, beside: GrpcServer) -> str:
    settings, token = container.settings(), container.identities()
    host, port = listener.getsockname()[:2]
    base = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    store = engine_of(settings).describe(settings)
    secret = token.secret if token.generated else "the one in STATESTORE_ADMIN_TOKEN"
    return (
        "The State Store is up.\n"
        f"  API      {base}/api/v1\n"
        f"  docs     {base}/docs\n"
        f"  GraphQL  {base}/graphql\n"
        f"  gRPC     {beside.address}{' (TLS)' if beside.secure else ''}\n"
        f"  store    {store}\n"
        f"  token    {secret}\n"
        "Ctrl-C stops it."
    )

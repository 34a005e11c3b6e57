"""Health and reflection: what anyone may ask, without a token (as `/readyz` over HTTP)."""

import asyncio
from typing import Any, cast

import grpc
import grpc.aio
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_health.v1.health_pb2 import (
    HealthCheckRequest,
    HealthCheckResponse,
    HealthListResponse,
)
from grpc_reflection.v1alpha.reflection_pb2 import (
    ServerReflectionRequest,
    ServerReflectionResponse,
)
from structlog.testing import capture_logs

from application.caller import Caller
from application.errors import Unavailable
from application.subscriptions.feed import Feed
from entrypoints.grpc.server.call import Call
from entrypoints.grpc.server.call_limits import Calls
from entrypoints.grpc.server.health import HealthService
from entrypoints.grpc.server.services import MOST_STRANGERS, SERVICES
from tests.entrypoints.grpc.support.served import Served, until
from tools.protos import PROTOS

HEALTH = "/grpc.health.v1.Health/"
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
SERVING, NOT_SERVING = HealthCheckResponse.SERVING, HealthCheckResponse.NOT_SERVING
NAMES = {service.full_name for service in SERVICES}


def check(store: Served, service: str = "") -> int:
    return store.run(checked(store, service))


async def checked(store: Served, service: str = "") -> int:
    call = store.channel.unary_unary(f"{HEALTH}Check", None, HealthCheckResponse.FromString)
    sent = HealthCheckRequest(service=service).SerializeToString()
    told: HealthCheckResponse = await call(sent)
    return int(told.status)


def test_a_store_that_follows_its_log_serves(store: Served) -> None:
    for name in ("", *NAMES):
        assert check(store, name) == SERVING
    refused = store.refused(
        f"{HEALTH}Check", HealthCheckRequest(service="other"), metadata=[], timeout=10
    )
    assert (refused.code, refused.reason) == (grpc.StatusCode.NOT_FOUND, "NOT_FOUND")
    listed = store.ask(f"{HEALTH}List", b"", HealthListResponse)
    assert {name: one.status for name, one in listed.statuses.items()} == dict.fromkeys(
        ["", *NAMES], SERVING
    )


def test_it_says_what_readyz_says(store: Served) -> None:
    progress = store.api.container.progress()
    progress.stuck("signal-state", "its table is gone")
    assert check(store) == NOT_SERVING
    assert store.api.get("/readyz").status_code == 503
    progress.goes_on("signal-state")
    assert check(store) == SERVING
    assert store.api.get("/readyz").status_code == 200


class Gone:
    """A log that does not answer."""

    async def head(self) -> int:
        raise Unavailable("the log", "it is gone")


def test_a_log_that_does_not_answer_is_not_served(store: Served) -> None:
    container, gone = store.api.container, cast(Feed, Gone())
    health = HealthService(gone, container.progress(), frozenset(), Calls(1))
    call = Call(Caller("anyone"), store.server.calls)
    told = store.run(health.check(HealthCheckRequest(), call))
    assert told.status == NOT_SERVING


def test_whoever_watches_hears_of_changes_and_of_the_end(store: Served) -> None:
    async def story() -> None:
        call = store.channel.unary_stream(f"{HEALTH}Watch", None, HealthCheckResponse.FromString)
        watch: Any = call(b"")
        unknown: Any = call(HealthCheckRequest(service="other").SerializeToString())
        assert (await watch.read()).status == SERVING
        assert (await unknown.read()).status == HealthCheckResponse.SERVICE_UNKNOWN
        progress = store.api.container.progress()
        progress.stuck("signal-state", "its table is gone")
        assert (await watch.read()).status == NOT_SERVING
        progress.goes_on("signal-state")
        assert (await watch.read()).status == SERVING
        unknown.cancel()
        store.server.stop()
        assert (await watch.read()).status == NOT_SERVING
        assert await watch.code() is grpc.StatusCode.OK
        await store.server.ended()

    store.run(story())


def test_probes_are_quiet_and_what_cannot_be_read_is_the_caller_s_mistake(store: Served) -> None:
    with capture_logs() as logs:
        check(store)
        for method in (f"{HEALTH}Check", REFLECTION):
            assert store.refused(method, b"\xff\xff", []).code is grpc.StatusCode.INVALID_ARGUMENT
    assert {one["log_level"] for one in logs} == {"debug"}


def test_strangers_cannot_hold_more_than_so_many_calls(store: Served) -> None:
    async def story() -> None:
        call = store.channel.unary_stream(f"{HEALTH}Watch", None, HealthCheckResponse.FromString)
        watching: list[Any] = [call(b"") for _ in range(MOST_STRANGERS)]
        await asyncio.gather(*(one.read() for one in watching))
        one_more: Any = call(b"")
        assert await one_more.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        # Or strangers who watch could make those who balance load believe that nothing is served.
        assert await checked(store) == SERVING
        assert (await reflected(store, list_services="")).list_services_response.service
        for one in watching:
            one.cancel()
        await until(lambda: all(one.done() for one in watching))
        last: Any = call(b"")
        while (await last.read()) is grpc.aio.EOF:  # type: ignore[attr-defined]  # not in the stubs
            last = call(b"")
        last.cancel()

    store.run(story())


async def reflected(store: Served, **request: Any) -> ServerReflectionResponse:
    call: Any = store.channel.stream_stream(REFLECTION, None, ServerReflectionResponse.FromString)
    one = call()
    await one.write(ServerReflectionRequest(**request).SerializeToString())
    told: ServerReflectionResponse = await one.read()
    await one.done_writing()
    assert await one.code() is grpc.StatusCode.OK
    return told


def test_tools_find_every_service_and_its_messages(store: Served) -> None:
    listed = store.run(reflected(store, list_services=""))
    names = {one.name for one in listed.list_services_response.service}
    assert names >= NAMES
    for name in NAMES:
        described = store.run(reflected(store, file_containing_symbol=name))
        assert described.file_descriptor_response.file_descriptor_proto


def test_tools_find_every_file_with_all_that_it_needs(store: Served) -> None:
    for path in sorted(PROTOS.rglob("*.proto")):
        name = str(path.relative_to(PROTOS))
        told = store.run(reflected(store, file_by_filename=name)).file_descriptor_response
        files = map(FileDescriptorProto.FromString, told.file_descriptor_proto)
        needed = {one.name: set(one.dependency) for one in files}
        assert name in needed
        assert set().union(*needed.values()) <= set(needed)


def test_tools_that_stay_do_not_hold_up_the_end(store: Served) -> None:
    async def story() -> None:
        call: Any = store.channel.stream_stream(REFLECTION, None, None)
        stays = call()
        await stays.write(ServerReflectionRequest(list_services="").SerializeToString())
        await stays.read()
        store.server.stop()
        assert await stays.code() is grpc.StatusCode.OK
        await store.server.ended()

    store.run(story())


def test_whoever_watches_what_is_not_there_is_let_go_at_the_end(store: Served) -> None:
    async def story() -> None:
        call = store.channel.unary_stream(f"{HEALTH}Watch", None, HealthCheckResponse.FromString)
        unknown: Any = call(HealthCheckRequest(service="other").SerializeToString())
        assert (await unknown.read()).status == HealthCheckResponse.SERVICE_UNKNOWN
        store.server.stop()
        assert await unknown.code() is grpc.StatusCode.OK
        await store.server.ended()

    store.run(story())

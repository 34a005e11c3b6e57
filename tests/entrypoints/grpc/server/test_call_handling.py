"""What surrounds every call: token, request id, keys, limits, deadlines, errors, log lines."""

import asyncio
from base64 import b64encode
from typing import Any
from urllib.parse import quote

import grpc
import grpc.aio
import pytest
from attrs import define, field, frozen
from dependency_injector import providers
from structlog.testing import capture_logs

from application.errors import (
    Contended,
    Forbidden,
    NotReadable,
    OutcomeUnknown,
    TooMuch,
    TooWide,
    Unavailable,
)
from domain.errors import AlreadyExists, Impossible, Invalid, VersionMismatch, Violation
from entrypoints.container import Container
from entrypoints.grpc.messages import signals_pb2 as m
from entrypoints.grpc.server.errors import ANSWERED, GrpcError
from entrypoints.grpc.server.services import all_services
from entrypoints.interfaces.error_table import MEANINGS
from entrypoints.logs import LINES
from tests.entrypoints.grpc.support.served import SIGNALS, Served, served, token, until, update
from tests.entrypoints.http.api import ORDERS, Raising

READ = m.GetSignalStateRequest(dataset_urn=ORDERS, signal_type="VOLUME")
Code = grpc.StatusCode


@pytest.mark.parametrize(
    "said", [[], [("authorization", "x")], [("authorization", "Bearer ")], token("not-a-good-one")]
)
def test_who_calls_must_be_known(store: Served, said: list[tuple[str, str]]) -> None:
    for method in ("GetSignalState", "UpdateSignalState"):
        refused = store.refused(method, b"\xff", said)
        assert (refused.code, refused.reason) == (Code.UNAUTHENTICATED, "UNAUTHENTICATED")
    assert store.head() == 0


def test_bytes_that_are_no_message_are_the_caller_s_mistake(store: Served) -> None:
    for sent in (b"\xff\xff", b"\x0a\x02\xff\xfe", b"\x0a\x7f"):
        refused = store.refused("UpdateSignalState", sent)
        assert (refused.code, refused.reason) == (Code.INVALID_ARGUMENT, "MALFORMED_MESSAGE")


def test_what_is_not_known_of_a_message_is_ignored(store: Served) -> None:
    store.api.registered()
    newer = update(0).SerializeToString() + b"\xfa\x3e\x03new"
    assert store.ask("UpdateSignalState", newer, m.UpdateSignalStateResponse).success


def test_no_such_method(store: Served) -> None:
    assert store.refused("Guess", b"").code is Code.UNIMPLEMENTED


def test_every_call_has_an_id(store: Served) -> None:
    given = store.refused("GetSignalState", b"", [*token(), ("x-request-id", "my-id.1")])
    assert given.trailing["x-request-id"] == "my-id.1"
    bad = store.refused("GetSignalState", b"", [*token(), ("x-request-id", "my id")])
    assert len(bad.trailing["x-request-id"]) == 26


def test_what_is_said_twice_is_not_chosen_from(store: Served) -> None:
    """As HTTP has it, a name that is repeated stands for all its values."""
    twice = [*token(), *token("not-a-good-one")]
    for said in (twice, list(reversed(twice))):
        assert store.refused("GetSignalState", READ, said).code is Code.UNAUTHENTICATED
    ids = [*token(), ("x-request-id", "one"), ("x-request-id", "two")]
    assert len(store.refused("GetSignalState", b"", ids).trailing["x-request-id"]) == 26


def test_a_success_has_an_id_and_a_log_line(store: Served) -> None:
    async def asked() -> Any:
        call = store.channel.unary_unary(SIGNALS + "ListSignals", None, None)(
            b"", metadata=[*token(), ("x-request-id", "abc")]
        )
        await call
        return dict(await call.trailing_metadata())

    with capture_logs() as logs:
        assert store.run(asked()) == {"x-request-id": "abc"}
    (told,) = [one for one in logs if one["event"] == "grpc_call_completed"]
    (line,) = told[LINES]
    assert line["method"] == f"{SIGNALS}ListSignals"
    assert (line["status"], told["log_level"]) == ("OK", "info")


def test_a_repeated_write_is_done_once(store: Served) -> None:
    store.api.registered()
    key = [("idempotency-key", "once")]
    first = store.ask("UpdateSignalState", update(0), m.UpdateSignalStateResponse, key)
    head = store.head()
    again = store.ask("UpdateSignalState", update(0), m.UpdateSignalStateResponse, key)
    assert (first.replayed, again.replayed, again.new_version) == (False, True, 1)
    assert store.head() == head
    other = store.refused("UpdateSignalState", update(1), [*token(), *key])
    assert (other.code, other.reason) == (Code.INVALID_ARGUMENT, "IDEMPOTENCY_KEY_REUSED")


def test_a_key_must_be_usable_and_is_only_looked_at_where_one_writes(store: Served) -> None:
    long = [*token(), ("idempotency-key", "x" * 201)]
    assert store.refused("UpdateSignalState", update(0), long).violations == {
        "idempotency-key": "MALFORMED"
    }
    assert store.refused("GetSignalState", READ, long).code is Code.NOT_FOUND


ERRORS = [
    (AlreadyExists("dataset", "x", 3), Code.ALREADY_EXISTS, {"current_version": "3"}),
    (
        VersionMismatch("dataset", 2, 3),
        Code.ABORTED,
        {"current_version": "3", "expected_version": "2"},
    ),
    (
        Impossible("it", "RESOLVED", "wake"),
        Code.FAILED_PRECONDITION,
        {"current_status": "RESOLVED"},
    ),
    (Contended(("a",), 3), Code.ABORTED, {}),
    (Forbidden("joe", "read", "x"), Code.PERMISSION_DENIED, {}),
    (Unavailable("x", "y"), Code.UNAVAILABLE, {}),
    (OutcomeUnknown("x", "y"), Code.UNKNOWN, {}),
    (NotReadable("x", "y"), Code.UNAVAILABLE, {}),
    (TooWide("x", 3), Code.INVALID_ARGUMENT, {}),
    (TooMuch("x", "y"), Code.INVALID_ARGUMENT, {}),
]
RETRIED = (Contended, Unavailable, OutcomeUnknown)


def failing(error: Exception) -> Any:
    def prepare(container: Container) -> None:
        container.read_signal.override(providers.Object(Raising(error)))

    return prepare


@pytest.mark.parametrize(("error", "code", "data"), ERRORS, ids=lambda one: type(one).__name__)
def test_errors_are_told_so_that_programs_can_read_them(
    error: Exception, code: Code, data: dict[str, str]
) -> None:
    with served("memory", failing(error)) as store:
        refused = store.refused("GetSignalState", READ)
    assert (refused.code, refused.text, refused.data) == (code, str(error), data)
    assert refused.reason == MEANINGS[type(error)].code
    assert (refused.retry_after is not None) == isinstance(error, RETRIED)


def test_every_error_there_is_has_a_status() -> None:
    assert set(MEANINGS) <= set(ANSWERED)
    assert set(GrpcError.__subclasses__()) <= set(ANSWERED)


def test_what_nobody_expected_is_logged_and_not_told() -> None:
    with served("memory", failing(RuntimeError("secret: 42"))) as store, capture_logs() as logs:
        refused = store.refused("GetSignalState", READ)
    assert (refused.code, refused.reason) == (Code.INTERNAL, "INTERNAL")
    assert "42" not in refused.text
    assert b"42" not in refused.trailing["grpc-status-details-bin"]
    (line,) = [one for one in logs if one["event"] == "request_failed"]
    assert "secret: 42" in str(line["exc_info"])


def test_many_violations_do_not_burst_the_metadata() -> None:
    """A caller takes 8 KB of it, and would hear of nothing if there were more."""
    wrong = Invalid([Violation(f"field_{n}", "WRONG", "é" * 300) for n in range(500)])
    with served("memory", failing(wrong)) as store:
        refused = store.refused("GetSignalState", READ)
    assert (refused.code, refused.reason) == (Code.INVALID_ARGUMENT, "VALIDATION")
    assert refused.data["violations"] == "200"
    assert 0 < len(refused.violations) < 200


def test_long_texts_do_not_burst_the_metadata_in_any_script() -> None:
    """Each of these letters takes four bytes, and twelve where the text of a status is sent."""
    wrong = Invalid([Violation("field", "WRONG", "\U0001f4a3" * 5_000)] * 200)
    with served("memory", failing(wrong)) as store:
        refused = store.refused("GetSignalState", READ)
    sent = len(quote(refused.text)) + len(b64encode(refused.trailing["grpc-status-details-bin"]))
    assert (refused.reason, len(refused.violations)) == ("VALIDATION", 1)
    assert sent < 7_000


def test_a_message_has_a_largest_size() -> None:
    with served("memory", STATESTORE_GRPC_MAX_MESSAGE_BYTES="65536") as store:
        store.api.registered()
        fits = update(0, window_type="x" * 60_000)
        assert store.ask("UpdateSignalState", fits, m.UpdateSignalStateResponse).violations
        large = update(0, window_type="x" * 70_000)
        assert store.refused("UpdateSignalState", large).code is Code.RESOURCE_EXHAUSTED
        packed = store.refused(
            "UpdateSignalState",
            update(0, window_type="x" * 5_000_000),
            compression=grpc.Compression.Gzip,
        )
        assert packed.code is Code.RESOURCE_EXHAUSTED
        assert store.update(0).success


@define
class Held:
    """Stands for a use case that takes until it is let go."""

    begun: asyncio.Event = field(factory=asyncio.Event, eq=False)
    free: asyncio.Event = field(factory=asyncio.Event, eq=False)
    ends: list[str] = field(factory=list)

    async def __call__(self, *_: Any, **__: Any) -> None:
        self.begun.set()
        try:
            await self.free.wait()
        except asyncio.CancelledError:
            self.ends.append("cancelled")
            raise
        self.ends.append("done")
        raise Unavailable("it", "was held")


@frozen
class HeldRead:
    held: Held

    async def __call__(self, *_: Any, **__: Any) -> None:
        await self.held()


def holding(held: Held) -> Any:
    def prepare(container: Container) -> None:
        container.read_signal.override(providers.Object(HeldRead(held)))
        container.update_signal.override(providers.Object(held))

    return prepare


def test_no_more_calls_than_allowed_are_on_their_way() -> None:
    held = Held()

    async def story(store: Served) -> None:
        call = store.channel.unary_unary(SIGNALS + "GetSignalState", None, None)
        sent = READ.SerializeToString()
        first = asyncio.ensure_future(_code(call(sent, metadata=token())))
        await held.begun.wait()
        with pytest.raises(grpc.aio.AioRpcError) as told:
            await call(sent, metadata=token())
        assert told.value.code() is Code.RESOURCE_EXHAUSTED
        held.free.set()
        assert await first is Code.UNAVAILABLE
        assert await _code(call(sent, metadata=token())) is Code.UNAVAILABLE

    with served("memory", holding(held), STATESTORE_GRPC_MAX_CONCURRENT_CALLS="1") as store:
        store.run(story(store))
        held.free.clear()
        assert store.server.calls.on_their_way == 0


def test_those_who_are_too_many_are_told_when_to_come_again() -> None:
    with served("memory", STATESTORE_GRPC_MAX_CONCURRENT_CALLS="1") as store:
        store.server.calls.enter()
        refused = store.refused("GetSignalState", READ)
        assert (refused.code, refused.reason) == (Code.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS")
        assert refused.retry_after == 1.0
        store.server.calls.leave()
        assert store.refused("GetSignalState", READ).code is Code.NOT_FOUND


@pytest.mark.parametrize("how", ["deadline", "cancelled"])
def test_a_read_whose_caller_is_gone_ends(how: str) -> None:
    held = Held()
    with served("memory", holding(held)) as store, capture_logs() as logs:
        store.run(_left(store, held, "GetSignalState", READ.SerializeToString(), how))
        store.run(until(lambda: held.ends == ["cancelled"]))
        store.run(until(lambda: store.server.calls.on_their_way == 0))
    ((line,),) = [one[LINES] for one in logs if one["event"] == "grpc_call_completed"]
    assert line["status"] == ("DEADLINE_EXCEEDED" if how == "deadline" else "CANCELLED")


@pytest.mark.parametrize("how", ["deadline", "cancelled"])
def test_a_write_that_was_begun_is_done_to_its_end(how: str) -> None:
    held = Held()
    with served("memory", holding(held)) as store:
        store.run(_left(store, held, "UpdateSignalState", b"", how))
        store.run(until(lambda: store.server.calls.on_their_way == 0))
        assert (held.ends, len(store.server.calls.writing)) == ([], 1)
        held.free.set()
        store.run(until(lambda: not store.server.calls.writing))
    assert held.ends == ["done"]


def test_writes_whose_callers_have_gone_count_until_they_are_done() -> None:
    """Or callers with too little time would pile up more of them than the store can bear."""
    held = Held()
    with served("memory", holding(held), STATESTORE_GRPC_MAX_CONCURRENT_CALLS="1") as store:
        store.run(_left(store, held, "UpdateSignalState", b"", "cancelled"))
        store.run(until(lambda: store.server.calls.on_their_way == 0))
        refused = store.refused("GetSignalState", READ)
        assert (refused.code, refused.reason) == (Code.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS")
        held.free.set()
        store.run(until(lambda: store.server.calls.unheard == 0))
        assert store.refused("GetSignalState", READ).code is Code.UNAVAILABLE


async def _left(store: Served, held: Held, method: str, sent: bytes, how: str) -> None:
    """Call, and go away once the call has begun."""
    call = store.channel.unary_unary(SIGNALS + method, None, None)(
        sent, metadata=token(), timeout=0.5 if how == "deadline" else None
    )
    await held.begun.wait()
    if how == "cancelled":
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
    else:
        assert await _code(call) is Code.DEADLINE_EXCEEDED


async def _code(call: Any) -> Code:
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return error.code()
    return Code.OK


@define
class LateContext:
    """A call as gRPC hands it over, whose time is over."""

    code: Code | None = None

    def invocation_metadata(self) -> list[tuple[str, str]]:
        return list(token())

    def time_remaining(self) -> float:
        return 0.0

    def set_trailing_metadata(self, said: Any) -> None:
        pass

    def set_code(self, code: Code) -> None:
        self.code = code

    def set_details(self, said: str) -> None:
        pass


def test_what_has_no_time_left_is_not_begun(store: Served) -> None:
    """Over a channel such a call can hardly be made: the caller gives up first."""
    store.api.registered()
    head, context = store.head(), LateContext()
    served_method = _handler(store, "UpdateSignalState")
    untyped: Any = context
    assert store.run(served_method(update(0).SerializeToString(), untyped)) == b""
    assert context.code is Code.DEADLINE_EXCEEDED
    assert store.head() == head


def _handler(store: Served, method: str) -> Any:
    details: Any = type("Details", (), {"method": SIGNALS + method, "invocation_metadata": ()})()
    handlers = [one.service(details) for one in all_services(store.api.container)]
    (found,) = [one for one in handlers if one is not None]
    return found.unary_unary

"""One request over HTTP: against DynamoDB Local, and against servers that misbehave."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from zlib import crc32

import pytest
from attrs import evolve

from adapters.dynamodb.transport.errors import (
    Away,
    Canceled,
    ConditionFailed,
    DynamoError,
    OutcomeUnknown,
    Rejected,
)
from adapters.dynamodb.transport.http_transport import HttpTransport, Limits, host_of
from adapters.dynamodb.transport.signing import Credentials
from adapters.dynamodb.transport.transport import Operation
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.dynamodb.support.fixtures import (
    REGION,
    FixedCredentials,
    http_transport,
    item,
    new_table,
)
from tests.support.certificates import certificate

Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
ABSENT = "attribute_not_exists(PK)"


def test_an_item_is_written_and_read() -> None:
    async def scene() -> None:
        table, stored = new_table(), item("a", 1, text="ä€", n=5)
        async with http_transport() as transport:
            await transport.call(Operation.PUT_ITEM, {"TableName": table, "Item": stored})
            request = {"TableName": table, "Key": item("a", 1), "ConsistentRead": True}
            read = await transport.call(Operation.GET_ITEM, request)
        assert read == {"Item": stored}

    asyncio.run(scene())


class NoCredentialsYet:
    async def current(self) -> Credentials:
        await asyncio.Event().wait()
        raise AssertionError


def test_looking_for_credentials_does_not_outlast_the_deadline() -> None:
    async def scene() -> None:
        transport = HttpTransport("http://127.0.0.1:1", REGION, NoCredentialsYet())
        with pytest.raises(Away, match=r"no AWS credentials within 0\.01 s"):
            await asyncio.wait_for(
                transport.call(Operation.GET_ITEM, {}, deadline=0.01), timeout=10
            )

    asyncio.run(scene())


def test_a_failed_condition_shows_what_stood_there() -> None:
    async def scene() -> None:
        put = {
            "TableName": new_table(),
            "Item": item("a", 1, text="first"),
            "ConditionExpression": ABSENT,
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }
        async with http_transport() as transport:
            await transport.call(Operation.PUT_ITEM, put)
            with pytest.raises(ConditionFailed) as single:
                await transport.call(Operation.PUT_ITEM, put)
            puts = {"TransactItems": [{"Put": {**put, "Item": item("b", 1)}}, {"Put": put}]}
            with pytest.raises(Canceled) as transaction:
                await transport.call(Operation.TRANSACT_WRITE_ITEMS, puts)
        assert single.value.item == put["Item"]
        assert transaction.value.codes == ("None", "ConditionalCheckFailed")
        assert transaction.value.reasons[1].item == put["Item"]

    asyncio.run(scene())


def test_what_dynamodb_refuses_is_told() -> None:
    async def scene() -> None:
        async with http_transport() as transport:
            request = {"TableName": dynamodb_local.unused_table(), "Key": item("a", 1)}
            with pytest.raises(Rejected) as caught:
                await transport.call(Operation.GET_ITEM, request)
            assert caught.value.code == "ResourceNotFoundException"
            with pytest.raises(Rejected, match="not JSON"):
                await transport.call(Operation.GET_ITEM, {"TableName": object()})

    asyncio.run(scene())


def test_a_server_that_is_not_there_got_nothing() -> None:
    async def scene() -> None:
        async with http_transport(f"http://127.0.0.1:{dynamodb_local.free_port()}") as transport:
            with pytest.raises(Away, match=r"127\.0\.0\.1"):
                await transport.call(Operation.PUT_ITEM, {})

    asyncio.run(scene())


def test_a_closed_transport_says_so() -> None:
    async def scene() -> None:
        async with http_transport() as transport:
            with pytest.raises(Rejected):
                await transport.call(Operation.PUT_ITEM, {})
        with pytest.raises(Away, match="closed"):
            await transport.call(Operation.PUT_ITEM, {})

    asyncio.run(scene())


async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"{}")


async def say_half(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"{}")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")


async def say_damaged(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"{}")
    checksum = crc32(b'{"Item":{}}')
    writer.write(
        b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\nx-amz-crc32: %d\r\n\r\n" % checksum
        + b'{"Itam":{}}'
    )


async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()


@pytest.mark.parametrize("misbehave", [hang_up, say_half, say_damaged])
def test_a_reply_that_is_lost_or_damaged_leaves_the_outcome_unknown(misbehave: Answer) -> None:
    assert isinstance(asyncio.run(error_from(misbehave)), OutcomeUnknown)


def test_a_reply_that_does_not_come_in_time_leaves_the_outcome_unknown() -> None:
    error = asyncio.run(error_from(say_nothing, deadline=0.05))
    assert isinstance(error, OutcomeUnknown)
    assert "0.05 s" in str(error)


def test_the_usual_timeout_counts_without_a_deadline() -> None:
    error = asyncio.run(error_from(say_nothing, limits=Limits(timeout=0.06)))
    assert "0.06 s" in str(error)


def test_a_request_is_sent_once_even_on_a_connection_that_was_closed() -> None:
    async def scene() -> int:
        seen: list[bytes] = []

        async def answer_once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            seen.append(await reader.readuntil(b"{}"))
            if len(seen) == 1:
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                seen.append(await reader.readuntil(b"{}"))

        async with server(answer_once) as endpoint, http_transport(endpoint) as transport:
            await transport.call(Operation.PUT_ITEM, {})
            with pytest.raises(OutcomeUnknown):
                await transport.call(Operation.PUT_ITEM, {})
        return len(seen)

    assert asyncio.run(scene()) == 2


async def say_good(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"{}")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")


def test_over_tls_only_the_authorities_that_were_named_are_trusted(tmp_path: Path) -> None:
    shown, kept = certificate(tmp_path)
    secured = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    secured.load_cert_chain(shown, kept)

    async def scene() -> None:
        async with server(say_good, secured) as endpoint:
            async with http_transport(endpoint, str(shown)) as trusting:
                assert await trusting.call(Operation.PUT_ITEM, {}) == {}
            async with http_transport(endpoint) as wary:
                with pytest.raises(Away, match="certificate verify failed"):
                    await wary.call(Operation.PUT_ITEM, {})

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("endpoint", "host"),
    [
        ("https://dynamodb.eu-central-1.amazonaws.com", "dynamodb.eu-central-1.amazonaws.com"),
        ("https://dynamodb.example:443/", "dynamodb.example"),
        ("http://127.0.0.1:8000", "127.0.0.1:8000"),
        ("http://[::1]:8000", "[::1]:8000"),
    ],
)
def test_the_host_is_signed_as_it_is_sent(endpoint: str, host: str) -> None:
    assert host_of(endpoint) == host


@pytest.mark.parametrize("endpoint", ["", "127.0.0.1:8000", "ftp://there", "http://there/path"])
def test_an_endpoint_that_is_none_is_refused(endpoint: str) -> None:
    with pytest.raises(ValueError, match="not an endpoint"):
        HttpTransport(endpoint, REGION, FixedCredentials())


async def error_from(
    misbehave: Answer, *, deadline: float | None = None, limits: Limits | None = None
) -> DynamoError:
    async with server(misbehave) as endpoint, http_transport(endpoint) as usual:
        transport = evolve(usual, limits=limits or usual.limits)
        try:
            with pytest.raises(DynamoError) as caught:
                await transport.call(Operation.PUT_ITEM, {}, deadline=deadline)
        finally:
            await transport.close()
    return caught.value


@asynccontextmanager
async def server(answer: Answer, shown: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """Answers connections in its own way, then closes them."""

    async def answered(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await answer(reader, writer)
        finally:
            writer.close()

    running = await asyncio.start_server(answered, "127.0.0.1", 0, ssl=shown)
    async with running:
        scheme = "https" if shown else "http"
        yield f"{scheme}://127.0.0.1:{running.sockets[0].getsockname()[1]}"

"""Lists with far more than anyone may send are refused at once: all other calls wait meanwhile."""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor

from entrypoints.grpc.server.services import SERVICES
from tests.entrypoints.grpc.support.served import Served, served, token

SIZE = 1_000_000
"""Bytes of a message; the smallest part of one has two."""

MOST_STEPS = 100_000
"""Functions that are called for one answer; without bounds there are millions."""

METHODS = {
    f"/{service.full_name}/{method.name}": method
    for service in SERVICES
    for method in service.methods
    if not method.client_streaming
}


def wide(
    kind: Descriptor, within: tuple[str, ...] = ()
) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """For every list of a message, also in its parts: one with as many items as have room.

    It is made when it is sent: to make them all only to have their names takes seconds.
    """
    if kind.full_name in within:
        return
    for field in kind.fields:
        inner = field.message_type
        if field.is_repeated:
            yield field.name, partial(_items, field)
        if inner is not None and not inner.GetOptions().map_entry:
            for name, made in wide(inner, (*within, kind.full_name)):
                yield f"{field.name}.{name}", partial(_within, field, made)


def _items(field: FieldDescriptor) -> bytes:
    inner = field.message_type
    if inner is not None and inner.GetOptions().map_entry:
        return b"".join(part(field.number, part(1, b"%d" % n)) for n in range(SIZE // 11))
    return part(field.number, b"") * (SIZE // 2)


def _within(field: FieldDescriptor, made: Callable[[], bytes]) -> bytes:
    return part(field.number, made())


def part(number: int, sent: bytes) -> bytes:
    """As protobuf writes a text or a message within a message."""
    return _varint(number << 3 | 2) + _varint(len(sent)) + sent


def _varint(number: int) -> bytes:
    low, high = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(high) if high else bytes([low])


def cases() -> Iterator[tuple[str, str]]:
    for path, method in METHODS.items():
        for name, _ in wide(method.input_type):
            yield path, name


@pytest.fixture(scope="module")
def store() -> Iterator[Served]:
    with served("memory") as one:
        one.api.registered()
        yield one


@pytest.mark.parametrize(("path", "name"), tuple(cases()), ids=lambda said: said.rpartition("/")[2])
def test_every_list_there_is(store: Served, path: str, name: str) -> None:
    sent, steps = dict(wide(_method(path).input_type))[name](), 0

    def step(_: FrameType, __: str, ___: object) -> None:
        nonlocal steps
        steps += 1

    async def asked() -> grpc.StatusCode:
        call: Any = store.channel.unary_unary(path, None, None)
        sys.setprofile(step)
        try:
            code: grpc.StatusCode = await call(sent, metadata=token(), timeout=30).code()
        finally:
            sys.setprofile(None)
        return code

    head = store.head()
    # What is wrong with an update of a signal is an answer.
    assert store.run(asked()) in {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.OK}
    assert store.head() == head
    assert steps < MOST_STEPS


def _method(path: str) -> MethodDescriptor:
    return METHODS[path]


def test_there_are_lists() -> None:
    assert {name.rpartition(".")[2] for _, name in cases()} >= {"conditions", "paths", "statuses"}

"""Events as bytes: they come back as they were, or not at all."""

import struct
import zlib
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.dynamodb.log.packing import Damaged, Placed, pack, unpack
from adapters.eventstore.log import NewEvent

events = st.builds(
    NewEvent,
    stream=st.text(max_size=10),
    version=st.integers(0, 10**9),
    name=st.text(max_size=10),
    data=st.binary(max_size=50),
    event_id=st.binary(max_size=20),
    meta=st.binary(max_size=50),
)
placed = st.lists(st.builds(Placed, st.integers(0, 10**6), events), max_size=8)


def an_event(number: int) -> NewEvent:
    data = b'{"state":"CRITICAL","score":0.25,"metrics":{"evidence_count":100,"pass_count":%d}}'
    return NewEvent(f"signal-{number % 7}", number, "signal.evaluated", data % number, b"i" * 16)


def described(content: bytes) -> dict[str, Any]:
    """The header of what was packed."""
    (ids,) = struct.unpack_from(">I", content, 5)
    body = zlib.decompress(content[9 + ids :])
    (length,) = struct.unpack_from(">I", body)
    columns: dict[str, Any] = orjson.loads(body[4 : 4 + length])
    return columns


@given(placed)
def test_what_was_packed_is_unpacked(given_events: list[Placed]) -> None:
    assert unpack(pack(given_events, "here"), "here") == given_events


@given(st.builds(Placed, st.integers(0, 10**6), events))
def test_a_single_event_is_described_as_one_of_many_is(one: Placed) -> None:
    alone, among_its_like = described(pack([one], "")), described(pack([one, one], ""))
    assert {name: column * 2 for name, column in alone.items()} == {
        name: column * 2 if name in ("streams", "names") else column
        for name, column in among_its_like.items()
    }


@given(placed, st.data())
def test_a_single_wrong_byte_is_noticed(given_events: list[Placed], data: st.DataObject) -> None:
    packed = bytearray(pack(given_events, "here"))
    packed[data.draw(st.integers(0, len(packed) - 1))] ^= data.draw(st.integers(1, 255))
    with pytest.raises(Damaged, match="here"):
        unpack(bytes(packed), "here")


@given(placed, st.data())
def test_what_is_cut_short_is_noticed(given_events: list[Placed], data: st.DataObject) -> None:
    packed = pack(given_events, "here")
    with pytest.raises(Damaged):
        unpack(packed[: data.draw(st.integers(0, len(packed) - 1))], "here")


def test_bytes_that_were_moved_elsewhere_are_noticed() -> None:
    packed = pack([Placed(0, an_event(1))], "here")
    with pytest.raises(Damaged, match="the checksum does not match"):
        unpack(packed, "there")


def test_what_a_later_release_wrote_is_named() -> None:
    packed = pack([Placed(0, an_event(1))], "here")
    with pytest.raises(Damaged, match="format 9 is not known"):
        unpack(b"\x09" + packed[1:], "here")


def test_events_that_are_alike_take_little_room() -> None:
    packed = pack([Placed(n, an_event(n)) for n in range(100)], "here")
    assert len(packed) / 100 < 40

"""Exports: every entry comes back as it was, and a file that was touched is refused (S2-79)."""

import gzip
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.eventstore.export.file_format import BadExport, Header
from adapters.eventstore.export.reader import ExportReader
from adapters.eventstore.export.writer import writing
from adapters.eventstore.log import LogEntry

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


def an_entry(position: int, data: bytes = b"{}") -> LogEntry:
    return LogEntry(position, NOON, "a-1", position, "thing.happened", data, b"\0id", b"meta")


def written(path: Path, entries: Sequence[LogEntry], first: int = 1) -> Header:
    header = Header("sqlite", None, 1, first, first + len(entries) - 1, "2026-11-16T12:00:00.000Z")
    with writing(path, header) as file:
        for entry in entries:
            file.add(entry)
    return header


def read(path: Path) -> list[LogEntry]:
    return list(ExportReader(path).entries())


FIVE = [an_entry(n) for n in range(1, 6)]

SAME_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@SAME_FOLDER
@given(st.lists(st.tuples(st.binary(), st.text(max_size=20)), max_size=5), st.integers(1, 9))
def test_what_is_written_is_read(
    tmp_path: Path, parts: list[tuple[bytes, str]], first: int
) -> None:
    entries = [
        LogEntry(first + n, NOON, f"s-{text}", n, text, data, data[:3], data[3:])
        for n, (data, text) in enumerate(parts)
    ]
    header = written(tmp_path / "log.gz", entries, first)
    assert ExportReader(tmp_path / "log.gz").header() == header
    assert read(tmp_path / "log.gz") == entries


def test_people_can_read_it(tmp_path: Path) -> None:
    written(tmp_path / "log.gz", [an_entry(1, b'{"a": 1}')])
    header, event, trailer = gzip.decompress((tmp_path / "log.gz").read_bytes()).splitlines()
    assert orjson.loads(header)["format"] == "statestore-log"
    assert orjson.loads(event)["d"] == '{"a": 1}'
    assert orjson.loads(trailer)["events"] == 1


@SAME_FOLDER
@given(st.integers(0), st.integers(0, 7))
def test_a_changed_bit_is_noticed(tmp_path: Path, at: int, bit: int) -> None:
    path = tmp_path / "log.gz"
    written(path, FIVE)
    stored = bytearray(path.read_bytes())
    # Bytes 4 to 9 of a gzip file are a time, a hint and a system that nobody reads.
    at = 10 + at % (len(stored) - 10)
    stored[at] ^= 1 << bit
    path.write_bytes(stored)
    with suppress(BadExport):
        # A few bits before gzip's own checksum only fill up a byte: they change nothing.
        assert (read(path), at) == (FIVE, len(stored) - 9)


@SAME_FOLDER
@given(st.integers(0))
def test_a_file_cut_short_is_noticed(tmp_path: Path, at: int) -> None:
    path = tmp_path / "log.gz"
    written(path, FIVE)
    stored = path.read_bytes()
    path.write_bytes(stored[: at % len(stored)])
    with pytest.raises(BadExport):
        read(path)


def lines_of(path: Path) -> list[bytes]:
    return gzip.decompress(path.read_bytes()).splitlines(keepends=True)


@pytest.mark.parametrize("line", range(7))
def test_a_line_left_out_is_noticed_even_if_the_file_is_sound(tmp_path: Path, line: int) -> None:
    path = tmp_path / "log.gz"
    written(path, FIVE)
    lines = lines_of(path)
    path.write_bytes(gzip.compress(b"".join(lines[:line] + lines[line + 1 :])))
    with pytest.raises(BadExport):
        read(path)


def test_a_changed_event_is_noticed_even_if_the_file_is_sound(tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    written(path, FIVE)
    changed = b"".join(lines_of(path)).replace(b'"v":3', b'"v":4')
    path.write_bytes(gzip.compress(changed))
    with pytest.raises(BadExport, match="checksum"):
        read(path)


def test_what_follows_the_last_line_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    written(path, FIVE)
    path.write_bytes(path.read_bytes() + gzip.compress(b"more"))
    with pytest.raises(BadExport, match="follows"):
        read(path)


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ('{"format": "other"}', "no export"),
        ('{"format": "statestore-log", "version": 2}', "not known"),
        ("[]", "line"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, header: str, reason: str) -> None:
    (tmp_path / "log.gz").write_bytes(gzip.compress(header.encode() + b"\n"))
    with pytest.raises(BadExport, match=reason):
        ExportReader(tmp_path / "log.gz").header()


@pytest.mark.parametrize(
    "told",
    [{"first": "1"}, {"last": "5"}, {"last": None}, {"last": 1.5}, {"first": 0}, {"first": 7}],
)
def test_a_header_that_names_no_positions_is_refused(tmp_path: Path, told: dict[str, Any]) -> None:
    written(tmp_path / "log.gz", FIVE)
    header, *rest = lines_of(tmp_path / "log.gz")
    crafted = orjson.dumps({**orjson.loads(header), **told}) + b"\n"
    (tmp_path / "log.gz").write_bytes(gzip.compress(b"".join([crafted, *rest])))
    with pytest.raises(BadExport, match="names no positions"):
        ExportReader(tmp_path / "log.gz").header()


def test_what_is_no_gzip_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "log.gz").write_bytes(b"nonsense")
    with pytest.raises(BadExport, match="gzip"):
        ExportReader(tmp_path / "log.gz").header()


def test_an_export_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with (
        pytest.raises(RuntimeError),
        writing(tmp_path / "log.gz", Header("sqlite", None, 1, 1, 1, "")),
    ):
        raise RuntimeError("the disk is full")
    assert list(tmp_path.iterdir()) == []


def test_an_export_that_fails_leaves_the_one_before(tmp_path: Path) -> None:
    written(tmp_path / "log.gz", FIVE)
    with (
        pytest.raises(RuntimeError),
        writing(tmp_path / "log.gz", Header("sqlite", None, 1, 1, 1, "")),
    ):
        raise RuntimeError("the disk is full")
    assert read(tmp_path / "log.gz") == FIVE

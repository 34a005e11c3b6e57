"""Reading an export, and noticing that it was cut short or changed."""

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
from attrs import frozen

from adapters.eventstore.export.file_format import FORMAT, VERSION, BadExport, Header, to_entry
from adapters.eventstore.log import LogEntry


@frozen
class ExportReader:
    """Reads line by line. Whoever has read to the end knows that nothing was changed."""

    path: Path

    def header(self) -> Header:
        with self._opened() as file:
            return self._header(file.readline())

    def entries(self) -> Iterator[LogEntry]:
        """The entries in order.

        Raises:
            BadExport: Something is not as it was written; that may show only in the end.
        """
        with self._opened() as file:
            yield from self._entries(file)

    def _entries(self, file: gzip.GzipFile) -> Iterator[LogEntry]:
        line, digest = file.readline(), hashlib.sha256()
        header = self._header(line)
        for position in range(header.first, header.last + 1):
            digest.update(line)
            line = file.readline()
            entry = to_entry(orjson.loads(line))
            if entry.position != position:
                raise BadExport(self.path, f"position {entry.position} stands for {position}")
            yield entry
        digest.update(line)
        expected = {"events": header.events, "sha256": digest.hexdigest()}
        if orjson.loads(file.readline()) != expected:
            raise BadExport(self.path, "its checksum does not match: it was changed")
        if file.read(1):
            raise BadExport(self.path, "something follows its last line")

    def _header(self, line: bytes) -> Header:
        told = orjson.loads(line)
        if told.pop("format") != FORMAT:
            raise BadExport(self.path, "it is no export of a log")
        version = told.pop("version")
        if version != VERSION:
            raise BadExport(self.path, f"format {version} is not known to this release")
        header = Header(**told)
        numbers = (header.epoch, header.first, header.last)
        if not all(type(one) is int for one in numbers) or not 1 <= header.first <= header.last + 1:
            raise BadExport(self.path, "its first line names no positions")
        return header

    @contextmanager
    def _opened(self) -> Iterator[gzip.GzipFile]:
        try:
            with gzip.open(self.path) as file:
                yield file
        except EOFError as error:
            raise BadExport(self.path, "it ends too early") from error
        except (OSError, zlib.error) as error:
            raise BadExport(self.path, getattr(error, "strerror", None) or str(error)) from error
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise BadExport(self.path, f"a line cannot be read ({error!r})") from error

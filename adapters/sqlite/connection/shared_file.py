"""What all users of one database in this process share: its writer, its readers, its lock."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, ClassVar, TypeVar

from adapters.sqlite.connection.connections import Readers, open_writer
from adapters.sqlite.connection.errors import unavailable
from adapters.sqlite.connection.folder_lock import FolderLock
from adapters.sqlite.connection.location import Location
from adapters.sqlite.connection.transaction import Participant, Transactions
from adapters.sqlite.connection.writer import Writer

P = TypeVar("P", bound=Participant)


class SharedFile:
    """One database, opened once however many use it; it closes after the last of them."""

    _open: ClassVar[dict[str, "SharedFile"]] = {}
    _guard: ClassVar[Lock] = Lock()

    def __init__(self, location: Location, *, busy_timeout: float) -> None:
        self.what = location.name
        self._location = location
        self._users = 0
        self._lock = _locked(location)
        try:
            self._connection = open_writer(location, busy_timeout=busy_timeout)
        except BaseException:
            self._unlock()
            raise
        self._transactions = Transactions(self._connection, self.what)
        self._participants: dict[Hashable, Any] = {}
        self.writer = Writer(self._transactions, self.what)
        self.readers = Readers(location, busy_timeout=busy_timeout)

    @classmethod
    def use(cls, location: Location, *, busy_timeout: float) -> "SharedFile":
        with cls._guard:
            file = cls._open.get(location.uri) or cls(location, busy_timeout=busy_timeout)
            cls._open[location.uri] = file
            file._users += 1
            return file

    def leave(self) -> None:
        with self._guard:
            self._users -= 1
            if self._users == 0:
                del self._open[self._location.uri]
                self._close()

    def participant(self, key: Hashable, make: Callable[[], P]) -> P:
        """The one participant of this key, made by whoever asks first."""
        with self._guard:
            if key not in self._participants:
                self._participants[key] = make()
                self._transactions.participants.append(self._participants[key])
            found: P = self._participants[key]
            return found

    def _close(self) -> None:
        self.writer.close()
        # The connection that writes goes last: it moves the WAL into the file and removes it.
        self.readers.close()
        self._connection.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock:
            self._lock.release()


def _locked(location: Location) -> FolderLock | None:
    try:
        return FolderLock.take(location.file.parent) if location.file else None
    except OSError as error:
        raise unavailable(str(location), error) from error

"""Whether this program understands a stored event."""

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import frozen
from cryptography.exceptions import InvalidTag

from adapters.eventstore.codec import UnreadableRecord
from adapters.eventstore.log import LogEntry
from adapters.eventstore.mapper import Mapper
from application.errors import NotReadable, Unavailable

NOT_UNDERSTOOD = (InvalidTag, LookupError, TypeError, UnreadableRecord, ValueError)


def why(error: Exception) -> str:
    """In words that can be kept and shown: the error itself may quote what is personal."""
    return f"it cannot be read ({type(error.__cause__ or error).__name__})"


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Raises NotReadable for what this program does not understand."""
    try:
        yield
    except NOT_UNDERSTOOD as error:
        raise NotReadable(what, why(error)) from error


@frozen
class Readability:
    """The envelope, the catalogue, the shape of the fact and the seals must all be right."""

    mapper: Mapper

    def __call__(self, entry: LogEntry) -> str | None:
        """Why the entry cannot be understood, nothing if it can."""
        try:
            self.mapper.recorded(entry)
        except (*NOT_UNDERSTOOD, Unavailable) as error:
            return str(error) or type(error).__name__
        return None

"""Whether this program understands a stored event."""

from attrs import frozen
from cryptography.exceptions import InvalidTag

from adapters.eventstore.codec import UnreadableRecord
from adapters.eventstore.log import LogEntry
from adapters.eventstore.mapper import Mapper
from application.errors import Unavailable

NOT_UNDERSTOOD = (InvalidTag, LookupError, TypeError, UnreadableRecord, ValueError)


def why(error: Exception) -> str:
    """In words that can be kept and shown: the error itself may quote what is personal."""
    return f"it cannot be read ({type(error.__cause__ or error).__name__})"


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

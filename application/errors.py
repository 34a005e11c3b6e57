"""
What can go wrong around a decision, as opposed to in it.

    ApplicationError
    ├── Contended      the race was lost too often; trying again helps
    ├── Unavailable    a part that must answer does not; trying again later may help
    │   └── Damaged    what is stored is not what was stored; a copy helps
    ├── Overloaded     more has come than can be dealt with; trying again later helps
    ├── OutcomeUnknown a write may or may not have been stored; repeating it with its key tells
    ├── NotCaughtUp    what is read does not show a position in time; trying again later may help
    ├── NotReadable    what is stored is not understood by this program; a newer one may
    ├── NotYet         a moment that was asked about has not come
    ├── TooWide        an answer would have to be folded from too much; asking for less helps
    ├── TooMuch        more than can be stored at once; trying again does not help
    ├── KeyReused      the request key came with another content before
    └── Forbidden      the caller may not do this
"""

from datetime import datetime

from attrs import define

from domain.timestamps import stamp


class ApplicationError(Exception):
    """Anything the surroundings of the domain refuse."""


@define
class Contended(ApplicationError):
    streams: tuple[str, ...]
    attempts: int

    def __str__(self) -> str:
        return f"gave up after {self.attempts} lost races for {', '.join(self.streams)}"


@define
class Unavailable(ApplicationError):
    what: str
    reason: str

    def __str__(self) -> str:
        return f"{self.what} is unavailable: {self.reason}"


@define
class Damaged(Unavailable):
    """Never shown, and never taken for missing."""

    def __str__(self) -> str:
        return f"{self.what} is damaged: {self.reason}"


@define
class Overloaded(ApplicationError):
    what: str

    def __str__(self) -> str:
        return f"{self.what} cannot take more at the moment; try again in a while"


@define
class OutcomeUnknown(ApplicationError):
    what: str
    reason: str

    def __str__(self) -> str:
        return (
            f"{self.what} may or may not have stored it: {self.reason}. "
            "Look before writing again, or repeat the request with the same idempotency key"
        )


@define
class NotCaughtUp(ApplicationError):
    projection: str
    reached: int
    wanted: int

    def __str__(self) -> str:
        return f"{self.projection} has not come as far as was asked for; ask again in a moment"


@define
class NotReadable(ApplicationError):
    what: str
    reason: str

    def __str__(self) -> str:
        return f"{self.what} is not understood by this version of the program: {self.reason}"


@define
class NotYet(ApplicationError):
    asked: datetime
    now: datetime

    def __str__(self) -> str:
        return f"as_of must not lie in the future: it is {stamp(self.now)} here"


@define
class TooWide(ApplicationError):
    what: str
    most: int

    def __str__(self) -> str:
        return (
            f"there were more than {self.most:,} {self.what}, and an answer about the past is "
            "folded anew each time: ask for fewer, of one dataset or a shorter span"
        )


@define
class TooMuch(ApplicationError):
    what: str
    reason: str

    def __str__(self) -> str:
        return f"{self.what} cannot be stored: {self.reason}"


@define
class KeyReused(ApplicationError):
    key: str

    def __str__(self) -> str:
        return f"the idempotency key {self.key!r} was used for a different request"


@define
class Forbidden(ApplicationError):
    principal: str
    action: str
    on: str

    def __str__(self) -> str:
        return f"{self.principal} may not {self.action} {self.on}"

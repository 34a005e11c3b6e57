"""What every call can be told: how up to date its answer must be, and how long it may take."""

from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from math import inf
from typing import Final, TypedDict

from statestore_client.messages.common_pb2 import ReadOptions
from statestore_client.transport.translation import to_timestamp


class Key(Enum):
    NEW = "a new key"


NEW_KEY: Final = Key.NEW


class Reading(TypedDict, total=False):
    """How a read is asked for, all of it optional."""

    as_of: datetime | None
    """As it was then, by what was recorded by then."""
    min_position: str | None
    """What is read shows at least that; the client's own last write if nothing is said."""
    strong: bool
    """Folded from the log, with all that is recorded by now. Single things only."""
    timeout: float
    """Seconds until the call is given up, all tries included."""


class Writing(TypedDict, total=False):
    """How a write is sent, all of it optional."""

    timeout: float
    idempotency_key: str | Key | None
    """A new one for each call if nothing is said. None sends none: then the write is tried again
    only if an expected version says what it rests on, or nothing can have been done."""


def must_be_known(how: Mapping[str, object], kind: type) -> None:
    """What is misspelt must not pass in silence."""
    for name in how:
        if name not in kind.__annotations__:
            known = ", ".join(kind.__annotations__)
            raise TypeError(f"a call takes no {name!r}; besides its own it takes {known}")


def must_be_time(timeout: float) -> float:
    """Nothing is sent that could not be answered."""
    if not 0 < timeout < inf:
        raise ValueError(f"timeout must be a number of seconds above 0, not {timeout!r}")
    return timeout


def options(how: Reading, own: str | None) -> ReadOptions | None:
    """None if there is nothing to say."""
    as_of, strong, said = how.get("as_of"), how.get("strong", False), how.get("min_position")
    message = ReadOptions(strong=strong)
    if as_of is not None:
        message.as_of.CopyFrom(to_timestamp(as_of, "as_of"))
    # The past does not change, and a strong read shows everything anyway.
    needed = None if strong or as_of is not None else own
    message.min_position = said or needed or ""
    return message if message.ByteSize() else None

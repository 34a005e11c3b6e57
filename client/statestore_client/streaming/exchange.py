"""What is said over a stream, and what is answered: all that a stream itself need not know."""

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol, TypeVar

from google.protobuf.message import Message

from statestore_client.errors import StateStoreError
from statestore_client.streaming.in_flight import Bounds
from statestore_client.streaming.send_queue import Item, Standing, Told
from statestore_client.transport.failures import Failure

Said_contra = TypeVar("Said_contra", contravariant=True)


class Dialogue(Protocol[Said_contra, Item, Told]):
    path: ClassVar[str]
    request: ClassVar[type[Message]]
    answer: ClassVar[type[Message]]

    @property
    def bounds(self) -> Bounds:
        """How much may be without an answer, before the server has said how much."""
        ...

    def prepared(self, said: Said_contra, /) -> Item:
        """Raises ValueError if it cannot be sent."""
        ...

    def message(self, items: Sequence[Item], /) -> Message: ...

    def window(self, answer: Any, /) -> int:
        """How many the server lets be without an answer; 0 if it does not say."""
        ...

    def nothing_done(self, failed: Failure, /) -> bool:
        """Whether all that was done before the stream failed so was answered."""
        ...

    async def outcome(
        self, one: Standing[Item, Told], result: Any, deadline: float, /
    ) -> Told | StateStoreError:
        """What an answer means. What has to be looked up for that is, until the deadline."""
        ...

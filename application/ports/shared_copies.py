"""Copies of the read models that processes share, as seen by whoever tells what has changed."""

from collections.abc import Sequence
from typing import Protocol

from application.recorded import Recorded


class SharedCopies(Protocol):
    async def drop(self, facts: Sequence[Recorded]) -> None:
        """Nothing that lacks one of the facts is fresh from now on.

        Rather too much is dropped than too little; what shows the facts already stays.

        Raises:
            Unavailable: Some of it may still be; to be tried again.
        """
        ...

    async def clear(self) -> None:
        """Forget everything.

        Raises:
            Unavailable: Some of it may still be there; to be tried again.
        """
        ...

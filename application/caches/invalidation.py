"""Copies of the read models that processes share, as seen by whoever tells what has changed."""

from collections.abc import Sequence
from typing import Protocol

from application.recorded import Recorded


class SharedCopies(Protocol):
    async def drop(self, facts: Sequence[Recorded]) -> None:
        """Nothing that lacks one of the facts is fresh from now on.

        Rather too much is dropped than too little; what shows the facts already stays.

        Raises:
            NotReadable: Nobody knows what one of them has changed.
            Unavailable: Some of it may still be; to be tried again.
        """
        ...

    async def told(self) -> int | None:
        """Up to where they were told, as they remember themselves; nothing if they do not.

        They may go back to what they were, and then remember less.

        Raises:
            Unavailable: They do not answer.
        """
        ...

    async def remember(self, upto: int, *, after: int | None) -> None:
        """They were told up to there, having been told up to `after`.

        Raises:
            Unavailable: They may not remember it, or remember other than `after` by now.
        """
        ...

    async def clear(self) -> None:
        """Forget everything.

        Raises:
            Unavailable: Some of it may still be there; to be tried again.
        """
        ...

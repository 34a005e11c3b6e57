"""Who of several processes does a piece of work now."""

from typing import Protocol


class Leases(Protocol):
    """A lease keeps processes from doing the same work twice. Nothing that must be true rests on
    it: whoever was too slow to renew one may still be at work when another begins.
    """

    async def hold(self, name: str) -> bool:
        """Take the lease if it is free or its holder is gone, renew it if it is ours.

        Returns whether it is ours now. To be called again well within the time it lasts.

        Raises:
            Unavailable: Who holds it cannot be found out now.
        """
        ...

    async def release(self, name: str) -> None:
        """Let another one have it at once, if it is ours."""
        ...

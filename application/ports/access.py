"""Who may do what."""

from typing import Protocol

from application.caller import Caller


class Access(Protocol):
    async def permit(self, by: Caller, action: str, on: str) -> None:
        """Return if the caller may do this.

        Raises:
            Forbidden: The caller may not.
        """
        ...

"""People whose data is sealed."""

from typing import Protocol


class People(Protocol):
    async def erase(self, person: str) -> bool:
        """Make everything sealed for the person unreadable, for ever; False if nothing was."""
        ...

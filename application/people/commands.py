"""Erasing people."""

from attrs import frozen

from application.caller import Caller
from application.people.ports import People
from application.ports.access import Access


@frozen
class ErasePerson:
    """Make a person's data unreadable wherever it is stored: log, rows, snapshots, backups."""

    people: People
    access: Access

    async def __call__(self, person: str, *, by: Caller) -> bool:
        """Tells whether anything was known of the person."""
        await self.access.permit(by, "person:erase", "*")
        return await self.people.erase(person)

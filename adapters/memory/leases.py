"""Leases where one process does all the work: every lease is its own."""

from attrs import frozen


@frozen
class OwnLeases:
    async def hold(self, name: str) -> bool:
        return True

    async def release(self, name: str) -> None:
        return None

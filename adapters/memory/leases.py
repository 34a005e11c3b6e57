"""Leases in memory: those of a process that is alone, and the twin of a shared board."""

from attrs import define, field, frozen

from adapters.leases.lease import LeaseRecord


@frozen
class OwnLeases:
    """Where one process does all the work, every lease is its own."""

    async def hold(self, name: str) -> bool:
        return True

    async def release(self, name: str) -> None:
        return None


@define
class MemoryLeaseBoard:
    """Shared by those who are given the same one."""

    _leases: dict[str, LeaseRecord] = field(factory=dict)

    async def read(self, name: str) -> LeaseRecord:
        return self._leases.get(name, LeaseRecord())

    async def replace(self, name: str, new: LeaseRecord) -> LeaseRecord:
        present = self._leases.get(name)
        if present is None or present.stamp == new.stamp - 1:
            self._leases[name] = new
        return self._leases[name]

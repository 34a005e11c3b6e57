"""Leases in memory: those of a process that is alone, and the twin of a shared board."""

from attrs import define, field, frozen

from adapters.leases.lease import Lease


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

    _leases: dict[str, Lease] = field(factory=dict)

    async def read(self, name: str) -> Lease:
        return self._leases.get(name, Lease())

    async def replace(self, name: str, new: Lease) -> Lease:
        present = self._leases.get(name)
        if present is None or present.stamp == new.stamp - 1:
            self._leases[name] = new
        return self._leases[name]

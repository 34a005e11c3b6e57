"""What is written down about a lease, and what a place to write it down must be able to do."""

from typing import Protocol

from attrs import evolve, frozen

NOBODY = "-"


@frozen
class LeaseRecord:
    """The stamp grows with every change: one that stays the same belongs to a holder that is gone,
    whatever the clocks say.
    """

    owner: str = NOBODY
    stamp: int = 0
    load: int = 0
    """How many leases the owner held when it wrote this."""
    wanted_by: str = NOBODY
    wanted_load: int = 0
    """How many leases those who want it hold."""

    def of(self, owner: str, load: int) -> "LeaseRecord":
        return LeaseRecord(owner, self.stamp + 1, load)

    def wanted(self, by: str, load: int) -> "LeaseRecord":
        return evolve(self, stamp=self.stamp + 1, wanted_by=by, wanted_load=load)

    @property
    def is_wanted(self) -> bool:
        return self.wanted_by != NOBODY


class LeaseBoard(Protocol):
    async def read(self, name: str) -> LeaseRecord:
        """The lease as it stands; one that nobody ever held is nobody's, with stamp 0.

        It may be a little old.

        Raises:
            Unavailable: It cannot be read now.
        """
        ...

    async def replace(self, name: str, new: LeaseRecord) -> LeaseRecord:
        """Write the new one if the present one's stamp precedes it; what is there afterwards.

        Raises:
            Unavailable: It may or may not have been written.
        """
        ...

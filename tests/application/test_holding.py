"""A lease is held for as long as the work within takes."""

import asyncio

import pytest
from attrs import define, field

from application import holding
from application.errors import Unavailable
from application.holding import held


@define
class FlakyLeases:
    """Does not answer the first renewal."""

    asked: int = 0
    renewed: asyncio.Event = field(factory=asyncio.Event)
    released: list[str] = field(factory=list)

    async def hold(self, name: str) -> bool:
        self.asked += 1
        if self.asked == 2:
            raise Unavailable("the lease", "it does not answer")
        if self.asked > 2:
            self.renewed.set()
        return True

    async def release(self, name: str) -> None:
        self.released.append(name)


def test_a_renewal_that_fails_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holding, "RENEWED_EVERY", 0)
    leases = FlakyLeases()

    async def work() -> None:
        async with held(leases, "the work"), asyncio.timeout(10):
            await leases.renewed.wait()

    asyncio.run(work())
    assert leases.released == ["the work"]

"""A whole store without HTTP: use cases on one of the engines, projections on request."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from attrs import define
from dependency_injector import providers

from application.caller import Caller
from application.use_cases import UseCases
from domain.dataset.settings import Settings
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn, SignalType
from domain.signal.report import SignalReport
from entrypoints.container import Container, build
from entrypoints.settings.loading import load
from entrypoints.wiring.opening import close

ENGINES = ("memory", "embedded")
ADMIN = Caller("jane@company.example", roles=frozenset({"admin"}))
ORDERS = DatasetUrn("urn:dp:orders:order_created:v1")
VOLUME = SignalType("VOLUME")
NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
SETTINGS = Settings(display_name="Orders", tier=Tier.TIER_1, owner_team="orders-platform")


@define
class StandingClock:
    at: datetime = NOON + timedelta(days=1)

    def now(self) -> datetime:
        return self.at


@define
class Store:
    container: Container
    clock: StandingClock

    @property
    def use_cases(self) -> UseCases:
        return self.container.use_cases()

    async def project(self) -> None:
        await self.container.runner().catch_up()

    async def react(self) -> None:
        """Let the policies act until there is nothing left for them to do."""
        head = -1
        while head != (head := await self.container.feed().head()):
            await self.project()
            for runner in self.container.policy_runners():
                await runner.catch_up()


@asynccontextmanager
async def open_store(engine: str, folder: Path, **more: str) -> AsyncIterator[Store]:
    settings = load(
        {"STATESTORE_ENGINE": engine, "STATESTORE_DATA_DIR": str(folder), **more}, Path("none")
    )
    clock = StandingClock()
    container = build(settings)
    container.clock.override(providers.Object(clock))
    try:
        yield Store(container, clock)
    finally:
        await close(container)


def report(
    window: int, version: int = -1, state: str = "OK", dataset: str = ORDERS, **more: Any
) -> SignalReport:
    """A report on the n-th window of five minutes."""
    end = NOON + timedelta(minutes=5 * window)
    explained: dict[str, Any] = {
        "failure_signature": "LATE_DATA:processed_at",
        **producer("svc", "v1", "HIGH"),
        "evidence_sample": ("evd-01HQXY8MNP4QR7ST9VW2XYZ456",),
    }
    given: dict[str, Any] = {
        "state": state,
        "score": 0.5,
        "window_start": end - timedelta(minutes=5),
        "window_end": end,
        "evidence_count": 10,
        "pass_count": 5,
        "fail_count": 5,
        "expected_version": version,
        **(explained if state != "OK" else {}),
        **more,
    }
    return SignalReport(dataset, VOLUME, **given)


def producer(name: str, version: str, confidence: str) -> dict[str, Any]:
    """The top producer of a report."""
    return {"producer_id": name, "producer_version": version, "confidence": confidence}

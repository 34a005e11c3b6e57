"""
A deployment that drops a column, and the incident about it.

    10:30  orders is registered, its service writes it, three jobs read it
    11:40  orders changes hands                    11:50  the service is deployed, without a column
    12:00  the first window in breach begins       12:06  evidence, then the incident
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from attrs import define, evolve, field

from application.reads.demand import NOTHING, Demand
from application.root_cause.context import Context
from domain.dataset.settings_validation import DatasetReport, SettingsReport
from domain.evidence.report import EvidenceReport
from domain.ids import DatasetUrn, EntityId, IncidentId
from domain.incident.report import IncidentReport, ReportedImplication
from domain.stream_categories import dataset_stream
from domain.streams import StreamId
from tests.application.lineage.test_lineage import INVOICES, REVENUE, col, report
from tests.application.replaced_readers import replaced
from tests.application.store import (
    ADMIN,
    NOON,
    ORDERS,
    SETTINGS,
    VOLUME,
    Store,
    open_store,
    producer,
)
from tests.application.store import report as evaluation
from tests.support.event_loop_turns import others_go_on

SERVICE = "service:orders-svc"
MISSING = "MISSING_FIELD:customer_id"
BREACH = NOON
OPENED = NOON + timedelta(minutes=6)
EVIDENCE = [f"evd-01HQXY8MNP4QR7ST9VW2XYZ4{n:02}" for n in range(4)]

Story = Callable[[Store], Awaitable[None]]


def play(engine: str, folder: Path, story: Story) -> None:
    async def scene() -> None:
        async with open_store(engine, folder) as store:
            await story(store)

    asyncio.run(scene())


def minutes(count: float) -> timedelta:
    return timedelta(minutes=count)


def deploy(commit: str, at: datetime, *columns: str) -> Any:
    """The service's spec: it writes these columns of orders, and reads revenue."""
    writes = {col(ORDERS, column): SERVICE for column in columns}
    reads: dict[str, str] = {REVENUE: SERVICE}
    return report(SERVICE, reads=reads, writes=writes, commit=commit, updated_at=at)


async def tell(store: Store, **incident: Any) -> IncidentId:
    """The whole story; returns the incident's name."""
    await before(store)
    await breach(store)
    return await opened(store, **incident)


async def before(store: Store) -> None:
    store.clock.at = NOON - minutes(90)
    await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
    await store.use_cases.declare_lineage(
        deploy("good", store.clock.at, "id", "customer_id"), by=ADMIN
    )
    readers = report("p", reads={ORDERS: "job:a job:b job:c"}, writes={INVOICES: "job:a"})
    await store.use_cases.declare_lineage(evolve(readers, updated_at=store.clock.at), by=ADMIN)
    store.clock.at = NOON - minutes(20)
    other = evolve(SETTINGS, owner_team="orders-night")
    await store.use_cases.update_dataset(
        ORDERS, SettingsReport(other, ["owner_team"]), expected_version=1, by=ADMIN
    )
    store.clock.at = NOON - minutes(10)
    await store.use_cases.declare_lineage(deploy("bad", store.clock.at, "id"), by=ADMIN)
    store.clock.at = NOON
    await store.use_cases.update_signal(evaluation(0), by=ADMIN)


async def breach(store: Store, **more: Any) -> None:
    store.clock.at = OPENED
    given: dict[str, Any] = {
        "failure_signature": MISSING,
        **producer("orders-svc", "v3.17", "HIGH"),
        "evidence_sample": tuple(EVIDENCE),
    }
    await store.use_cases.update_signal(evaluation(1, state="CRITICAL", **given, **more), by=ADMIN)
    reports = [failing(name) for name in EVIDENCE[:3]]
    await store.use_cases.put_evidence(store.container.sieve().here(reports), by=ADMIN)
    await store.project()


def failing(name: str, **more: Any) -> EvidenceReport:
    given = {"producer_id": "orders-svc", "producer_version": "v3.17", "confidence": "HIGH"}
    return EvidenceReport(name, ORDERS, BREACH, "FAIL", reason_codes=(MISSING,), **(given | more))


async def opened(store: Store, **given: Any) -> IncidentId:
    said: dict[str, Any] = {
        "signal_types": (VOLUME,),
        "failure_signatures": (MISSING,),
        "severity": "SEV_1",
        "implicated": ReportedImplication("orders-svc", "v3.17", "MEDIUM", None),
        "evidence_sample": tuple(EVIDENCE),
        **given,
    }
    await known(store, DatasetUrn(said.get("dataset_urn", ORDERS)))
    opening = await store.use_cases.open_incident(
        IncidentReport(**{"dataset_urn": ORDERS, **said}), by=ADMIN
    )
    await store.project()
    return opening.incident


async def known(store: Store, dataset: DatasetUrn) -> None:
    """Only a registered dataset can have an incident."""
    if not (await store.container.streams().version(dataset_stream(dataset))):
        await store.use_cases.register_dataset(DatasetReport(dataset, SETTINGS), by=ADMIN)


async def context(store: Store, name: IncidentId, demand: Demand = NOTHING) -> Context:
    """With all the time it takes: a test that never ends tells as much as a real clock."""
    read = evolve(store.use_cases.read_context, passing=never)
    return await read(name, demand, by=ADMIN)


async def never(_: float) -> None:
    await asyncio.Event().wait()


@define
class Trouble:
    """Stands before a port: what is asked of it under these names waits for ever, or fails.

    `held` tells how many are waiting, `left` how many of them were cancelled.
    """

    port: Any
    names: Sequence[str]
    error: Exception | None = None
    held: int = 0
    left: int = 0

    def __getattr__(self, name: str) -> Any:
        return self._trouble if name in self.names else getattr(self.port, name)

    async def _trouble(self, *args: object, **kwargs: object) -> Any:
        if self.error is not None:
            raise self.error
        self.held += 1
        try:
            await asyncio.Event().wait()
        finally:
            self.left += 1


@define
class Followed:
    """Stands before the facts and notes whose streams were read."""

    inner: Any
    streams: set[StreamId] = field(factory=set)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def version(self, stream: StreamId) -> int:
        self.streams.add(stream)
        found: int = await self.inner.version(stream)
        return found


@define
class Walked:
    """Stands before the lineage and notes of whom it was asked what they write."""

    lineage: Any
    entities: list[EntityId] = field(factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.lineage, name)

    async def writings(self, entities: Sequence[EntityId], *, most: int) -> Any:
        self.entities += entities
        return await self.lineage.writings(entities, most=most)


async def once_quiet(_: float) -> None:
    """Time that is up when all that can happen has happened: everything here is in memory."""
    await others_go_on(3_000)


async def hurried(store: Store, name: IncidentId, **changed: Any) -> Context:
    """The context while some of what it is read from is in trouble."""
    read = store.use_cases.read_context
    if "parts" in changed:
        changed["reads"] = replaced(read.reads, **changed.pop("parts"))
    return await evolve(read, passing=once_quiet, **changed)(name, by=ADMIN)

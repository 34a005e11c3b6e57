"""A dataset in breach with an open incident, and what may happen to it."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from attrs import evolve
from dependency_injector import providers

from application.incidents.queries import Happening
from application.incidents.read_model import IncidentView
from application.reads.paging import PageRequest
from domain.dataset.settings import IncidentPolicy
from domain.dataset.settings_validation import DatasetReport
from domain.ids import DatasetUrn, IncidentId
from domain.incident.patch import IncidentPatch, ReportedResolution, Snooze
from domain.incident.report import IncidentReport
from entrypoints.container import build
from entrypoints.settings.loading import load
from tests.application.store import (
    ADMIN,
    ORDERS,
    SETTINGS,
    VOLUME,
    Store,
    report,
)

LATE = "LATE_DATA:processed_at"
PAYMENTS = DatasetUrn("urn:dp:payments:payment_processed:v1")
ONE = IncidentId("INC-1")

Story = Callable[[Store], Awaitable[None]]
Play = Callable[..., None]


async def opened(store: Store, **more: Any) -> None:
    said = {"signal_types": (VOLUME,), "severity": "SEV_1", "incident_id": ONE, **more}
    await store.use_cases.open_incident(
        IncidentReport(ORDERS, failure_signatures=(LATE,), **said), by=ADMIN
    )


async def evaluated(store: Store, window: int, state: str = "OK", **more: Any) -> None:
    store.clock.at += timedelta(minutes=1)
    said = evolve(report(window, state=state), **more)
    await store.use_cases.update_signal(said, by=ADMIN)
    await store.react()


async def resolved(store: Store, reason: str = "FIXED") -> None:
    store.clock.at += timedelta(minutes=1)
    said = ReportedResolution("a deploy", reason=reason)
    await store.use_cases.change_incident(
        ONE, IncidentPatch(status="RESOLVED", resolution=said), by=ADMIN
    )
    await store.react()


async def told(store: Store, name: IncidentId = ONE) -> IncidentView:
    return (await store.use_cases.read_incident(name, by=ADMIN)).value


async def last(store: Store) -> Happening:
    page = (await store.use_cases.read_timeline(ONE, PageRequest(100), by=ADMIN)).value
    return page.items[-1]


async def unchanged(store: Store) -> None:
    """Nothing more happens by itself, not even when everything is folded and heeded once more."""
    head = await store.container.feed().head()
    await store.react()
    await another(store).react()
    assert await store.container.feed().head() == head


def another(store: Store) -> Store:
    """Another process with the same log: its tables are empty, its policies know nothing."""
    container = build(load({"STATESTORE_ENGINE": "memory"}, Path("none")))
    for shared in ("clock", "log", "keys"):
        theirs = getattr(store.container, shared)()
        getattr(container, shared).override(providers.Object(theirs))
    return Store(container, store.clock)


async def merged_payments(store: Store, **policy: Any) -> IncidentId:
    """Another dataset in breach, whose incident is merged into the first one."""
    two = IncidentId("INC-2")
    settings = evolve(SETTINGS, incident_policy=IncidentPolicy(**policy))
    await store.use_cases.register_dataset(DatasetReport(PAYMENTS, settings), by=ADMIN)
    await evaluated(store, 0, "CRITICAL", dataset_urn=PAYMENTS)
    report = IncidentReport(PAYMENTS, (VOLUME,), (LATE,), "SEV_2", two)
    await store.use_cases.open_incident(report, by=ADMIN)
    await store.use_cases.merge_incident(two, ONE, None, by=ADMIN)
    await store.react()
    return two


async def snoozed(store: Store, hours: int) -> None:
    until = store.clock.at + timedelta(hours=hours)
    await store.use_cases.snooze_incident(ONE, Snooze(until, "deploying"), by=ADMIN)
    await store.react()

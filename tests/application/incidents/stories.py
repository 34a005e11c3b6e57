"""Stories of incidents on a store that knows one dataset in breach."""

from collections.abc import Awaitable, Callable
from typing import Any

from attrs import evolve

from application.caller import Caller, RequestKey
from domain.ids import FailureSignature, IncidentId
from domain.incident.fault_slot import FaultSlot
from domain.incident.patch import IncidentPatch, ReportedResolution
from domain.incident.report import IncidentReport
from domain.stream_categories import fault_stream
from tests.application.replaced_readers import current
from tests.application.store import ADMIN, ORDERS, VOLUME, Store

LATE = FailureSignature("LATE_DATA:processed_at")
OTHER = FailureSignature("MISSING_FIELD:customer_id")
RESOLVED = IncidentPatch(
    status="RESOLVED", resolution=ReportedResolution("a deploy", resolved_by="joe")
)
Story = Callable[[Store], Awaitable[None]]
Play = Callable[[Story], None]


def incident(*signatures: str, **given: Any) -> IncidentReport:
    said: dict[str, Any] = {"signal_types": (VOLUME,), "severity": "SEV_1", **given}
    return IncidentReport(ORDERS, failure_signatures=signatures or (LATE,), **said)


def keyed(key: str, fingerprint: str = "same", **more: Any) -> Caller:
    return evolve(ADMIN, request=RequestKey(key, fingerprint), **more)


async def settled(store: Store, name: IncidentId, **expected: Any) -> None:
    """What the board shows is what the facts say."""
    await store.project()
    card = (await store.use_cases.read_incident(name, by=ADMIN)).value
    reader = await current(store.container.reads())
    assert await reader.incidents.find(name) == card
    assert {what: getattr(card, what) for what in expected} == expected


async def slot(store: Store, signature: str = LATE) -> IncidentId | None:
    stream = fault_stream(ORDERS, signature)  # type: ignore[arg-type]  # a signature
    held: FaultSlot = await store.container.streams().state(stream)
    return held.holder


async def link(store: Store) -> str | None:
    await store.project()
    told: str | None = (
        await store.use_cases.read_signal(ORDERS, VOLUME, by=ADMIN)
    ).value.incident_id
    return told

"""Asking an inspector, in the words of tests."""

from adapters.eventstore.inspection.inspector import Finding, Inspector
from adapters.eventstore.inspection.progress import Silent


async def found(inspector: Inspector) -> list[Finding]:
    return [one async for one in inspector.findings(Silent())]

"""
What a policy is: it looks at facts as they are recorded, and at the time.

A policy decides on the state that is true when it acts, never on the fact alone: a fact that it
heeds twice, or late, leads to nothing that would not be right anyway. That is why a policy acts at
most once although it may look twice, after a restart or beside another process.
"""

from datetime import datetime
from typing import Protocol

from application.caller import Caller
from application.ports.streams import Streams
from application.recorded import Recorded
from domain.dataset.settings import IncidentPolicy
from domain.ids import DatasetUrn
from domain.stream_categories import dataset_stream


class Policy(Protocol):
    @property
    def name(self) -> str:
        """Who is said to have acted, and under which its progress is kept."""
        ...

    async def begin(self) -> None:
        """Find out what is there to be watched. What is heeded from then on may be known."""
        ...

    def concerns(self, recorded: Recorded) -> bool:
        """Whether the fact may call for anything. Most do not, and are passed over."""
        ...

    async def heed(self, recorded: Recorded) -> None:
        """React to a fact that may call for it."""
        ...

    async def act(self, now: datetime) -> None:
        """Do what is due by now."""
        ...

    def due(self) -> datetime | None:
        """When there will be something to do, even if nothing is recorded until then."""
        ...


def as_policy(name: str, because_of: Recorded | None = None) -> Caller:
    """Who acts, and what made it act."""
    if because_of is None:
        return Caller(f"policy:{name}")
    return Caller(
        f"policy:{name}",
        correlation_id=because_of.correlation_id,
        causation_id=because_of.event_id.hex(),
    )


async def incident_policy(streams: Streams, dataset: DatasetUrn) -> IncidentPolicy:
    """The dataset's own settings for policies, or the defaults."""
    config = await streams.state(dataset_stream(dataset))
    return config.settings.incident_policy or IncidentPolicy()

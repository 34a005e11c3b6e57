"""Who made the data, as far as is known."""

from datetime import datetime

import strawberry

from domain.incident.values import Implicated
from domain.signal.evaluation import Producer
from entrypoints.graphql.enums import Confidence


@strawberry.type(description="Who made the data, as far as is known.")
class ProducerInfo:
    producer_id: str
    version: str | None
    confidence: Confidence | None
    deployed_at: datetime | None = strawberry.field(
        description="When that version was deployed; only incidents know."
    )

    @classmethod
    def of(cls, producer: Producer, deployed_at: datetime | None = None) -> "ProducerInfo":
        return cls(
            producer_id=producer.producer_id,
            version=producer.version,
            confidence=producer.confidence,
            deployed_at=deployed_at,
        )

    @classmethod
    def implicated(cls, implicated: Implicated) -> "ProducerInfo":
        return cls.of(implicated.producer, implicated.deployed_at)

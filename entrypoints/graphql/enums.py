"""
The enums of the schema (S0-188).

They are the domain's. Two are declared again because the domain knows a value that callers never
see: what is UNOPENED or UNREGISTERED does not exist yet.
"""

from enum import StrEnum

import strawberry

from application.root_cause.related_incidents import IncidentRelation
from domain.dataset.settings import Compatibility, PiiAction, VersionPolicy
from domain.dataset.tier import Tier
from domain.evidence.evidence import Verdict
from domain.incident.severity import Severity
from domain.incident.values import ResolutionReason
from domain.lineage.blast_radius import EstimatedImpact as Impact
from domain.lineage.lineage import EntityType
from domain.signal.evaluation import Confidence, SignalStateEnum

__all__ = [
    "Compatibility",
    "Confidence",
    "DatasetStatus",
    "EntityType",
    "Impact",
    "IncidentRelation",
    "IncidentStatus",
    "PiiAction",
    "ResolutionReason",
    "Severity",
    "SignalStateEnum",
    "Tier",
    "Verdict",
    "VersionPolicy",
]


@strawberry.enum(description="Where an incident stands.")
class IncidentStatus(StrEnum):
    OPEN = "OPEN"
    ACKNOWLEDGED = "ACKNOWLEDGED"
    RESOLVED = "RESOLVED"


@strawberry.enum(description="Whether a dataset is still looked after.")
class DatasetStatus(StrEnum):
    ACTIVE = "ACTIVE"
    RETIRED = "RETIRED"


strawberry.enum(SignalStateEnum, description="How a signal is.")
strawberry.enum(Severity, description="How bad an incident is; SEV_1 is the worst.")
strawberry.enum(Tier, description="How much a dataset matters; TIER_1 matters most.")
strawberry.enum(EntityType, description="What it is that writes or reads.")
strawberry.enum(Confidence, description="How sure that is.")
strawberry.enum(
    Impact, name="Impact", description="How bad it is for those who depend on the data."
)
strawberry.enum(ResolutionReason, description="Why an incident ended.")
strawberry.enum(VersionPolicy, description="Which version of a schema the records follow.")
strawberry.enum(Compatibility, description="How a schema may change.")
strawberry.enum(PiiAction, description="What is done when personal data is found.")
strawberry.enum(Verdict, description="What became of a record that was checked.")
strawberry.enum(IncidentRelation, description="What two incidents have to do with each other.")

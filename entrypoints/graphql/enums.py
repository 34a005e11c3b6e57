"""
The words of the schema (S0-188).

They are the domain's own, spelled anew: what the domain knows only before something exists
(UNOPENED, UNREGISTERED) is never told, and the domain stays free of the library.
"""

from enum import StrEnum

import strawberry


@strawberry.enum(description="How a signal is.")
class SignalStateEnum(StrEnum):
    OK = "OK"
    WARNING = "WARNING"
    CRITICAL = "CRITICAL"
    UNKNOWN = "UNKNOWN"


@strawberry.enum(description="Where an incident stands.")
class IncidentStatus(StrEnum):
    OPEN = "OPEN"
    ACKNOWLEDGED = "ACKNOWLEDGED"
    RESOLVED = "RESOLVED"


@strawberry.enum(description="How bad an incident is; SEV_1 is the worst.")
class Severity(StrEnum):
    SEV_1 = "SEV_1"
    SEV_2 = "SEV_2"
    SEV_3 = "SEV_3"


@strawberry.enum(description="How much a dataset matters; TIER_1 matters most.")
class Tier(StrEnum):
    TIER_1 = "TIER_1"
    TIER_2 = "TIER_2"
    TIER_3 = "TIER_3"


@strawberry.enum(description="What it is that writes or reads.")
class EntityType(StrEnum):
    SERVICE = "SERVICE"
    JOB = "JOB"
    LAMBDA = "LAMBDA"
    NOTEBOOK = "NOTEBOOK"


@strawberry.enum(description="How sure that is.")
class Confidence(StrEnum):
    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"


@strawberry.enum(description="How bad it is for those who depend on the data.")
class Impact(StrEnum):
    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"
    UNKNOWN = "UNKNOWN"


@strawberry.enum(description="Why an incident ended.")
class ResolutionReason(StrEnum):
    FIXED = "FIXED"
    ROLLED_BACK = "ROLLED_BACK"
    SELF_HEALED = "SELF_HEALED"
    EXPECTED_CHANGE = "EXPECTED_CHANGE"
    FALSE_POSITIVE = "FALSE_POSITIVE"
    DUPLICATE = "DUPLICATE"
    OTHER = "OTHER"


@strawberry.enum(description="Whether a dataset is still looked after.")
class DatasetStatus(StrEnum):
    ACTIVE = "ACTIVE"
    RETIRED = "RETIRED"


@strawberry.enum(description="Which version of a schema the records follow.")
class VersionPolicy(StrEnum):
    LATEST = "LATEST"
    PINNED = "PINNED"


@strawberry.enum(description="How a schema may change.")
class Compatibility(StrEnum):
    NONE = "NONE"
    BACKWARD = "BACKWARD"
    BACKWARD_TRANSITIVE = "BACKWARD_TRANSITIVE"
    FORWARD = "FORWARD"
    FORWARD_TRANSITIVE = "FORWARD_TRANSITIVE"
    FULL = "FULL"
    FULL_TRANSITIVE = "FULL_TRANSITIVE"


@strawberry.enum(description="What is done when personal data is found.")
class PiiAction(StrEnum):
    ALLOW = "ALLOW"
    WARN = "WARN"
    REDACT = "REDACT"
    QUARANTINE = "QUARANTINE"
    BLOCK = "BLOCK"


@strawberry.enum(description="What became of a record that was checked.")
class Verdict(StrEnum):
    PASS = "PASS"
    FAIL = "FAIL"


@strawberry.enum(description="What two incidents have to do with each other.")
class IncidentRelation(StrEnum):
    SAME_DATASET = "SAME_DATASET"
    UPSTREAM = "UPSTREAM"
    DOWNSTREAM = "DOWNSTREAM"
    SAME_PRODUCER = "SAME_PRODUCER"

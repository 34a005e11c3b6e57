"""The words of the State Store, each a text that compares equal to how it is spelled."""

from enum import StrEnum
from typing import Self


class Word(StrEnum):
    """A newer server may know more words than this client: what it says is not an error."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, str):
            return None
        word = str.__new__(cls, value)
        word._name_ = word._value_ = value
        return word


class State(Word):
    OK = "OK"
    WARNING = "WARNING"
    CRITICAL = "CRITICAL"
    UNKNOWN = "UNKNOWN"


class Verdict(Word):
    PASS = "PASS"
    FAIL = "FAIL"


class Tier(Word):
    TIER_1 = "TIER_1"
    TIER_2 = "TIER_2"
    TIER_3 = "TIER_3"


class DatasetStatus(Word):
    ACTIVE = "ACTIVE"
    RETIRED = "RETIRED"


class IncidentStatus(Word):
    OPEN = "OPEN"
    ACKNOWLEDGED = "ACKNOWLEDGED"
    RESOLVED = "RESOLVED"


class Severity(Word):
    SEV_1 = "SEV_1"
    SEV_2 = "SEV_2"
    SEV_3 = "SEV_3"


class Confidence(Word):
    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"


class Impact(Word):
    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"
    UNKNOWN = "UNKNOWN"


class Reason(Word):
    """Why an incident ended."""

    FIXED = "FIXED"
    ROLLED_BACK = "ROLLED_BACK"
    SELF_HEALED = "SELF_HEALED"
    EXPECTED_CHANGE = "EXPECTED_CHANGE"
    FALSE_POSITIVE = "FALSE_POSITIVE"
    DUPLICATE = "DUPLICATE"
    OTHER = "OTHER"


class EntityType(Word):
    SERVICE = "SERVICE"
    JOB = "JOB"
    LAMBDA = "LAMBDA"
    NOTEBOOK = "NOTEBOOK"


class SpecResult(Word):
    """What became of a lineage spec."""

    APPLIED = "applied"
    UNCHANGED = "unchanged"
    SUPERSEDED = "superseded"


class ResolutionType(Word):
    EXACT = "EXACT"
    WILDCARD = "WILDCARD"
    CONDITIONAL = "CONDITIONAL"


class Operator(Word):
    EQUALS = "EQUALS"
    NOT_EQUALS = "NOT_EQUALS"
    IN = "IN"
    NOT_IN = "NOT_IN"
    EXISTS = "EXISTS"
    NOT_EXISTS = "NOT_EXISTS"
    GREATER_THAN = "GREATER_THAN"
    LESS_THAN = "LESS_THAN"
    STARTS_WITH = "STARTS_WITH"
    ENDS_WITH = "ENDS_WITH"
    CONTAINS = "CONTAINS"


class Fallback(Word):
    """What an enforcer does with records of a dataset that is not registered."""

    WARN = "WARN"
    FAIL = "FAIL"
    PASS = "PASS"


class VersionPolicy(Word):
    LATEST = "LATEST"
    PINNED = "PINNED"


class PiiAction(Word):
    ALLOW = "ALLOW"
    WARN = "WARN"
    REDACT = "REDACT"
    QUARANTINE = "QUARANTINE"
    BLOCK = "BLOCK"

"""
Input as real producers send it: names, texts, versions, numbers and their lengths differ.

Everything follows from numbers, so that every run and every checkout has the same input. Texts are
made anew each time, as parsing a request makes them: a cache keyed by value gets equal values where
producers repeat themselves, and never the same object.
"""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from attrs import define

from domain.dataset.settings import (
    ComplianceSlo,
    ContractBinding,
    FieldConstraint,
    FieldType,
    FreshnessSlo,
    PiiAction,
    PiiPolicy,
    SchemaBinding,
    Settings,
    Slos,
    Source,
    VersionPolicy,
    VolumeSlo,
)
from domain.dataset.tier import Tier

T = TypeVar("T")

_64_BITS = 2**64 - 1
_PAIRS = [
    a + b for a in "0123456789ABCDEFGHJKMNPQRSTVWXYZ" for b in "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
]

DOMAINS = (
    "orders", "hr", "payments", "customer-profile", "inventory", "fraud", "marketing_attribution",
    "search", "logistics.eu", "ledger", "iot-telemetry", "clickstream", "pricing", "crm",
)  # fmt: skip
SUBJECTS = (
    "purchases", "order", "invoice_line_items", "session", "cart-abandonment", "refund", "shipment",
    "user_profile_changes", "page_view", "sku", "stock_level", "payment_authorization",
    "chargeback", "sensor.reading", "address", "consent", "subscription_renewal", "price-list",
)  # fmt: skip
FORMS = (
    "", "_created", "-daily", "_events", ".cdc", "_snapshot_hourly", "-by-region", "_backfill_2025",
    "_enriched", "-raw", "_deduplicated",
)  # fmt: skip
ROLES = (
    "service", "svc", "landing-job", "enricher", "cdc-connector-eu-west-1", "api", "batch.nightly",
    "stream_processor", "gateway", "mobile-backend",
)  # fmt: skip
REASONS = (
    "MISSING_FIELD", "TYPE_MISMATCH", "LATE_DATA", "OUT_OF_RANGE", "UNKNOWN_ENUM_VALUE",
    "NULL_RATE", "DUPLICATE_KEY", "SCHEMA_DRIFT", "PII_DETECTED", "VOLUME_DROP",
    "REFERENTIAL_INTEGRITY_BROKEN",
)  # fmt: skip
FIELDS = (
    "customer_id", "total", "order_id", "items[0].sku", "shipping.address.postal_code", "email",
    "currency", "created_at", "payment_method.card.expiry_month", "quantity", "status", "$.payload",
    "loyalty_tier", "discount_percent", "tax", "utm_source", "device.os_version", "vat_id", "id",
)  # fmt: skip
GATES = ("G1_SCHEMA", "G2_TYPES", "G3_FRESHNESS", "G4_CONTRACT", "G5_PII", "G6_REFERENTIAL_CHECKS")
WORDS = (
    "the", "upstream", "deploy", "of", "changed", "a", "column", "since", "yesterday", "evening",
    "we", "see", "Zürich", "records", "without", "customer", "numbers", "looking", "into", "it",
    "rollback", "finished", "at", "14:05", "café", "orders", "are", "late", "again", "reason",
    "partition", "17", "lags", "retry", "succeeded", "naïve", "parser", "dropped", "fields",
    "データ",
)  # fmt: skip
PEOPLE = (
    "amelie.roux",
    "j.smith",
    "oncall",
    "li.wei",
    "maximiliane.oberhuber",
    "o",
    "data-platform",
)


def mixed(number: int) -> int:
    """64 bits that look random; of neighbours they have nothing in common (splitmix64)."""
    bits = (number + 1) * 0x9E3779B97F4A7C15 & _64_BITS
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & _64_BITS
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & _64_BITS
    return bits ^ bits >> 31


@define
class Draws:
    """Choices that follow from a number. Making a `Random` takes ten times as long."""

    bits: int

    @classmethod
    def of(cls, number: int) -> "Draws":
        return cls(mixed(number))

    def below(self, limit: int) -> int:
        self.bits = mixed(self.bits)
        return self.bits % limit

    def among(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]

    def share(self) -> float:
        return self.below(2**53) / 2**53


# Names.


def dataset_urn(number: int) -> str:
    rest, domain = divmod(mixed(number), len(DOMAINS))
    rest, subject = divmod(rest, len(SUBJECTS))
    rest, form = divmod(rest, len(FORMS))
    name = f"{SUBJECTS[subject]}{FORMS[form]}-{number}"
    return f"urn:dp:{DOMAINS[domain]}:{name}:v{1 + rest % 12}"


def producer_id(number: int) -> str:
    draws = Draws.of(number)
    return f"{draws.among(DOMAINS)}-{draws.among(ROLES)}-{number % 1_000}"


def version(producer: int, release: int) -> str:
    """Each producer has a form of its own, and goes on from release to release."""
    made = mixed(producer * 1_000_003 + release)
    match mixed(producer) % 5:
        case 0:
            return f"v{1 + producer % 9}.{release}"
        case 1:
            return f"{made:016x}"[:7]
        case 2:
            return f"2026.{1 + release % 12:02}.{1 + made % 28:02}-rc{release}"
        case 3:
            return f"{producer % 20}.{release}.{made % 40}+build.{made % 100_000}"
        case _:
            return f"{producer % 5}.{release}.{made % 10}"


def commit(number: int) -> str:
    """Some producers write it out."""
    return f"{mixed(number):016x}{mixed(number + 1):016x}00c0ffee"[: 40 if number % 3 else 7]


def entity_type(number: int) -> str:
    return ("JOB", "JOB", "SERVICE", "LAMBDA", "NOTEBOOK")[mixed(number) % 5]


def confidence(number: int) -> str:
    """Most are sure."""
    return ("HIGH", "HIGH", "HIGH", "MEDIUM", "MEDIUM", "LOW")[mixed(number) % 6]


def signature(number: int) -> str:
    rest, reason = divmod(mixed(number), len(REASONS))
    rest, field = divmod(rest, len(FIELDS))
    # A field of a list, or of the dataset's own: fields are not the same few everywhere.
    suffix = "" if rest & 1 else f"_{rest % 97}"
    return f"{REASONS[reason]}:{FIELDS[field]}{suffix}"


def severity(number: int) -> str:
    return ("SEV_1", "SEV_2", "SEV_2", "SEV_3", "SEV_3", "SEV_3")[mixed(number) % 6]


def ulid(milliseconds: int, bits: int) -> str:
    """Of a time since 1970 and 80 bits: those given, and 16 that follow from them."""
    whole = milliseconds << 80 | (bits & _64_BITS) << 16 | (bits * 40_503 >> 7) & 0xFFFF
    return "".join([_PAIRS[whole >> place & 1023] for place in range(120, -1, -10)])


def evidence_id(milliseconds: int, bits: int) -> str:
    return f"evd-{ulid(milliseconds, bits)}"


def person(number: int) -> str:
    """A few dozen people answer for everything."""
    draws = Draws.of(number % 60)
    return f"{draws.among(PEOPLE)}+{number % 60}@{draws.among(DOMAINS)}.example.com"


def team(number: int) -> str:
    draws = Draws.of(number)
    return (
        f"{draws.among(DOMAINS)}-{draws.among(('team', 'squad', 'platform', 'data-engineering'))}"
    )


def sentence(number: int, least: int, most: int) -> str:
    """So many words; now and then one that is not ASCII."""
    dice = Random(number)
    return " ".join(dice.choices(WORDS, k=dice.randint(least, most)))


def correlation_id(number: int) -> str:
    """As callers send it: each request has its own."""
    return ulid(1_770_000_000_000 + number * 17, mixed(number))


# Datasets.


def settings(number: int) -> Settings:
    """What is agreed about a dataset: of some nearly nothing, of others all there is."""
    dice, urn = Random(number), dataset_urn(number)
    name = urn.split(":")[3]
    fields = dice.sample(FIELDS, k=dice.randint(1, len(FIELDS)))
    return Settings(
        display_name=sentence(number, 1, 6),
        description=sentence(number + 1, 5, 80) if dice.random() < 0.6 else None,
        tier=dice.choice([*Tier]),
        owner_team=team(number),
        owner_email=person(number),
        oncall_rotation=f"{team(number)}-primary" if dice.random() < 0.5 else None,
        source=Source("KAFKA", f"raw.{name}", dice.choice((None, "eu-1", "us-east-shared-2"))),
        schema_binding=SchemaBinding(
            dice.choice(("GLUE", "CONFLUENT")),
            f"{name}-value",
            str(dice.randrange(10 ** dice.randint(2, 6))),
            dice.choice([*VersionPolicy]),
        ),
        contract_binding=_contract(urn, fields, dice) if dice.random() < 0.8 else None,
        slos=_slos(dice) if dice.random() < 0.7 else None,
        pii_policy=_pii(fields, dice) if dice.random() < 0.5 else None,
        retention_days=dice.choice((None, 30, 400, 3650)),
    )


def _contract(urn: str, fields: Sequence[str], dice: Random) -> ContractBinding:
    constraints = {
        one: FieldConstraint(dice.choice([*FieldType]))
        if dice.random() < 0.5
        else FieldConstraint(FieldType.NUMBER, min=dice.randint(-5, 5), max=dice.random() * 1e4 + 5)
        for one in fields[: len(fields) // 2]
    }
    _, _, domain, name, release = urn.split(":")
    return ContractBinding(f"{domain}.{name}.{release}", tuple(fields), constraints)


def _slos(dice: Random) -> Slos:
    return Slos(
        FreshnessSlo(
            dice.choice((60, 300, 900, 3_600, 86_400)), dice.choice((None, "TUMBLING_1H", "DAILY"))
        ),
        VolumeSlo(dice.randrange(10**5), round(1 + dice.random() * 99, 1), dice.randint(1, 30)),
        ComplianceSlo(round(0.9 + dice.random() / 10, 4)),
    )


def _pii(fields: Sequence[str], dice: Random) -> PiiPolicy:
    scanned = fields[: dice.randint(0, len(fields))]
    return PiiPolicy(dice.random() < 0.9, tuple(scanned), dice.choice([*PiiAction]))

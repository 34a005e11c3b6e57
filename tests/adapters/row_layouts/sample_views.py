"""Cards to test with: any that the domain allows, and a few plain ones."""

from datetime import UTC, datetime, timedelta
from typing import Any

from attrs import evolve
from hypothesis import strategies as st

from application.datasets.read_model import DatasetView
from application.datasets.resolution_read_model import RuleBook, RuleView
from application.incidents.read_model import IncidentView
from application.lineage.read_model import TieView, WrittenView
from application.projections.signals import Facets
from application.signals.read_model import SignalView
from domain.dataset.config import DatasetStatus
from domain.dataset.resolution_rules import Condition, ConditionOperator, ResolutionType, Rule
from domain.dataset.settings import (
    Compatibility,
    ComplianceSlo,
    ContractBinding,
    FieldConstraint,
    FieldType,
    FreshnessSlo,
    IncidentPolicy,
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
from domain.ids import (
    DatasetUrn,
    EntityId,
    EvidenceId,
    FailureSignature,
    IncidentId,
    Place,
    ProducerId,
    SignalType,
    SpecId,
)
from domain.incident.severity import Severity
from domain.incident.values import (
    Concern,
    Implicated,
    IncidentStatus,
    Notifications,
    Resolution,
    ResolutionReason,
)
from domain.lineage.blast_radius import BlastRadius, EstimatedImpact
from domain.lineage.impact import Writing
from domain.lineage.lineage import Entity, EntityType, Role
from domain.signal.evaluation import Confidence, Evaluation, Metrics, Producer, SignalStateEnum

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
ORDERS = DatasetUrn("urn:dp:orders:order_created:v1")
FRESHNESS = SignalType("FRESHNESS")


def urn(number: int) -> DatasetUrn:
    return DatasetUrn(f"urn:dp:orders:n{number:04}:v1")


def signal_card(
    dataset: DatasetUrn = ORDERS,
    signal_type: str = FRESHNESS,
    state: SignalStateEnum = SignalStateEnum.CRITICAL,
    **given: Any,
) -> SignalView:
    evaluation = Evaluation(
        state=state,
        score=0.5,
        window_start=NOON - timedelta(minutes=5),
        window_end=NOON,
        metrics=Metrics(10, 5, 5),
        evaluated_at=NOON,
    )
    card = SignalView(
        dataset=dataset,
        signal_type=SignalType(signal_type),
        evaluation=evaluation,
        state=state,
        previous_state=None,
        state_changed_at=NOON,
        breach_start=None,
        tier=Tier.TIER_1,
        owner_team="orders-platform",
        last_updated=NOON,
        version=1,
    )
    return evolve(card, **given)


def incident_card(name: str = "INC-7721", **given: Any) -> IncidentView:
    card = IncidentView(
        incident=IncidentId(name),
        status=IncidentStatus.OPEN,
        severity=Severity.SEV_1,
        title="Orders are broken",
        created_at=NOON,
        updated_at=NOON,
        dataset=ORDERS,
        signals=(FRESHNESS,),
        signatures=(FailureSignature("LATE_DATA:processed_at"),),
        owner_team="orders-platform",
        version=1,
    )
    return evolve(card, **given)


def dataset_card(
    dataset: DatasetUrn = ORDERS,
    *,
    version: int = 1,
    status: DatasetStatus = DatasetStatus.ACTIVE,
    archived_at: datetime | None = None,
    **settings: Any,
) -> DatasetView:
    return DatasetView(
        dataset=dataset,
        status=status,
        settings=Settings(**settings),
        config_version=version,
        created_at=NOON,
        updated_at=NOON,
        updated_by="jane",
        archived_at=archived_at,
    )


def rule_card(
    pattern: str, name: str = "default", owner: DatasetUrn = ORDERS, priority: int = 100
) -> RuleView:
    kind = ResolutionType.WILDCARD if "*" in pattern else ResolutionType.EXACT
    return RuleView(owner, Rule(name, pattern, kind, priority), NOON, NOON)


def tie_card(
    entity: str = "job:finance",
    *,
    role: Role = Role.READER,
    place: str = ORDERS,
    producer: str = "job:finance",
    confidence: Confidence = Confidence.HIGH,
    updated_at: datetime = NOON,
    days: int = 90,
) -> TieView:
    return TieView(
        role=role,
        place=Place(place),
        entity=Entity(EntityId(entity), entity.rpartition(":")[2], EntityType.JOB),
        confidence=confidence,
        spec_id=SpecId(f"lspec:{producer}:git:9f31c2d"),
        commit="9f31c2d",
        updated_at=updated_at,
        ttl_seconds=days * 24 * 3600,
    )


def written_card(
    entity: str,
    dataset: DatasetUrn = ORDERS,
    *columns: str,
    producer: str = "job:finance",
    ends_at: datetime = NOON + timedelta(days=90),
) -> WrittenView:
    writing = Writing(dataset, Confidence.HIGH, columns)
    return WrittenView(EntityId(entity), writing, ProducerId(producer), ends_at)


words = st.text(min_size=1, max_size=12)
moments = st.datetimes(
    datetime(1970, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone itself
    datetime(2200, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
).map(lambda at: at.replace(microsecond=at.microsecond // 1000 * 1000))
counts = st.integers(0, 2**53 - 1)
numbers = st.floats(allow_nan=False, allow_infinity=False)
urns = st.builds(
    lambda name, n: DatasetUrn(f"urn:dp:orders:{name}:v{n}"),
    st.from_regex(r"[a-z][a-z0-9_.-]{0,8}[a-z0-9]", fullmatch=True),
    st.integers(1, 999),
)
tiers = st.sampled_from(Tier)
plain = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | numbers | words
values = plain | st.lists(plain, max_size=3)

signal_types = st.sampled_from(["FRESHNESS", "VOLUME", "CUSTOM_X"]).map(SignalType)

evaluations = st.builds(
    Evaluation,
    state=st.sampled_from(SignalStateEnum),
    score=numbers,
    window_start=moments,
    window_end=moments,
    metrics=st.builds(Metrics, counts, counts, counts),
    evaluated_at=moments,
    window_type=st.none() | st.just("TUMBLING_5MIN"),
    slo_threshold=st.none() | numbers,
    failure_signature=st.none() | st.just(FailureSignature("MISSING_FIELD:customer_id")),
    top_producer=st.none()
    | st.builds(
        Producer, words, st.none() | words, confidence=st.none() | st.sampled_from(Confidence)
    ),
    evidence_sample=st.lists(words.map(EvidenceId), max_size=3).map(tuple),
)

signal_cards = st.builds(
    SignalView,
    dataset=urns,
    signal_type=signal_types,
    evaluation=evaluations,
    state=st.just(SignalStateEnum.OK),
    previous_state=st.none() | st.sampled_from(SignalStateEnum),
    state_changed_at=moments,
    breach_start=st.none() | moments,
    tier=tiers,
    owner_team=st.just("") | words,
    last_updated=moments,
    version=counts,
    incident_id=st.none() | st.just("INC-7721"),
    ends_at=st.none() | moments,
).map(lambda card: evolve(card, state=card.evaluation.state))

ids = st.lists(words, max_size=3, unique=True).map(tuple)
concerns = st.lists(st.builds(Concern, urns, ids, ids), max_size=2).map(tuple)


def _ended_after(days: int | None, card: IncidentView) -> IncidentView:
    if card.resolved_at is None or days is None:
        return card
    return evolve(card, ends_at=card.resolved_at + timedelta(days=days))


_unended_cards = st.builds(
    IncidentView,
    incident=st.from_regex(r"INC-[A-Za-z0-9-]{1,9}", fullmatch=True).map(IncidentId),
    status=st.sampled_from([one for one in IncidentStatus if one is not IncidentStatus.UNOPENED]),
    blast_radius=st.none()
    | st.builds(BlastRadius, st.integers(0, 9), st.tuples(words), st.sampled_from(EstimatedImpact)),
    severity=st.sampled_from(Severity),
    title=words,
    created_at=moments,
    updated_at=moments,
    dataset=urns,
    signals=ids,
    signatures=ids,
    owner_team=st.just("") | words,
    version=counts,
    acknowledged_at=st.none() | moments,
    resolved_at=st.none() | moments,
    implicated=st.none()
    | st.builds(
        Implicated,
        st.builds(Producer, words, st.none() | words, st.none() | st.sampled_from(Confidence)),
        st.none() | moments,
    ),
    notifications=st.builds(Notifications, st.none() | words, st.none() | words),
    primary_evidence=st.none() | words,
    evidence=ids,
    rca_summary=st.none() | words,
    oncall_user=st.none() | words,
    resolution=st.none()
    | st.builds(
        Resolution,
        words,
        st.none() | words,
        st.none() | words,
        st.booleans(),
        st.sampled_from(ResolutionReason),
    ),
    snoozed_until=st.none() | moments,
    merged_into=st.none() | words,
    elsewhere=concerns,
    absorbed=st.dictionaries(words, concerns, max_size=2),
    ends_at=st.none(),
)
incident_cards = st.builds(_ended_after, st.none() | st.integers(1, 400), _unended_cards)
"""Open or resolved, with an end or without."""

settings = st.builds(
    Settings,
    display_name=st.just("") | words,
    description=st.none() | words,
    tier=tiers,
    owner_team=st.just("") | words,
    owner_email=st.none() | words,
    oncall_rotation=st.none() | words,
    source=st.none() | st.builds(Source, words, st.none() | words, st.none() | words),
    schema_binding=st.none()
    | st.builds(
        SchemaBinding,
        words,
        words,
        st.none() | words,
        st.sampled_from(VersionPolicy),
        st.sampled_from(Compatibility),
    ),
    contract_binding=st.none()
    | st.builds(
        ContractBinding,
        words,
        st.lists(words, max_size=3).map(tuple),
        st.dictionaries(
            words,
            st.builds(
                FieldConstraint,
                st.none() | st.sampled_from(FieldType),
                st.none() | numbers,
                st.none() | numbers,
                st.none() | words,
            ),
            max_size=2,
        ),
    ),
    slos=st.none()
    | st.builds(
        Slos,
        st.none() | st.builds(FreshnessSlo, counts, st.none() | words),
        st.none() | st.builds(VolumeSlo, counts, st.none() | numbers, st.none() | counts),
        st.none() | st.builds(ComplianceSlo, numbers),
    ),
    incident_policy=st.none()
    | st.builds(IncidentPolicy, st.booleans(), st.integers(1, 100), st.booleans(), st.booleans()),
    pii_policy=st.none()
    | st.builds(
        PiiPolicy, st.booleans(), st.lists(words, max_size=3).map(tuple), st.sampled_from(PiiAction)
    ),
    retention_days=st.none() | counts,
)

dataset_cards = st.builds(
    DatasetView,
    dataset=urns,
    status=st.sampled_from([DatasetStatus.ACTIVE, DatasetStatus.RETIRED]),
    settings=settings,
    config_version=st.integers(1, 1000),
    created_at=moments,
    updated_at=moments,
    updated_by=words,
    retired_at=st.none() | moments,
    archived_at=st.none() | moments,
)

topics = st.from_regex(r"[a-z]{1,3}(\.[a-z]{1,3}){0,2}", fullmatch=True)
patterns = st.from_regex(r"[a-z*]{1,3}(\.[a-z*]{1,3}){0,2}", fullmatch=True)

conditions = st.builds(Condition, words, st.sampled_from(ConditionOperator), urns, values)

rules = st.builds(
    Rule,
    name=st.from_regex(r"[a-z0-9][a-z0-9_.-]{0,5}", fullmatch=True),
    topic_pattern=patterns,
    resolution_type=st.sampled_from(ResolutionType),
    priority=st.integers(0, 1000),
    conditions=st.lists(conditions, max_size=3).map(tuple),
    default_dataset_urn=st.none() | urns,
)

rule_cards = st.builds(RuleView, urns, rules, moments, moments)

rule_books = st.builds(
    RuleBook,
    dataset=urns,
    rules=st.lists(rule_cards, max_size=3).map(lambda cards: {c.rule.name: c for c in cards}),
    retired=st.booleans(),
)

facets = st.builds(Facets, urns, tiers, words, st.none() | moments)

entity_ids = st.from_regex(r"[a-z]{1,3}(:[a-z0-9]{1,3}){0,2}", fullmatch=True).map(EntityId)
entities = st.builds(Entity, entity_ids, words, st.sampled_from(EntityType))
places = urns.map(Place) | st.builds(lambda urn: Place(f"urn:col:{urn}:x"), urns)

tie_cards = st.builds(
    TieView,
    role=st.sampled_from(Role),
    place=places,
    entity=entities,
    confidence=st.sampled_from(Confidence),
    spec_id=entity_ids.map(lambda producer: SpecId(f"lspec:{producer}:git:9f31c2d")),
    commit=st.just("9f31c2d"),
    updated_at=moments,
    ttl_seconds=st.integers(86400, 3650 * 86400),
)

written_cards = st.builds(
    WrittenView,
    entity_ids,
    st.builds(Writing, urns, st.sampled_from(Confidence), st.lists(words, max_size=3).map(tuple)),
    entity_ids.map(ProducerId),
    moments,
)

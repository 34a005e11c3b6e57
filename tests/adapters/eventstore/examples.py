"""One example of every fact that is stored, with every field filled."""

from datetime import UTC, datetime, timedelta

from application.idempotency import Answered
from domain.dataset.config import (
    Reconfigured,
    Registered,
    Restored,
    Retired,
    RuleAdded,
    RuleChanged,
    RuleRemoved,
)
from domain.dataset.resolution_rules import Condition, ConditionOperator, ResolutionType, Rule
from domain.dataset.settings import (
    Compatibility,
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
from domain.delivery.dead_letter import Dropped, Resent, SetAside
from domain.ids import (
    DatasetUrn,
    EntityId,
    EvidenceId,
    FailureSignature,
    IncidentId,
    Place,
    SignalType,
    SpecId,
)
from domain.incident.fault_slot import Freed, Taken
from domain.incident.incident import (
    Absorbed,
    Acknowledged,
    Assigned,
    EvidenceAttached,
    Explained,
    Merged,
    Noted,
    NotificationsLinked,
    Opened,
    Released,
    Reopened,
    Resolved,
    SeverityChanged,
    SignalsAttached,
    SignaturesAttached,
    Snoozed,
    SplitOff,
    Woken,
)
from domain.incident.severity import Severity
from domain.incident.values import Concern, Implicated, Notifications, Resolution, ResolutionReason
from domain.lineage.blast_radius import BlastRadius, EstimatedImpact
from domain.lineage.lineage import Declared, Entity, EntityType, Entries, Entry, Spec
from domain.signal.evaluation import Confidence, Evaluation, Metrics, Producer, SignalStateEnum
from domain.signal.signal import Evaluated, Linked, Moved, Rebased, Unlinked, Watched
from domain.signal.windows import Standing

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
ORDERS = DatasetUrn("urn:dp:orders:order_created:v1")
CANCELLED = DatasetUrn("urn:dp:orders:order_cancelled:v1")
OWNER = "orders-platform@company.example"

SETTINGS = Settings(
    display_name="Orders - Order Created Events",
    description="Domain events for new order creation",
    tier=Tier.TIER_1,
    owner_team="orders-platform",
    owner_email=OWNER,
    oncall_rotation="orders-oncall",
    source=Source("KAFKA", "raw.orders.events", "main-msk-cluster"),
    schema_binding=SchemaBinding(
        "GLUE",
        "orders.order_created",
        "glue:orders.order_created:17",
        VersionPolicy.PINNED,
        Compatibility.FULL,
    ),
    contract_binding=ContractBinding(
        "dc:orders.order_created:3",
        ("order_id", "customer_id"),
        {
            "total_amount": FieldConstraint(FieldType.NUMBER, min=0, max=1e6),
            "customer_id": FieldConstraint(FieldType.STRING, pattern="^cust-[a-z0-9]+$"),
        },
    ),
    slos=Slos(FreshnessSlo(300, "TUMBLING_5MIN"), VolumeSlo(100, 50, 7), ComplianceSlo(0.95)),
    pii_policy=PiiPolicy(True, ("customer_email",), PiiAction.REDACT),
    retention_days=90,
)

RULE = Rule(
    "by-event-type",
    "raw.orders.*",
    ResolutionType.CONDITIONAL,
    50,
    (
        Condition("$.event_type", ConditionOperator.EQUALS, ORDERS, "order_created"),
        Condition("$.kind", ConditionOperator.IN, CANCELLED, ["a", 1, True, None]),
    ),
    DatasetUrn("urn:dp:orders:unknown:v1"),
)

EVALUATION = Evaluation(
    state=SignalStateEnum.CRITICAL,
    score=0.102,
    window_start=NOON - timedelta(minutes=5),
    window_end=NOON,
    metrics=Metrics(1247, 127, 1120),
    evaluated_at=NOON + timedelta(milliseconds=312),
    window_type="TUMBLING_5MIN",
    slo_threshold=0.95,
    failure_signature=FailureSignature("MISSING_FIELD:customer_id"),
    top_producer=Producer("orders-svc", "v3.17", Confidence.HIGH),
    evidence_sample=(EvidenceId("evd-01HQXY8MNP4QR7ST9VW2XYZ456"),),
)

LANDING = Entity(EntityId("job:orders-delta-landing"), "orders-delta-landing", EntityType.JOB)
FINANCE = Entity(EntityId("svc:finance"), "finance", EntityType.SERVICE)

SPEC = Spec(
    spec_id=SpecId("lspec:job:orders-delta-landing:git:9f31c2d"),
    commit="9f31c2d",
    confidence=Confidence.MEDIUM,
    updated_at=NOON,
    entries=Entries(
        dataset_reads=(Entry(Place(CANCELLED), LANDING),),
        dataset_writes=(Entry(Place(ORDERS), LANDING),),
        column_reads=(Entry(Place(f"urn:col:{CANCELLED}:order_id"), LANDING),),
        column_writes=(Entry(Place(f"urn:col:{ORDERS}:customer_id"), LANDING),),
    ),
    ttl_seconds=86400,
)


EVIDENCE = EvidenceId("evd-01HQXY8MNP4QR7ST9VW2XYZ456")
MISSING = FailureSignature("MISSING_FIELD:customer_id")
INCIDENT = IncidentId("INC-7721")

FACTS: dict[str, object] = {
    "dataset.registered": Registered(ORDERS, SETTINGS),
    "dataset.reconfigured": Reconfigured(
        ("owner_email", "tier"), Settings(tier=Tier.TIER_2, owner_email=OWNER), 2
    ),
    "dataset.retired": Retired(),
    "dataset.restored": Restored(),
    "dataset.rule_added": RuleAdded(RULE),
    "dataset.rule_changed": RuleChanged(RULE),
    "dataset.rule_removed": RuleRemoved("by-event-type"),
    "signal.tracked": Watched(timedelta(hours=24)),
    "signal.evaluated": Evaluated(
        EVALUATION,
        EVALUATION.digest(),
        48,
        True,
        Moved(SignalStateEnum.CRITICAL, SignalStateEnum.OK, NOON, NOON - timedelta(minutes=5)),
        SignalStateEnum.OK,
    ),
    "signal.baseline_changed": Rebased(Standing(SignalStateEnum.WARNING, None, NOON, NOON, NOON)),
    "lineage.declared": Declared(
        SPEC,
        Entries(
            (Entry(Place(ORDERS), FINANCE),),
            (Entry(Place(CANCELLED), FINANCE),),
            (Entry(Place(f"urn:col:{ORDERS}:order_id"), FINANCE),),
            (Entry(Place(f"urn:col:{CANCELLED}:order_id"), FINANCE),),
        ),
    ),
    "signal.linked": Linked(INCIDENT, from_the_start=True),
    "signal.unlinked": Unlinked(INCIDENT, IncidentId("INC-7720")),
    "fault.claimed": Taken(INCIDENT),
    "fault.released": Freed(INCIDENT),
    "incident.opened": Opened(
        dataset=ORDERS,
        signals=(SignalType("CONTRACT_COMPLIANCE"), SignalType("FRESHNESS")),
        signatures=(MISSING,),
        severity=Severity.SEV_1,
        title="Contract breach on orders:order_created - MISSING_FIELD:customer_id",
        owner_team="orders-platform",
        at=NOON,
        implicated=Implicated(Producer("orders-svc", "v3.17", Confidence.HIGH), NOON),
        evidence=(EVIDENCE,),
        primary_evidence=EVIDENCE,
        blast_radius=BlastRadius(3, ("finance-pipeline", "audit-export"), EstimatedImpact.HIGH),
    ),
    "incident.acknowledged": Acknowledged(NOON),
    "incident.assigned": Assigned(OWNER),
    "incident.severity_changed": SeverityChanged(Severity.SEV_2),
    "incident.note_added": Noted("looking into it"),
    "incident.rca_summarized": Explained("v3.17 dropped a required field"),
    "incident.notifications_linked": NotificationsLinked(
        Notifications("PD-12345", "1705315215.123456", "DATA-4521")
    ),
    "incident.signals_attached": SignalsAttached((SignalType("VOLUME"),), ORDERS),
    "incident.signatures_attached": SignaturesAttached((MISSING,), ORDERS),
    "incident.evidence_attached": EvidenceAttached((EVIDENCE,)),
    "incident.resolved": Resolved(
        Resolution("v3.17", "rolled back to v3.16", OWNER, True, ResolutionReason.FALSE_POSITIVE),
        NOON,
    ),
    "incident.reopened": Reopened(NOON, "it came back"),
    "incident.snoozed": Snoozed(NOON, "it is being deployed"),
    "incident.snooze_ended": Woken("the time is up"),
    "incident.merged": Merged(IncidentId("INC-2"), NOON, "the same cause"),
    "incident.merged_in": Absorbed(
        IncidentId("INC-1"),
        (Concern(ORDERS, (SignalType("VOLUME"),), (MISSING,)),),
        (EVIDENCE,),
        "the same cause",
    ),
    "incident.split": SplitOff(IncidentId("INC-2"), NOON, "another cause"),
    "incident.merge_undone": Released(IncidentId("INC-1"), "another cause"),
    "dead_letter.recorded": SetAside("SIGNAL_STATE_CHANGED", 17, "it answered with 400", 1),
    "dead_letter.resent": Resent(),
    "dead_letter.dropped": Dropped(),
    "request.answered": Answered("fingerprint", {"dataset-x": 3}),
}

FIRST_RELEASE: dict[str, object] = {
    **FACTS,
    "signal.linked": Linked(INCIDENT),
    "incident.signals_attached": SignalsAttached((SignalType("VOLUME"),)),
    "incident.signatures_attached": SignaturesAttached((MISSING,)),
}
"""What is in the frozen records: facts that have grown since then lack what is new."""

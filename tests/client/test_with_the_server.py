"""Every call of the client, answered by a real server; both clients ask the same one."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from statestore_client import (
    AlreadyExists,
    AsyncStateStore,
    Condition,
    Confidence,
    ContractBinding,
    DatasetSettings,
    DatasetStatus,
    DataSource,
    DeclaredEntry,
    EntityType,
    Evidence,
    Fallback,
    FieldConstraint,
    FreshnessSlo,
    Impossible,
    IncidentStatus,
    InvalidRequest,
    LineageSpec,
    NotFound,
    Operator,
    PiiPolicy,
    Reason,
    Resolution,
    ResolutionType,
    Rule,
    Severity,
    SignalUpdated,
    SloConfig,
    SpecResult,
    State,
    StateStore,
    StateStoreError,
    Tier,
    Unauthenticated,
    Validation,
    Verdict,
    VersionConflict,
)
from tests.client.reports import evaluation, update
from tests.client.waiting import PATIENCE
from tests.entrypoints.support.server import Server, serving

SETTINGS = DatasetSettings(
    display_name="Orders",
    owner_team="orders-platform",
    tier=Tier.TIER_1,
    description="Domain events\nfor new orders",
    source=DataSource(type="KAFKA", topic="raw.orders.events"),
    contract_binding=ContractBinding(
        contract_id="dc:orders:3",
        required_fields=("order_id",),
        field_constraints={"amount": FieldConstraint(type="number", min=0)},
    ),
    slos=SloConfig(freshness=FreshnessSlo(max_delay_seconds=300)),
    pii_policy=PiiPolicy(scan_enabled=True, fields_to_scan=("email",)),
    retention_days=90,
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("client") / "var"
    with serving(folder, STATESTORE_ENGINE="memory") as started:
        yield started


@pytest.fixture
def address(server: Server) -> str:
    return f"127.0.0.1:{server.grpc_port}"


@pytest.fixture
def store(server: Server, address: str) -> Iterator[StateStore]:
    with StateStore(address, token=server.token) as store:
        yield store


@pytest.fixture
def urn(store: StateStore, request: pytest.FixtureRequest) -> str:
    """A dataset of the test's own."""
    urn = f"urn:dp:orders:{request.node.name}:v1"
    store.datasets.register(urn, SETTINGS)
    return urn


def test_datasets(store: StateStore) -> None:
    urn = "urn:dp:orders:order_created:v1"
    registered = store.datasets.register(urn, SETTINGS)
    assert (registered.status, registered.config_version) == (DatasetStatus.ACTIVE, 1)
    assert registered.settings.contract_binding == SETTINGS.contract_binding
    assert registered.settings.slos == SETTINGS.slos
    with pytest.raises(AlreadyExists) as taken:
        store.datasets.register(urn, DatasetSettings(display_name="Other", owner_team="others"))
    assert taken.value.current_version == 1
    changed = store.datasets.update(
        urn, {"tier": Tier.TIER_2, "description": None}, expected_version=1
    )
    assert (changed.settings.tier, changed.settings.description) == (Tier.TIER_2, None)
    assert changed.settings.source == SETTINGS.source
    with pytest.raises(VersionConflict) as conflict:
        store.datasets.update(urn, {"tier": Tier.TIER_3}, expected_version=1)
    assert conflict.value.current_version == 2
    assert store.datasets.get(urn) == changed
    assert store.datasets.update(urn, {"tier": Tier.TIER_2}).config_version == 2
    assert store.datasets.get(urn, version=1).settings.tier is Tier.TIER_1
    assert [one.config_version for one in store.datasets.versions(urn)] == [2, 1]
    assert store.datasets.retire(urn).status is DatasetStatus.RETIRED
    assert urn in {one.dataset_urn for one in store.datasets.list(retired=True)}
    assert store.datasets.restore(urn).status is DatasetStatus.ACTIVE
    assert urn in {one.dataset_urn for one in store.datasets.list(page_size=1)}
    with pytest.raises(NotFound):
        store.datasets.get("urn:dp:orders:unheard_of:v1")


def test_rules(store: StateStore, urn: str) -> None:
    rule = Rule(topic_pattern="raw.orders.rules", resolution_type=ResolutionType.EXACT)
    added = store.rules.add(urn, rule)
    assert added.name
    assert store.rules.resolve("raw.orders.rules", {"order_id": 1, "amount": 2}).dataset_urn == urn
    conditional = Rule(
        name=added.name,
        topic_pattern="raw.orders.rules",
        resolution_type=ResolutionType.CONDITIONAL,
        conditions=(
            Condition(field="$.kind", operator=Operator.IN, value=["a", "b"], dataset_urn=urn),
        ),
    )
    assert store.rules.change(urn, conditional).conditions == conditional.conditions
    assert [one.conditions for one in store.rules.list(urn)] == [conditional.conditions]
    found = store.rules.resolve("raw.orders.rules", {"kind": "b"})
    assert (found.dataset_urn, found.registered) == (urn, True)
    assert found.rule is not None
    assert {one.field for one in found.contract_violations} == {"order_id"}
    assert store.rules.resolve("raw.orders.rules", {"kind": "c"}).dataset_urn is None
    store.rules.remove(urn, added.name)
    assert list(store.rules.list(urn)) == []
    with pytest.raises(NotFound):
        store.rules.remove(urn, added.name)


def test_signals(store: StateStore, urn: str) -> None:
    updated = store.signals.update(urn, "VOLUME", evaluation(0), expected_version=0)
    assert (updated.new_version, updated.state, updated.is_current) == (1, State.OK, True)
    with pytest.raises(VersionConflict) as conflict:
        store.signals.update(urn, "VOLUME", evaluation(1), expected_version=0)
    assert conflict.value.current_version == 1
    bad = evaluation(1, State.CRITICAL)
    store.signals.update(urn, "VOLUME", bad, expected_version=1)
    found = store.signals.get(urn, "VOLUME")
    assert (found.state, found.previous_state, found.version) == (State.CRITICAL, State.OK, 2)
    assert found.evaluation.top_producer == bad.top_producer
    assert found.evaluation.breach_start == bad.window_start
    assert found.answer is not None
    assert found.answer.position
    assert store.signals.get_many([(urn, "VOLUME"), (urn, "SCHEMA")]) == [found, None]
    assert store.signals.of_dataset(urn) == [found]
    health = store.signals.health(urn)
    assert (health.state, health.tier, health.signals) == (State.CRITICAL, Tier.TIER_1, (found,))
    assert found in list(store.signals.list(states=[State.CRITICAL], page_size=1))
    past = list(store.signals.history(urn, "VOLUME", since=bad.window_end))
    assert [one.evaluation.state for one in past] == [State.CRITICAL]
    with pytest.raises(NotFound):
        store.signals.get(urn, "SCHEMA")
    with pytest.raises(InvalidRequest) as wrong:
        store.signals.update(urn, "VOLUME", evaluation(2, score=7.0))
    assert {one.field for one in wrong.value.violations} == {"score"}
    assert "score" in str(wrong.value)


def test_reads_of_the_past_and_strong_ones(store: StateStore, urn: str) -> None:
    store.signals.update(urn, "VOLUME", evaluation(0))
    recorded = next(store.signals.history(urn, "VOLUME")).recorded_at
    store.signals.update(urn, "VOLUME", evaluation(1, State.WARNING))
    assert store.signals.get(urn, "VOLUME", strong=True).version == 2
    second = list(store.signals.history(urn, "VOLUME"))[1].recorded_at
    if recorded < second:
        was = store.signals.get(urn, "VOLUME", as_of=recorded)
        assert (was.version, was.state) == (1, State.OK)
        assert was.answer is not None
        assert was.answer.as_of == recorded
    with pytest.raises(NotFound):
        store.signals.get(urn, "VOLUME", as_of=recorded - timedelta(days=1))
    with pytest.raises(InvalidRequest) as wrong:
        store.signals.get(urn, "VOLUME", as_of=datetime.now(UTC) + timedelta(days=1))
    assert wrong.value.code == "AS_OF_IN_FUTURE"


def test_a_position_of_another_log_is_refused_until_it_is_forgotten(
    store: StateStore, urn: str
) -> None:
    store.signals.update(urn, "VOLUME", evaluation(0))
    store.position = "MS4wLjk5OTk5OQ"
    with pytest.raises(InvalidRequest) as wrong:
        store.signals.get(urn, "VOLUME")
    assert [one.code for one in wrong.value.violations] == ["POSITION_BEYOND_END"]
    store.position = None
    assert store.signals.get(urn, "VOLUME").version == 1


def test_incidents(store: StateStore, urn: str) -> None:
    store.signals.update(urn, "VOLUME", evaluation(0, State.CRITICAL))
    fault = {
        "severity": Severity.SEV_2,
        "signal_types": ["VOLUME"],
        "failure_signatures": ["LATE_DATA:processed_at"],
    }
    opened = store.incidents.create(urn, **fault)  # type: ignore[arg-type]
    assert (opened.status, opened.joined) == (IncidentStatus.OPEN, False)
    joined = store.incidents.create(urn, **fault)  # type: ignore[arg-type]
    assert (joined.incident_id, joined.joined) == (opened.incident_id, True)
    name = opened.incident_id
    assert store.signals.get(urn, "VOLUME").evaluation.incident_id == name
    assert [one.incident_id for one in store.signals.health(urn).incidents] == [name]
    seen = store.incidents.acknowledge(name, note="on it", expected_version=opened.version)
    assert seen.status is IncidentStatus.ACKNOWLEDGED
    with pytest.raises(VersionConflict):
        store.incidents.update(name, severity=Severity.SEV_1, expected_version=opened.version)
    assert store.incidents.update(name, oncall_user="jane@company.example").oncall_user
    assert store.incidents.update(name, oncall_user="").oncall_user is None
    until = datetime.now(UTC) + timedelta(hours=1)
    assert store.incidents.snooze(name, until, reason="later").snoozed_until is not None
    assert store.incidents.wake(name).snoozed_until is None
    resolution = Resolution(root_cause="too slow", mitigation="rolled back", reason=Reason.FIXED)
    ended = store.incidents.resolve(name, resolution)
    assert ended.status is IncidentStatus.RESOLVED
    assert ended.resolution is not None
    assert ended.resolution.reason is Reason.FIXED
    assert ended.mttr_seconds is not None
    with pytest.raises(Impossible):
        store.incidents.snooze(name, until)
    assert store.incidents.reopen(name, reason="again").status is IncidentStatus.OPEN
    assert store.incidents.get(name) == store.incidents.get(name, strong=True)
    happened = [one.event_type for one in store.incidents.timeline(name, page_size=2)]
    assert happened[0] == "OPENED"
    assert {"ACKNOWLEDGED", "NOTE_ADDED", "SNOOZED", "SNOOZE_ENDED", "RESOLVED", "REOPENED"} < set(
        happened
    )
    assert [one.incident_id for one in store.incidents.list(dataset_urn=urn)] == [name]
    assert store.incidents.impact(name).now is not None


def test_merging_incidents(store: StateStore, urn: str) -> None:
    names = [
        store.incidents.create(
            urn,
            severity=Severity.SEV_3,
            signal_types=["VOLUME"],
            failure_signatures=[f"LATE_DATA:field_{number}"],
        ).incident_id
        for number in range(2)
    ]
    merged = store.incidents.merge(names[1], names[0], reason="the same")
    assert (merged.status, merged.merged_into) == (IncidentStatus.RESOLVED, names[0])
    kept = store.incidents.get(names[0])
    assert [one.incident_id for one in kept.merged_incidents] == [names[1]]
    assert store.incidents.split(names[1]).status is IncidentStatus.OPEN


def test_lineage(store: StateStore, urn: str) -> None:
    reader = DeclaredEntry(
        urn=urn, entity_id="job:billing", entity_name="billing", entity_type=EntityType.JOB
    )
    spec = LineageSpec(
        spec_id="lspec:job:billing:git:9f31c2d",
        confidence=Confidence.HIGH,
        commit="9f31c2d",
        updated_at=datetime.now(UTC) - timedelta(minutes=1),
        dataset_reads=(reader,),
    )
    assert store.lineage.declare(spec).result is SpecResult.APPLIED
    assert store.lineage.declare(spec).result is SpecResult.UNCHANGED
    assert [one.entity_id for one in store.lineage.readers(urn)] == ["job:billing"]
    assert list(store.lineage.writers(urn)) == []
    impact = store.lineage.impact(urn, depth=2)
    assert [(one.entity_id, one.distance) for one in impact.entities] == [("job:billing", 1)]


def test_policies(store: StateStore, urn: str) -> None:
    found = store.policies.get(urn)
    assert (found.registered, found.tier, found.config_version) == (True, Tier.TIER_1, 1)
    assert found.contract_binding == SETTINGS.contract_binding
    same = store.policies.get(urn, known_etag=found.etag)
    assert (same.not_modified, same.contract_binding) == (True, None)
    store.datasets.update(urn, {"tier": Tier.TIER_2})
    assert store.policies.get(urn, known_etag=found.etag).tier is Tier.TIER_2
    nowhere = "urn:dp:orders:unheard_of:v1"
    first, second = store.policies.get_many(
        {urn: None, nowhere: None}, fallback_on_miss=Fallback.FAIL
    )
    assert (first.registered, second.registered) == (True, False)
    assert second.fallback_on_miss is Fallback.FAIL


def test_streams_and_batches(store: StateStore, urn: str) -> None:
    updates = [update(window, expected_version=window, dataset_urn=urn) for window in range(300)]
    with store.signals.stream() as stream:
        streamed = [stream.send(one) for one in updates[:150]]
    with store.signals.batching() as batches:
        batched = [batches.add(one) for one in updates[150:]]
    outcomes = [one.result() for one in (*streamed, *batched)]
    assert all(isinstance(one, SignalUpdated) for one in outcomes)
    assert store.signals.get(urn, "VOLUME").version == 300


def test_evidence_in_batches_of_many_threads(store: StateStore, urn: str) -> None:
    now = datetime.now(UTC)
    failed = Validation(Verdict.FAIL, ("G4_CONTRACT",), ("MISSING_FIELD:customer_id",))
    names = [f"evd-01HQXY8MNP{number:016}" for number in range(400)]

    def add(name: str) -> Future[bool | StateStoreError]:
        sent = Evidence(evidence_id=name, dataset_urn=urn, created_at=now, validation=failed)
        return batches.add(sent)

    with store.evidence.batching(size=30) as batches, ThreadPoolExecutor(8) as pool:
        futures = list(pool.map(add, names))
    assert [one.result(PATIENCE) for one in futures] == [True] * len(names)
    assert sorted(one.evidence_id for one in store.evidence.list(urn)) == names


def test_a_wrong_token_is_told(address: str) -> None:
    with StateStore(address, token="not-a-good-one") as stranger, pytest.raises(Unauthenticated):
        stranger.signals.health("urn:dp:orders:order_created:v1")


def test_asyncio_says_the_same(server: Server, address: str, store: StateStore, urn: str) -> None:
    async def asked() -> tuple[object, ...]:
        async with AsyncStateStore(address, token=server.token) as other:
            await other.signals.update(urn, "VOLUME", evaluation(0, State.CRITICAL))
            async with other.signals.stream() as stream:
                outcome = await (await stream.send(update(1, dataset_urn=urn)))
                assert isinstance(outcome, SignalUpdated)
            return (
                await other.signals.get(urn, "VOLUME"),
                await other.signals.health(urn),
                [one async for one in other.signals.history(urn, "VOLUME")],
                await other.datasets.get(urn),
            )

    assert asyncio.run(asked()) == (
        store.signals.get(urn, "VOLUME", strong=True),
        store.signals.health(urn, strong=True),
        list(store.signals.history(urn, "VOLUME")),
        store.datasets.get(urn),
    )

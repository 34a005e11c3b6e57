"""A scene in which every operation of the API answers with all that it can show."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from dependency_injector import providers

from adapters.system.ulids import RandomPool, Ulids
from application.projections.quarantined_facts import SetAside
from domain.timestamps import stamp
from entrypoints.container import Container
from tests.application.delivery.outboxes import ToldSink
from tests.entrypoints.http.api import NOON, NOW, ORDERS, ORDERS_DATASET, Api, serving, update
from tests.entrypoints.http.incidents.calls import LATE, RESOLUTION, request
from tests.entrypoints.http.operations.test_dead_letters import letters
from tests.entrypoints.support.sample_evidence import LEFT_OUT, evidence, named, passed
from tests.golden.responses.recorder import Recorder

INVOICES = "urn:dp:finance:invoices:v1"
COLUMN = f"urn:col:{ORDERS}:customer_id"
SIGNAL = {"urn": ORDERS, "signal_type": "CONTRACT_COMPLIANCE"}
SINK = "webhook-oncall"
UNKNOWN = named(9)
RULE: dict[str, Any] = {
    "name": "by-event-type",
    "topic_pattern": "raw.orders.*",
    "resolution_type": "CONDITIONAL",
    "priority": 50,
    "conditions": [
        {"field": "$.event_type", "operator": "EQUALS", "value": "created", "dataset_urn": ORDERS}
    ],
    "default_dataset_urn": ORDERS,
}
SETTINGS = {
    "STATESTORE_LOCAL_CACHE_ENTRIES": "100",
    "STATESTORE_LOCAL_CACHE_TTL_MILLISECONDS": "60000",
    "STATESTORE_CONTEXT_TIMEOUT_SECONDS": "60",
}


class NotRandom(RandomPool):
    def __call__(self) -> bytes:
        return bytes(10)


def recorded() -> dict[str, dict[str, Any]]:
    with _served() as api:
        ask = Recorder(api)
        for part in (_datasets, _lineage, _rules, _signals, _evidence, _incidents):
            part(ask)
        _reads(ask)
        _endings(ask)
        _operations(ask)
        return ask.recorded


@contextmanager
def _served() -> Iterator[Api]:
    with serving("memory", _prepared, **SETTINGS) as api:
        yield api


def _prepared(container: Container) -> None:
    at = int(NOON.timestamp()) * 1_000_000_000
    container.ulids.override(providers.Object(Ulids(lambda: at, NotRandom())))
    container.sinks.override(providers.Object({SINK: ToldSink(name=SINK)}))


def _datasets(ask: Recorder) -> None:
    ask.api.clock.at = NOON - timedelta(minutes=10)
    ask("registerDataset", ORDERS_DATASET)
    other = {"dataset_urn": INVOICES, "display_name": "Invoices", "owner_team": "finance"}
    policy = {"auto_resolve": True, "auto_resolve_windows": 1}
    ask.ask("registerDataset", {**other, "tier": "TIER_1", "incident_policy": policy})


def _lineage(ask: Recorder) -> None:
    writer = {"entity_id": "service:orders-svc", "entity_name": "o", "entity_type": "SERVICE"}
    for commit, columns in (("good", ("order_id", "customer_id")), ("bad", ("order_id",))):
        written = [{"column_urn": f"urn:col:{ORDERS}:{one}", **writer} for one in columns]
        _declared(ask, "service:orders-svc", commit, column_writes=written)
        ask.api.clock.at += timedelta(minutes=2)
    ask.api.clock.at = NOW
    for name in ("job:audit", "job:nightly", "job:finance"):
        entity = "job:audit" if name == "job:nightly" else name
        job = {"entity_id": entity, "entity_name": entity, "entity_type": "JOB"}
        _declared(
            ask,
            name,
            "9f31c2d",
            record="finance" in name,
            dataset_reads=[{"dataset_urn": ORDERS, **job}],
            dataset_writes=[{"dataset_urn": one, **job} for one in (ORDERS, INVOICES)],
            column_reads=[{"column_urn": COLUMN, **job}],
            column_writes=[{"column_urn": one, **job} for one in (COLUMN, f"urn:col:{INVOICES}:c")],
        )


def _declared(
    ask: Recorder, producer: str, commit: str, *, record: bool = False, **entries: Any
) -> None:
    spec = {"confidence": "HIGH", "commit": commit, "updated_at": stamp(ask.api.clock.at)}
    declare = ask if record else ask.ask
    path = {"spec_id": f"lspec:{producer}:git:{commit}"}
    declare("declareLineage", {**spec, **entries, "ttl_seconds": 7_776_000}, path=path)


def _rules(ask: Recorder) -> None:
    owner, one = {"urn": ORDERS}, {"urn": ORDERS, "name": "by-event-type"}
    ask("addResolutionRule", RULE, path=owner)
    ask("updateResolutionRule", {**RULE, "priority": 60}, path=one)
    ask("getResolutionRule", path=one)
    ask("listResolutionRules", path=owner)
    payload = {"event_type": "created", "customer_id": "nobody"}
    ask("resolveDataset", {"topic": "raw.orders.events", "payload": payload})


def _signals(ask: Recorder) -> None:
    for window, state in ((0, "OK"), (1, "WARNING")):
        ask.ask("updateSignal", update(window, state), path=SIGNAL)
    ask("updateSignal", update(2, "CRITICAL"), path=SIGNAL)
    volume = {"dataset_urn": ORDERS, "signal_type": "VOLUME"}
    stale = {**update(1), **volume, "expected_version": 7}
    wrong = {**update(1), **volume, "score": 2}
    ask("updateSignals", {"updates": [{**update(0, "CRITICAL"), **volume}, stale, wrong]})


def _evidence(ask: Recorder) -> None:
    ask("putEvidence", [evidence(0), evidence(1), passed(LEFT_OUT), evidence(2, dataset_urn=3)])
    one = ask("getEvidence", path={"evidence_id": named(0)})
    assert one["evidence_id"] == named(0)
    ask("lookupEvidence", ids=f"{named(0)},{UNKNOWN}")
    since = stamp(NOW - timedelta(hours=1))
    ask("listEvidence", path={"urn": ORDERS}, created_since=since, page_size=1)


def _incidents(ask: Recorder) -> None:
    producer = {"producer_id": "orders-svc", "version": "v3.17", "confidence": "HIGH"}
    everything = {
        "incident_id": "INC-1",
        "title": "Orders lack a customer",
        "implicated_producer": {**producer, "deployed_at": stamp(NOON)},
        "primary_evidence_id": named(0),
        "evidence_sample": [named(0), UNKNOWN],
    }
    ask("openIncident", request(**everything))
    other = {"primary_dataset_urn": INVOICES, "signal_types": ["VOLUME"]}
    ask.ask("openIncident", request(incident_id="INC-2", **other))
    ask.ask("openIncident", request(incident_id="INC-3", failure_signatures=[LATE]))
    ask.api.clock.at += timedelta(minutes=3)
    notified = ("pagerduty_incident_id", "slack_thread_ts", "jira_ticket")
    changes = {
        "status": "ACKNOWLEDGED",
        "oncall_user": "jane",
        "notification_state": {name: f"the {name}" for name in notified},
        "rca_summary": "A deployment removed a field",
        "note": "Rolling back",
    }
    ask.ask("updateIncident", changes, path={"incident_id": "INC-1"})
    second = {"incident_id": "INC-2"}
    until = {"until": stamp(ask.api.clock.at + timedelta(hours=1)), "reason": "A fix runs"}
    ask("snoozeIncident", until, path=second)
    ask("endSnooze", path=second)
    ask("mergeIncident", {"into": "INC-1", "reason": "The same cause"}, path=second)
    ask.ask("openIncident", request(**{**other, "signal_types": ["CUSTOM_DRIFT"]}))
    _healed(ask)


def _healed(ask: Recorder) -> None:
    """A policy resolves an incident, because its signal is OK again."""
    signal = {"urn": INVOICES, "signal_type": "FRESHNESS"}
    incident = {"primary_dataset_urn": INVOICES, "signal_types": ["FRESHNESS"]}
    ask.ask("updateSignal", update(0, "CRITICAL"), path=signal)
    ask.ask("openIncident", request(incident_id="INC-4", **incident, failure_signatures=[LATE]))
    _policies_act(ask.api)
    for window in (1, 2):
        ask.ask("updateSignal", update(window), path=signal)
    _policies_act(ask.api)
    ask.ask("updateIncident", {"note": "It healed"}, path={"incident_id": "INC-4"})


def _policies_act(api: Api) -> None:
    for runner in api.container.policy_runners():
        api.run(api.container.runner().catch_up())
        api.run(runner.catch_up())
    for outbox in api.container.sending():
        api.run(outbox.catch_up())
    api.run(api.container.runner().catch_up())


def _reads(ask: Recorder) -> None:
    dataset = {"urn": ORDERS}
    ask("getSignal", path=SIGNAL)
    span = {"from": stamp(NOON), "to": stamp(NOW)}
    ask("getSignalHistory", path=SIGNAL, **span, page_size=1)
    ask("listSignals", state="CRITICAL", page_size=1)
    asked = [{"dataset_urn": ORDERS, "signal_type": one} for one in ("VOLUME", "FRESHNESS")]
    ask("lookupSignals", {"signals": asked})
    ask("getDatasetHealth", path=dataset)
    ask("getDatasetImpact", path=dataset, field="customer_id")
    for name in ("listDatasetWriters", "listDatasetReaders"):
        ask(name, path=dataset, page_size=1)
    for name in ("listColumnWriters", "listColumnReaders"):
        ask(name, path={"column_urn": COLUMN}, page_size=1)
    policy = ask("getPolicy", path=dataset)
    known = {"dataset_urn": ORDERS, "known_etag": policy["etag"]}
    asked = [{"dataset_urn": ORDERS}, known, {"dataset_urn": "urn:dp:orders:unknown:v1"}]
    ask("lookupPolicies", {"policies": asked})
    incident = {"incident_id": "INC-1"}
    for name in ("getIncident", "getIncidentContext", "getIncidentImpact"):
        ask(name, path=incident)
    ask("getIncidentTimeline", path={"incident_id": "INC-4"}, page_size=2)
    ask("listIncidents", page_size=1)


def _endings(ask: Recorder) -> None:
    first, second = ({"incident_id": name} for name in ("INC-1", "INC-2"))
    ask("splitIncident", {"reason": "It has a cause of its own"}, path=second)
    resolved = {"status": "RESOLVED", "resolution": RESOLUTION}
    ask("updateIncident", resolved, path=first)
    ask("reopenIncident", {"reason": "It is missing again"}, path=first)
    dataset, other = {"urn": ORDERS}, {"urn": INVOICES}
    ask("updateDataset", {"description": "Orders", "expected_version": -1}, path=dataset)
    ask("getDataset", path=dataset, version=1)
    ask("listDatasetVersions", path=dataset, page_size=1)
    ask("listDatasets", page_size=1)
    ask("retireDataset", path=other)
    ask("getDatasetSignals", path=other)
    ask("restoreDataset", path=other)
    ask("erasePerson", {"person": "jane"})
    ask.ask("removeResolutionRule", path={"urn": ORDERS, "name": "by-event-type"})


def _operations(ask: Recorder) -> None:
    ask.api.run(ask.api.container.evidence_upkeep().look())
    ask.api.run(ask.api.container.runner().catch_up())
    for name in ("getLiveness", "getReadiness", "getHealth", "listProjections"):
        ask(name)
    ask("getCaches")
    ask("clearCaches")
    _dead_letters(ask)
    _evidence_archive(ask)
    ask("rebuildProjections", {"projections": ["dataset-registry"]})
    ask("verifyProjections", {})
    quarantined = SetAside("dataset-registry", 12, "0c", NOW, "KeyError: 'tier'")
    filing = {quarantined.key: (quarantined, 12)}
    ask.api.run(ask.api.container.cards().file("dataset-registry", filing, upto=1_000))
    ask("listQuarantinedFacts")


def _dead_letters(ask: Recorder) -> None:
    first, second, *_ = letters(ask.api, SINK)
    ask("listDeadLetters", page_size=1)
    ask("getDeadLetter", path={"sink": SINK, "event_id": first.event_id})
    ask("resendDeadLetter", path={"sink": SINK, "event_id": first.event_id})
    ask("dropDeadLetter", path={"sink": SINK, "event_id": second.event_id})


def _evidence_archive(ask: Recorder) -> None:
    ask("getEvidenceArchive")
    ask("compactEvidence")
    ask("verifyEvidence", {})
    ask("rebuildEvidence", {})
    ask("purgeEvidence", {"older_than_hours": 48})

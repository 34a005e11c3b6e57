"""A timeline explains every field of the incident: from it alone the answer is put together."""

from datetime import datetime, timedelta
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from domain.timestamps import moment, stamp
from entrypoints.http.incidents.responses import TimelineEntry
from tests.entrypoints.http.api import EVIDENCE, ORDERS, Api, serving, update

INCIDENTS = "/api/v1/incidents"
PAYMENTS = "urn:dp:payments:payment_processed:v1"
NAMES = ("INC-1", "INC-2")
SIGNATURES = ["MISSING_FIELD:a", "LATE_DATA:b", "WRONG_TYPE:c"]
SIGNALS = ["CONTRACT_COMPLIANCE", "VOLUME"]
OTHER_EVIDENCE = "evd-01HQXY8MNP4QR7ST9VW2XYZ457"
NO_NOTIFICATIONS = {"pagerduty_incident_id": None, "slack_thread_ts": None, "jira_ticket": None}

patches = st.fixed_dictionaries(
    {},
    optional={
        "status": st.sampled_from(["OPEN", "ACKNOWLEDGED"]),
        "severity": st.sampled_from(["SEV_1", "SEV_2", "SEV_3"]),
        "oncall_user": st.none() | st.just("joe"),
        "signal_types": st.lists(st.sampled_from(SIGNALS), max_size=2),
        "failure_signatures": st.lists(st.sampled_from(SIGNATURES), max_size=1),
        "evidence_sample": st.just([OTHER_EVIDENCE]),
        "notification_state": st.sampled_from([{"jira_ticket": "D-1"}, {"slack_thread_ts": "1"}]),
        "rca_summary": st.sampled_from(["a deploy", "a bug"]),
        "note": st.just("looking"),
    },
)
AS_DUPLICATE = {
    "mitigation": None,
    "resolved_by": None,
    "false_positive": False,
    "reason": "DUPLICATE",
}
RESOLVED = {"status": "RESOLVED", "resolution": {"root_cause": "x", "resolved_by": "joe"}}

names = st.sampled_from(NAMES)
steps = st.one_of(
    st.tuples(st.just("report"), st.sampled_from([ORDERS, PAYMENTS]), st.sampled_from(SIGNATURES)),
    st.tuples(st.just("patch"), names, patches | st.just(RESOLVED)),
    st.tuples(st.just("merge"), st.permutations(NAMES)),
    st.tuples(st.sampled_from(["split", "reopen", "wake"]), names),
    st.tuples(st.just("snooze"), names, st.integers(1, 9)),
    st.tuples(st.just("wait")),
)


def opening(name: str | None, dataset: str, signature: str) -> dict[str, Any]:
    return {
        **({"incident_id": name} if name else {}),
        "primary_dataset_urn": dataset,
        "signal_types": [SIGNALS[0]],
        "severity": "SEV_2",
        "failure_signatures": [signature],
        "evidence_sample": [EVIDENCE] if dataset == PAYMENTS else [],
        "implicated_producer": {"producer_id": "svc", "confidence": "HIGH"},
    }


def happens(api: Api, step: Any) -> None:
    match step:
        case "report", dataset, signature:
            api.post(INCIDENTS, opening(None, dataset, signature))
        case "patch", name, body:
            api.patch(f"{INCIDENTS}/{name}", body)
        case "merge", (name, into):
            api.post(f"{INCIDENTS}/{name}/merge", {"into": into})
        case "snooze", name, hours:
            until = stamp(api.clock.at + timedelta(hours=hours))
            api.post(f"{INCIDENTS}/{name}/snooze", {"until": until})
        case "wake", name:
            api.delete(f"{INCIDENTS}/{name}/snooze")
        case ("split" | "reopen") as action, name:
            api.post(f"{INCIDENTS}/{name}/{action}", {})
        case _:
            api.clock.at += timedelta(minutes=7)


EVERYTHING: list[Any] = [
    (
        "patch",
        "INC-1",
        {
            "status": "ACKNOWLEDGED",
            "severity": "SEV_3",
            "oncall_user": "joe",
            "signal_types": SIGNALS,
            "failure_signatures": [SIGNATURES[2]],
            "evidence_sample": [OTHER_EVIDENCE],
            "notification_state": {"jira_ticket": "D-1"},
            "rca_summary": "a deploy",
            "note": "looking",
        },
    ),
    ("snooze", "INC-1", 3),
    ("wake", "INC-1"),
    ("merge", ("INC-2", "INC-1")),
    ("report", PAYMENTS, SIGNATURES[1]),
    ("report", PAYMENTS, SIGNATURES[0]),
    ("patch", "INC-1", RESOLVED),
    ("wait",),
    ("reopen", "INC-1"),
    ("split", "INC-2"),
    ("patch", "INC-1", {"notification_state": {"slack_thread_ts": "1"}}),
]


def test_everything_that_can_happen_is_told() -> None:
    with serving() as api:
        play(api, EVERYTHING)
        told = {
            entry["event_type"]
            for name in NAMES
            for entry in api.get(f"{INCIDENTS}/{name}/timeline").json()["timeline"]
        }
    assert told == set(TimelineEntry.model_json_schema()["properties"]["event_type"]["enum"])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example(EVERYTHING)
@given(st.lists(steps, min_size=5, max_size=15))
def test_an_incident_is_what_its_timeline_tells(said: list[Any]) -> None:
    with serving() as api:
        play(api, said)
        for name in NAMES:
            timeline = api.get(f"{INCIDENTS}/{name}/timeline", params={"page_size": 100}).json()
            assert explained(name, timeline["timeline"]) == api.get(f"{INCIDENTS}/{name}").json()


def play(api: Api, said: list[Any]) -> None:
    """Two incidents are open, and then this happens, as far as it is possible."""
    for number, (name, dataset) in enumerate(zip(NAMES, (ORDERS, PAYMENTS), strict=True)):
        path = api.registered(dataset_urn=dataset)
        api.put(f"{path}/signals/{SIGNALS[0]}", update(0, "CRITICAL"))
        api.post(INCIDENTS, opening(name, dataset, SIGNATURES[number]))
    for step in said:
        happens(api, step)


def explained(name: str, timeline: list[dict[str, Any]]) -> dict[str, Any]:
    """The incident, from nothing but what its timeline tells."""
    told: dict[str, Any] = {}
    for entry in timeline:
        told |= changed(told, entry["event_type"], entry["details"])
        told |= {"updated_at": entry["at"], "version": entry["version"]}
    created, taken, ended = (
        moment(told[one]) if told[one] else None
        for one in ("created_at", "acknowledged_at", "resolved_at")
    )
    return {
        **told,
        "incident_id": name,
        "mtta_seconds": _seconds(created, taken),
        "mttr_seconds": _seconds(created, ended),
        "ttl": int((ended + timedelta(days=365)).timestamp()) if ended else None,
    }


def _seconds(start: datetime | None, end: datetime | None) -> float | None:
    return (end - start).total_seconds() if start and end else None


def changed(told: dict[str, Any], what: str, said: dict[str, Any]) -> dict[str, Any]:
    match what:
        case "OPENED":
            return first(said)
        case "SIGNALS_ATTACHED" | "SIGNATURES_ATTACHED":
            return attached(told, said)
        case "EVIDENCE_ATTACHED":
            return evidence(told, said)
        case "MERGED_IN" | "MERGE_UNDONE":
            return joined(told, said)
        case "NOTIFICATIONS_LINKED":
            new = {key: value for key, value in said["notification_state"].items() if value}
            return {"notification_state": told["notification_state"] | new}
        case "SNOOZE_ENDED" | "NOTE_ADDED":
            return {"snoozed_until": None} if what == "SNOOZE_ENDED" else {}
        case "ASSIGNED" | "RCA_SUMMARIZED" | "SEVERITY_CHANGED" | "SNOOZED":
            return {field: value for field, value in said.items() if field != "reason"}
        case _:
            return moved(told, what, said)


def moved(told: dict[str, Any], what: str, said: dict[str, Any]) -> dict[str, Any]:
    match what:
        case "ACKNOWLEDGED":
            return {"status": what, "acknowledged_at": told["acknowledged_at"] or said["at"]}
        case "RESOLVED":
            return ended(said["at"]) | {"resolution": said["resolution"]}
        case "MERGED":
            into = said["merged_into"]
            duplicate = {"root_cause": f"merged into {into}", **AS_DUPLICATE}
            return ended(said["at"]) | {"merged_into": into, "resolution": duplicate}
        case "REOPENED" | "SPLIT":
            cleared = dict.fromkeys(("resolved_at", "resolution", "merged_into"))
            return {"status": "OPEN", **cleared}
    raise AssertionError(f"{what} is not explained")


def joined(told: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    name = said["incident_id"]
    rest = [one for one in told["merged_incidents"] if one["incident_id"] != name]
    if "concerns" not in said:
        return {"merged_incidents": rest}
    merged = {"incident_id": name, "concerns": said["concerns"]}
    return {"merged_incidents": [*rest, merged], **evidence(told, said)}


def evidence(told: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    """The first that there ever was is the primary one."""
    sample = [*told["evidence_sample"], *said["evidence_sample"]]
    primary = told["primary_evidence_id"] or next(iter(sample), None)
    return {"evidence_sample": sample, "primary_evidence_id": primary}


def first(said: dict[str, Any]) -> dict[str, Any]:
    opened = {field: value for field, value in said.items() if field != "at"}
    nothing_yet = (
        "acknowledged_at",
        "resolved_at",
        "rca_summary",
        "oncall_user",
        "resolution",
        "snoozed_until",
        "merged_into",
    )
    return {
        **opened,
        "status": "OPEN",
        "created_at": said["at"],
        "notification_state": NO_NOTIFICATIONS,
        "merged_incidents": [],
        "related": [],
        **dict.fromkeys(nothing_yet),
    }


def ended(at: str) -> dict[str, Any]:
    return {"status": "RESOLVED", "resolved_at": at, "snoozed_until": None}


def attached(told: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    (field,) = said.keys() - {"dataset_urn"}
    if said["dataset_urn"] is None:
        return {field: [*told[field], *said[field]]}
    concern = {
        "dataset_urn": said["dataset_urn"],
        "signal_types": said.get("signal_types", []),
        "failure_signatures": said.get("failure_signatures", []),
    }
    return {"related": [*told["related"], concern]}

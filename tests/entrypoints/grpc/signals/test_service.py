"""
Signals over gRPC: reporting, reading, listing, history (S0-126..S0-135, S0-145).

What is read is compared with what HTTP answers about the same thing.
"""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest

from domain.timestamps import moment, stamp
from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import signals_pb2 as m
from tests.entrypoints.grpc.support.served import Served, options, served, update
from tests.entrypoints.http.api import NOON, NOW, ORDERS

SIGNAL = f"/api/v1/datasets/{ORDERS}/signals/VOLUME"


@pytest.fixture(params=["memory", "embedded", "dynamodb"])
def anywhere(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    with served(request.param, folder=tmp_path) as store:
        yield store


def signal(store: Served, **asked: Any) -> m.SignalState:
    request = m.GetSignalStateRequest(dataset_urn=ORDERS, signal_type="VOLUME", **asked)
    return store.ask("GetSignalState", request, m.SignalState)


def test_a_story_on_every_engine(anywhere: Served) -> None:
    """Update, conflict, breach, read, read many, health, list, history, as of."""
    store = anywhere
    store.api.registered()
    first = store.update(0, expected_version=0)
    assert (first.success, first.new_version, first.state) == (True, 1, "OK")
    store.api.clock.at += timedelta(minutes=1)
    second = store.update(1, "CRITICAL", expected_version=1)
    assert (second.new_version, second.state, second.previous_state) == (2, "CRITICAL", "OK")
    stale = store.update(2, expected_version=1)
    assert (stale.success, stale.error_code, stale.current_version) == (
        False,
        "VERSION_CONFLICT",
        2,
    )

    now = signal(store, options=options(min_position=second.position))
    assert (now.version, now.state.state, now.previous_state) == (2, "CRITICAL", "OK")
    assert now.state.breach_start.ToJsonString() == "2026-01-15T12:05:00Z"
    strong = signal(store, options=options(strong=True))
    assert (strong.version, strong.answer.age_seconds) == (2, 0.0)
    then = signal(store, options=options(as_of=NOW))
    assert (then.version, then.state.state) == (1, "OK")
    assert then.answer.as_of.ToJsonString() == stamp(NOW).replace(".000", "")

    many = m.BatchGetSignalStatesRequest(
        signals=[
            m.SignalKey(dataset_urn=ORDERS, signal_type="LATENCY"),
            m.SignalKey(dataset_urn=ORDERS, signal_type="VOLUME"),
        ]
    )
    found = store.ask("BatchGetSignalStates", many, m.BatchGetSignalStatesResponse)
    assert [one.HasField("signal") for one in found.results] == [False, True]
    assert found.results[1].signal.state == now.state

    health = store.ask(
        "GetDatasetHealth", m.GetDatasetHealthRequest(dataset_urn=ORDERS), m.DatasetHealth
    )
    assert (health.state, health.status, health.tier) == ("CRITICAL", "ACTIVE", "TIER_1")
    assert [one.version for one in health.signals] == [2]
    listed = store.ask("ListSignals", m.ListSignalsRequest(), m.ListSignalsResponse)
    assert [one.dataset_urn for one in listed.signals] == [ORDERS]
    asked = m.GetSignalHistoryRequest(dataset_urn=ORDERS, signal_type="VOLUME")
    past = store.ask("GetSignalHistory", asked, m.GetSignalHistoryResponse)
    assert [one.evaluation.state for one in past.evaluations] == ["OK", "CRITICAL"]
    assert past.evaluations[1].position == second.position


def test_an_update_answers_how_the_signal_stands(store: Served) -> None:
    store.api.registered()
    store.update(0, expected_version=0)
    told = store.update(1, "CRITICAL", expected_version=1)
    assert told == m.UpdateSignalStateResponse(
        success=True,
        new_version=2,
        position=told.position,
        state="CRITICAL",
        previous_state="OK",
        state_changed_at=timestamp(NOON + timedelta(minutes=10)),
        breach_start=timestamp(NOON + timedelta(minutes=5)),
        is_current=True,
    )
    assert store.api.get(SIGNAL, params={"min_position": told.position}).json()["version"] == 2


def test_a_signal_is_the_one_that_http_shows(store: Served) -> None:
    store.api.registered()
    store.update(0, "CRITICAL")
    shown, told = store.api.get(SIGNAL).json(), signal(store)
    value = told.state
    assert (told.dataset_urn, told.signal_type) == (shown["dataset_urn"], shown["signal_type"])
    assert (told.version, told.tier, told.owner_team) == (
        shown["version"],
        shown["tier"],
        shown["owner_team"],
    )
    assert (value.state, value.score) == (shown["state"], shown["score"])
    assert value.slo_threshold == shown["slo_threshold"]
    assert value.failure_signature == shown["failure_signature"]
    assert value.window_type == shown["window_type"]
    assert list(value.evidence_sample) == shown["evidence_sample"]
    assert value.top_producer.producer_id == shown["top_producer"]
    assert value.top_producer.version == shown["top_producer_version"]
    assert value.top_producer.confidence == shown["top_producer_confidence"]
    for name in ("evidence_count", "pass_count", "fail_count"):
        assert getattr(value.metrics, name) == shown["metrics"][name]
    for name in ("window_start", "window_end", "breach_start"):
        assert getattr(value, name) == timestamp(moment(shown[name]))
    for name in ("state_changed_at", "last_updated"):
        assert getattr(told, name) == timestamp(moment(shown[name]))
    assert (told.ttl, told.previous_state, value.incident_id) == (0, "", "")


def test_an_update_says_everything_that_is_wrong_and_writes_nothing(store: Served) -> None:
    store.api.registered()
    head = store.head()
    told = store.update(
        0, "BROKEN", "VOLUMES", -2, score=float("nan"), window_type="x" * 1000, metrics=None
    )
    assert not told.success
    assert told.error_code == "VALIDATION"
    assert {one.field: one.code for one in told.violations} == {
        "signal_type": "UNKNOWN_VALUE",
        "state": "UNKNOWN_VALUE",
        "score": "OUT_OF_RANGE",
        "window_type": "MALFORMED",
        "metrics": "REQUIRED",
        "expected_version": "OUT_OF_RANGE",
    }
    assert store.head() == head


def test_a_dataset_that_is_not_there_is_an_answer(store: Served) -> None:
    told = store.update(0)
    assert told.error_code == "VALIDATION"
    assert [(one.field, one.code) for one in told.violations] == [("dataset_urn", "NOT_REGISTERED")]


@pytest.mark.parametrize(
    "at", [{"seconds": 2**63 - 1}, {"seconds": -(2**63)}, {"nanos": -1}, {"nanos": 1_000_000_000}]
)
def test_moments_that_cannot_be_are_violations(store: Served, at: dict[str, int]) -> None:
    store.api.registered()
    request = update(0)
    request.state.window_end.Clear()
    for name, value in at.items():
        setattr(request.state.window_end, name, value)
    told = store.ask("UpdateSignalState", request, m.UpdateSignalStateResponse)
    assert [(one.field, one.code) for one in told.violations] == [("window_end", "MALFORMED")]
    asked = m.GetSignalStateRequest(dataset_urn=ORDERS, signal_type="VOLUME")
    asked.options.as_of.CopyFrom(request.state.window_end)
    refused = store.refused("GetSignalState", asked)
    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations == {"as_of": "MALFORMED"}


def test_some_of_a_batch_fail_and_the_rest_succeeds(store: Served) -> None:
    """S0-135"""
    store.api.registered()
    updates = [
        update(0, expected_version=0),
        update(1, "NONE"),
        update(1, expected_version=7),
        update(2, expected_version=1),
        update(0, signal_type="LATENCY", dataset_urn="urn:dp:no:such:v1"),
    ]
    request = m.BatchUpdateSignalStateRequest(updates=updates)
    told = store.ask("BatchUpdateSignalState", request, m.BatchUpdateSignalStateResponse)
    assert [one.error_code for one in told.results] == [
        "",
        "VALIDATION",
        "VERSION_CONFLICT",
        "",
        "VALIDATION",
    ]
    assert [one.new_version for one in told.results] == [1, 0, 0, 2, 0]
    assert told.results[2].current_version == 1
    assert (told.success_count, told.failure_count) == (2, 3)
    assert told.position == told.results[3].position


def test_a_batch_has_a_limit_and_may_be_empty(store: Served) -> None:
    request = m.BatchUpdateSignalStateRequest(updates=[update(0)] * 501)
    refused = store.refused("BatchUpdateSignalState", request)
    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations == {"updates": "TOO_MANY"}
    empty = store.ask("BatchUpdateSignalState", b"", m.BatchUpdateSignalStateResponse)
    assert empty == m.BatchUpdateSignalStateResponse()
    many = m.BatchGetSignalStatesRequest(signals=[m.SignalKey()] * 501)
    assert store.refused("BatchGetSignalStates", many).violations["signals"] == "TOO_MANY"


def test_what_one_read_is_about_is_not_told_by_another(store: Served) -> None:
    """Messages of signals are kept and copied."""
    store.api.registered()
    store.update(0)
    assert signal(store).answer.position
    request = m.GetDatasetSignalsRequest(dataset_urn=ORDERS)
    many = store.ask("GetDatasetSignals", request, m.GetDatasetSignalsResponse)
    assert [one.HasField("answer") for one in many.signals] == [False]


def test_what_is_not_ok_is_listed_page_by_page(store: Served) -> None:
    store.api.registered()
    for number in range(5):
        store.update(0, "CRITICAL", f"CUSTOM_{number}")
    store.update(0, "WARNING", "VOLUME")
    seen: list[str] = []
    asked = m.ListSignalsRequest(page_size=2)
    while True:
        page = store.ask("ListSignals", asked, m.ListSignalsResponse)
        seen += [one.signal_type for one in page.signals]
        if not page.next_page_token:
            break
        asked.page_token = page.next_page_token
    assert seen == [*(f"CUSTOM_{number}" for number in range(5)), "VOLUME"]
    warned = store.ask(
        "ListSignals", m.ListSignalsRequest(states=["WARNING"]), m.ListSignalsResponse
    )
    assert [one.signal_type for one in warned.signals] == ["VOLUME"]
    asked.states.append("WARNING")
    asked.page_token = "c29tZXRoaW5nIGVsc2UgdGhhdCBpcyBsb25n"
    assert store.refused("ListSignals", asked).violations == {"page_token": "MALFORMED"}


def test_everything_that_is_wrong_with_a_list_is_said_at_once(store: Served) -> None:
    asked = m.ListSignalsRequest(
        states=["OK", "GOOD"],
        tier="TIER_9",
        owner_team="x" * 101,
        page_size=101,
        page_token="x",
        options=options(strong=True, min_position="x"),
    )
    assert store.refused("ListSignals", asked).violations == {
        "min_position": "MALFORMED",
        "strong": "UNSUPPORTED",
        "states": "UNSUPPORTED",
        "tier": "UNKNOWN_VALUE",
        "owner_team": "TOO_LONG",
        "page_size": "OUT_OF_RANGE",
        "page_token": "MALFORMED",
    }


def test_history_within_a_span(store: Served) -> None:
    store.api.registered()
    for window in range(4):
        store.update(window)
    asked = m.GetSignalHistoryRequest(
        dataset_urn=ORDERS,
        signal_type="VOLUME",
        to=timestamp(NOON + timedelta(minutes=15)),
        page_size=1,
    )
    getattr(asked, "from").CopyFrom(timestamp(NOON + timedelta(minutes=10)))
    page = store.ask("GetSignalHistory", asked, m.GetSignalHistoryResponse)
    asked.page_token = page.next_page_token
    rest = store.ask("GetSignalHistory", asked, m.GetSignalHistoryResponse)
    ends = [one.evaluation.window_end for one in (*page.evaluations, *rest.evaluations)]
    assert ends == [timestamp(NOON + timedelta(minutes=minutes)) for minutes in (10, 15)]

    backwards = m.GetSignalHistoryRequest(dataset_urn=ORDERS, signal_type="VOLUME", to=asked.to)
    getattr(backwards, "from").CopyFrom(timestamp(NOON + timedelta(minutes=16)))
    refused = store.refused("GetSignalHistory", backwards)
    assert refused.violations == {"from": "INCONSISTENT"}


def test_all_signals_of_a_dataset(store: Served) -> None:
    store.api.registered()
    store.update(0, signal_type="VOLUME")
    store.update(0, signal_type="FRESHNESS")
    asked = m.GetDatasetSignalsRequest(dataset_urn=ORDERS)
    told = store.ask("GetDatasetSignals", asked, m.GetDatasetSignalsResponse)
    assert [one.signal_type for one in told.signals] == ["FRESHNESS", "VOLUME"]
    nowhere = m.GetDatasetSignalsRequest(dataset_urn="urn:dp:no:such:v1")
    assert store.refused("GetDatasetSignals", nowhere).code is grpc.StatusCode.NOT_FOUND


def test_positions_that_this_log_never_had(store: Served) -> None:
    store.api.registered()
    asked = m.GetSignalStateRequest(
        dataset_urn=ORDERS, signal_type="VOLUME", options=options(min_position="MS4wLjk5OTk")
    )
    assert store.refused("GetSignalState", asked).violations == {
        "min_position": "POSITION_BEYOND_END"
    }


def test_a_moment_that_has_not_come(store: Served) -> None:
    asked = m.GetSignalStateRequest(
        dataset_urn=ORDERS,
        signal_type="VOLUME",
        options=options(as_of=NOW + timedelta(days=1)),
    )
    refused = store.refused("GetSignalState", asked)
    assert (refused.code, refused.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "AS_OF_IN_FUTURE")

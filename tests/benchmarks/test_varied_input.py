"""What benchmarks send is valid, varies as producers vary it, and is the same in every run."""

from collections import Counter
from datetime import UTC, datetime

from benchmarks.load.evidence_items import BATCH, FAILING, EvidenceBatches
from benchmarks.load.reports import BREACH_EVERY, dataset_urn, report
from benchmarks.measuring import varied
from domain.dataset.settings_validation import DatasetReport
from domain.ids import SIGNAL_TYPES
from domain.signal.report import SignalReport
from entrypoints.grpc.evidence import requests as evidence_requests
from entrypoints.grpc.messages.evidence_pb2 import BatchPutEvidenceRequest, Evidence

NOW = datetime(2026, 11, 1, tzinfo=UTC)
NANOSECONDS = int(NOW.timestamp()) * 10**9
DATASETS, WINDOWS = 200, 40
SETTINGS = 3_000


def reports() -> list[SignalReport]:
    return [
        report(dataset_urn(number), SIGNAL_TYPES[number % len(SIGNAL_TYPES)], window)
        for number in range(DATASETS)
        for window in range(WINDOWS)
    ]


def test_reports_break_no_rule() -> None:
    for one in reports():
        one.parse(at=NOW)


def test_reports_are_the_same_whenever_they_are_made() -> None:
    assert reports() == reports()
    # Not only in one process: this is what was made when the test was written.
    assert dataset_urn(7) == "urn:dp:payments:session-by-region-7:v11"
    assert report(dataset_urn(7), "FRESHNESS", 9).failure_signature == "NULL_RATE:utm_source"


def test_reports_differ() -> None:
    every = reports()
    assert len({one.score for one in every}) > len(every) / 3
    assert (
        len({(one.evidence_count, one.pass_count, one.fail_count) for one in every})
        > len(every) / 3
    )
    assert len({one.window_type for one in every}) > 3
    assert len({(one.producer_id, one.producer_version, one.confidence) for one in every}) > 200
    assert len({one.failure_signature for one in every}) > 150
    assert len({len(one.dataset_urn) for one in every}) > 20
    names = [name for one in every for name in one.evidence_sample]
    assert len(set(names)) == len(names) > 1_000


def test_windows_of_a_signal_come_in_order_and_every_tenth_is_in_breach() -> None:
    for number in range(DATASETS):
        every = [report(dataset_urn(number), "VOLUME", window) for window in range(WINDOWS)]
        places = [one.parse(at=NOW).window for one in every]
        assert places == sorted(set(places))
        in_breach = [one.state in ("WARNING", "CRITICAL") for one in every]
        assert in_breach == [window % BREACH_EVERY == BREACH_EVERY - 1 for window in range(WINDOWS)]


def test_names_of_datasets_are_different() -> None:
    assert len({dataset_urn(number) for number in range(20_000)}) == 20_000


def test_settings_break_no_rule_and_differ() -> None:
    every = [varied.settings(number) for number in range(SETTINGS)]
    assert every == [varied.settings(number) for number in range(SETTINGS)]
    for one in every:
        DatasetReport(dataset_urn(0), one).parse(lambda _: None)
    assert len({one.display_name for one in every}) > SETTINGS / 2
    assert len({len(str(one)) for one in every}) > SETTINGS / 4


def batches(number: int) -> list[BatchPutEvidenceRequest]:
    return [
        BatchPutEvidenceRequest.FromString(one)
        for one in EvidenceBatches(lambda: NANOSECONDS).requests(number)
    ]


def test_evidence_is_encoded_as_protobuf_encodes_it() -> None:
    sent = EvidenceBatches(lambda: NANOSECONDS).requests(2)
    assert [BatchPutEvidenceRequest.FromString(one).SerializeToString() for one in sent] == sent


def test_evidence_breaks_no_rule_and_two_percent_fail() -> None:
    for batch in batches(2):
        assert len(batch.evidence) == BATCH
        assert Counter(one.validation.result for one in batch.evidence)["FAIL"] == FAILING
        assert [found for one in batch.evidence for found in violations(one)] == []


def violations(one: Evidence) -> list[object]:
    return [*evidence_requests.evidence_report(one).violations(at=NOW)]


def test_evidence_differs() -> None:
    every = [one for batch in batches(4) for one in batch.evidence]
    assert len({one.evidence_id for one in every}) == len(every)
    assert len({one.fingerprints.payload_hash for one in every}) == len(every)
    assert len({one.dataset_urn for one in every}) > 400
    assert len({one.producer.producer_id for one in every}) > 200
    assert len({one.ByteSize() for one in every}) > 150
    assert len({one.HasField("otel") for one in every}) == 2

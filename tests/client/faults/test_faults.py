"""A real server behind a connection that breaks: nothing is done twice, nothing is lost."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import pytest

from statestore_client import (
    NO_RETRIES,
    Evaluation,
    Evidence,
    Outcome,
    OutcomeUnknown,
    Retrying,
    Severity,
    SignalState,
    SignalUpdated,
    StateStore,
    Validation,
    Verdict,
    VersionConflict,
)
from tests.client.faults.proxy import Proxy, before
from tests.client.reports import NOON, ORDERS, evaluation, update
from tests.client.waiting import PATIENCE, until
from tests.entrypoints.support.server import Server, serving
from tests.support.scale import scaled

QUICK = Retrying(first_pause=0.001, longest_pause=0.05)
T = TypeVar("T")

names = itertools.count()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("client") / "var") as started:
        yield started


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    with before(server.grpc_port) as proxy:
        yield proxy


@pytest.fixture
def direct(server: Server) -> Iterator[StateStore]:
    with StateStore(f"127.0.0.1:{server.grpc_port}", token=server.token) as store:
        yield store


@pytest.fixture
def store(server: Server, proxy: Proxy) -> Iterator[StateStore]:
    """Over the connection that breaks."""
    with StateStore(proxy.address, token=server.token, retrying=QUICK, timeout=PATIENCE) as store:
        yield store


@pytest.fixture
def signal() -> str:
    """A signal of the test's own."""
    return f"CUSTOM_S{next(names)}"


@pytest.fixture(scope="module", autouse=True)
def orders(server: Server) -> None:
    dataset = {"display_name": "Orders", "tier": "TIER_1", "owner_team": "orders"}
    sent = {"dataset_urn": ORDERS, **dataset}
    assert server.ask("POST", "/api/v1/datasets", sent).status == 201


def stored(direct: StateStore, signal: str) -> list[int]:
    """The windows that were accepted, in that order."""
    starts = [one.evaluation.window_start for one in direct.signals.history(ORDERS, signal)]
    return [(start - NOON) // timedelta(minutes=5) for start in starts]


def lost(proxy: Proxy, call: Callable[[], T], is_done: Callable[[], bool]) -> T:
    """What a call returns, the first answer to which is lost after it was done."""
    proxy.losing = True
    with ThreadPoolExecutor(1) as pool:
        calling = pool.submit(call)
        until(is_done)
        proxy.losing = False
        proxy.cut()
        return calling.result(PATIENCE)


def is_stored(direct: StateStore, signal: str, count: int = 1) -> Callable[[], bool]:
    def look() -> bool:
        found = direct.signals.get_many([(ORDERS, signal)])[0]
        return found is not None and found.version >= count

    return look


def test_an_update_whose_answer_is_lost_is_done_once(
    store: StateStore, direct: StateStore, proxy: Proxy, signal: str
) -> None:
    store.signals.get_many([(ORDERS, signal)])
    updated = lost(
        proxy,
        lambda: store.signals.update(ORDERS, signal, evaluation(0), expected_version=0),
        is_stored(direct, signal),
    )
    assert (updated.new_version, updated.replayed) == (1, True)
    assert stored(direct, signal) == [0]


@pytest.mark.parametrize("expected", [-1, 0])
def test_so_is_one_without_a_key(
    store: StateStore, direct: StateStore, proxy: Proxy, signal: str, expected: int
) -> None:
    store.signals.get_many([(ORDERS, signal)])
    updated = lost(
        proxy,
        lambda: store.signals.update(
            ORDERS, signal, evaluation(0), expected_version=expected, idempotency_key=None
        ),
        is_stored(direct, signal),
    )
    assert updated.new_version == 1
    assert stored(direct, signal) == [0]


def test_a_conflict_with_somebody_else_stays_one(
    store: StateStore, direct: StateStore, proxy: Proxy, signal: str
) -> None:
    """The same version was expected, something else was said: the history tells them apart."""
    store.signals.get_many([(ORDERS, signal)])
    direct.signals.update(ORDERS, signal, evaluation(0, score=0.9), expected_version=0)
    proxy.losing = True
    with ThreadPoolExecutor(1) as pool:
        calling = pool.submit(
            lambda: store.signals.update(
                ORDERS, signal, evaluation(0), expected_version=0, idempotency_key=None
            )
        )
        until(lambda: proxy.heard_while_losing > 0)
        proxy.losing = False
        proxy.cut()
        with pytest.raises(VersionConflict) as caught:
            calling.result(PATIENCE)
    assert caught.value.current_version == 1
    assert stored(direct, signal) == [0]


def test_a_batch_whose_answer_is_lost_is_done_once(
    store: StateStore, direct: StateStore, proxy: Proxy, signal: str
) -> None:
    store.signals.get_many([(ORDERS, signal)])
    updates = [update(window, expected_version=window, signal_type=signal) for window in range(20)]
    outcomes = lost(
        proxy, lambda: store.signals.update_many(updates), is_stored(direct, signal, 20)
    )
    assert versions(outcomes) == list(range(1, 21))
    assert stored(direct, signal) == list(range(20))


def test_an_incident_whose_answers_are_lost_is_opened_and_noted_once(
    store: StateStore, direct: StateStore, proxy: Proxy
) -> None:
    """Neither names a version: it is the key that tells the second try from a second request."""

    def happened() -> list[str]:
        found = [one.incident_id for one in direct.incidents.list(dataset_urn=ORDERS)]
        return [entry.event_type for name in found for entry in direct.incidents.timeline(name)]

    store.datasets.get(ORDERS)
    opened = lost(
        proxy,
        lambda: store.incidents.create(
            ORDERS,
            severity=Severity.SEV_2,
            signal_types=["VOLUME"],
            failure_signatures=["LATE_DATA:processed_at"],
        ),
        lambda: "OPENED" in happened(),
    )
    assert not opened.joined
    assert opened.answer is not None
    assert opened.answer.replayed
    store.incidents.get(opened.incident_id)
    lost(
        proxy,
        lambda: store.incidents.update(opened.incident_id, note="on it"),
        lambda: "NOTE_ADDED" in happened(),
    )
    assert happened() == ["OPENED", "NOTE_ADDED"]


def versions(outcomes: Sequence[Outcome]) -> list[int]:
    updated = [one for one in outcomes if isinstance(one, SignalUpdated)]
    assert len(updated) == len(outcomes), outcomes
    return [one.new_version for one in updated]


def test_without_retries_nobody_claims_to_know(
    server: Server, direct: StateStore, proxy: Proxy, signal: str
) -> None:
    with StateStore(proxy.address, token=server.token, retrying=NO_RETRIES) as store:
        store.signals.get_many([(ORDERS, signal)])
        with pytest.raises(OutcomeUnknown) as caught:
            lost(
                proxy,
                lambda: store.signals.update(ORDERS, signal, evaluation(0)),
                is_stored(direct, signal),
            )
    # The same key again tells, and changes nothing. (A client that tries only once may not have
    # noticed yet that its connection is broken.)
    again = direct.signals.update(
        ORDERS, signal, evaluation(0), idempotency_key=caught.value.idempotency_key
    )
    assert (again.new_version, again.replayed) == (1, True)
    assert stored(direct, signal) == [0]


@pytest.mark.parametrize("chained", [True, False], ids=["expecting versions", "expecting none"])
def test_a_stream_over_a_breaking_connection_stores_each_once_in_order(
    store: StateStore, direct: StateStore, proxy: Proxy, signal: str, chained: bool
) -> None:
    count = scaled(300, 20_000)
    futures: list[Future[Outcome]] = []
    with store.signals.stream(most_waiting=60) as stream:
        for window in range(count):
            expected = window if chained else -1
            futures.append(
                stream.send(update(window, expected_version=expected, signal_type=signal))
            )
            if window % 37 == 20:
                proxy.cut()
    told = versions([one.result(PATIENCE) for one in futures])
    assert stored(direct, signal) == list(range(count))
    if chained:
        assert told == list(range(1, count + 1))


def test_batches_over_a_breaking_connection_store_each_once_in_order(
    store: StateStore, direct: StateStore, proxy: Proxy, signal: str
) -> None:
    count = scaled(300, 20_000)
    with store.signals.batching(size=20, every=0.002, most_waiting=60) as batches:
        futures = []
        for window in range(count):
            futures.append(batches.add(update(window, expected_version=window, signal_type=signal)))
            if window % 37 == 20:
                proxy.cut()
    assert versions([one.result(PATIENCE) for one in futures]) == list(range(1, count + 1))
    assert stored(direct, signal) == list(range(count))


def test_evidence_over_a_breaking_connection_is_kept_once(
    store: StateStore, direct: StateStore, proxy: Proxy
) -> None:
    names = [f"evd-01HQXY8MNP{number:016}" for number in range(scaled(600, 20_000))]
    failed, now = Validation(Verdict.FAIL, ("G4_CONTRACT",)), datetime.now(UTC)
    with store.evidence.batching(size=20, every=0.002, most_waiting=60) as batches:
        futures = []
        for number, name in enumerate(names):
            sent = Evidence(evidence_id=name, dataset_urn=ORDERS, created_at=now, validation=failed)
            futures.append(batches.add(sent))
            if number % 97 == 50:
                proxy.cut()
    assert [one.result(PATIENCE) for one in futures] == [True] * len(names)
    kept = [one.evidence_id for one in direct.evidence.list(ORDERS, page_size=500)]
    assert sorted(kept) == names


def decided(verdict: Evaluation) -> Callable[[SignalState | None], Evaluation]:
    return lambda now: verdict


def test_many_who_decide_again_all_get_through(
    server: Server, direct: StateStore, proxy: Proxy, signal: str
) -> None:
    """S0-203: each conflict leads to a new decision on the new version, and none is lost."""
    writers, each = 4, scaled(5, 50)

    def write(writer: int) -> None:
        with StateStore(proxy.address, token=server.token, retrying=QUICK) as store:
            for number in range(each):
                verdict = evaluation(writer * each + number)
                store.signals.update_with_retry(ORDERS, signal, decided(verdict), tries=200)

    with ThreadPoolExecutor(writers) as pool:
        writing = [pool.submit(write, writer) for writer in range(writers)]
        for count in (1, 5, 9, 13):
            until(is_stored(direct, signal, count))
            proxy.cut()
        for one in writing:
            one.result(PATIENCE)
    assert sorted(stored(direct, signal)) == list(range(writers * each))

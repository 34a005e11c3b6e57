"""Who most likely caused an incident, and why."""

from datetime import UTC, datetime, timedelta
from random import Random
from typing import TypeVar

from hypothesis import given
from hypothesis import strategies as st

from domain.root_cause.suspects import Clues, Deployed, Reason, plain, suspicion
from domain.signal.evaluation import Confidence, Producer

T = TypeVar("T")

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
ORDERS = "urn:dp:orders:order_created:v1"
SVC = Producer("orders-svc", "v3.17", Confidence.HIGH)
JOB = Producer("loader", "v1", Confidence.HIGH)


def minutes(count: float) -> timedelta:
    return timedelta(minutes=count)


def test_nobody_without_a_clue() -> None:
    found = suspicion(Clues(NOON))
    assert found.suspects == ()
    assert found.likeliest is None
    assert found.tied == ()


def test_two_that_are_as_likely_are_not_called_the_cause() -> None:
    found = suspicion(Clues(NOON, failing=[SVC, JOB]))
    assert found.likeliest is None
    assert [one.producer_id for one in found.tied] == ["loader", "orders-svc"]


def test_what_evidence_and_lineage_call_differently_is_one() -> None:
    deploy = Deployed("service:orders-svc", "9f31c2d", NOON - minutes(12))
    found = suspicion(Clues(NOON, failing=[SVC], deploys=[deploy]))
    assert len(found.suspects) == 1
    assert [one.sentence for one in found.suspects[0].reasons] == [
        "wrote 1 of 1 failing records (v3.17)",
        "deployed 9f31c2d 12 min before the breach",
    ]
    assert plain("team-a:loader") != plain("team-b:loader")


def test_records_that_name_nobody_count_too() -> None:
    (only,) = suspicion(Clues(NOON, failing=[SVC, None, None, None])).suspects
    assert (only.weight, only.reasons[0].sentence) == (
        10,
        "wrote 1 of 4 failing records (v3.17)",
    )


def test_less_confidence_weighs_less() -> None:
    unsure = Producer("orders-svc", "v3.17", Confidence.LOW)
    assert suspicion(Clues(NOON, failing=[unsure])).suspects[0].weight == 20
    assert suspicion(Clues(NOON, implicated=unsure)).suspects[0].weight == 10


def test_the_nearer_the_deploy_the_heavier() -> None:
    before = (0, 12, 59)
    deploys = [Deployed(f"job-{n}", "c", NOON - minutes(n)) for n in (*before, -3)]
    weights = {
        one.producer_id: one.weight for one in suspicion(Clues(NOON, deploys=deploys)).suspects
    }
    assert weights == {"job-0": 25, "job-12": 22, "job-59": 10, "job--3": 10}


def test_of_several_deploys_the_nearest_before_the_breach_counts() -> None:
    """What came after it may be what should mend it."""
    at = {"old": 60, "bad": 1, "back": -7, "again": -9}
    deploys = [Deployed("job", what, NOON - minutes(count)) for what, count in at.items()]
    (only,) = suspicion(Clues(NOON, deploys=deploys)).suspects
    assert [(one.weight, one.sentence) for one in only.reasons] == [
        (25, "deployed bad 1 min before the breach")
    ]
    (after,) = suspicion(Clues(NOON, deploys=deploys[2:])).suspects
    assert [one.sentence for one in after.reasons] == ["deployed back 7 min after the breach began"]


def test_a_field_that_was_dropped_twice_counts_once() -> None:
    deploys = [
        Deployed("job", f"c{count}", NOON - minutes(count), ("id",) if count % 20 else ())
        for count in (50, 40, 30, 20, -5)
    ]
    (only,) = suspicion(Clues(NOON, deploys=deploys)).suspects
    assert [(one.weight, one.sentence) for one in only.reasons] == [
        (30, "stopped writing id with c30"),
        (20, "deployed c20 20 min before the breach"),
    ]


def test_the_only_writer_and_one_of_several() -> None:
    alone = suspicion(Clues(NOON, writers=[(ORDERS, "job:a"), (ORDERS, "a")]))
    assert [(one.producer_id, one.weight) for one in alone.suspects] == [("a", 15)]
    three = suspicion(Clues(NOON, writers=[(ORDERS, f"job:{name}") for name in "abc"]))
    assert [one.weight for one in three.suspects] == [5, 5, 5]
    assert three.likeliest is None


def test_writers_that_were_not_all_counted() -> None:
    writers = [(ORDERS, f"job:{number}") for number in range(20)]
    found = suspicion(Clues(NOON, writers=writers, uncounted=[ORDERS]))
    assert {one.reasons for one in found.suspects} == {
        (Reason(1, f"is one of more than 20 declared to write {ORDERS}"),)
    }


def test_versions_that_differ_are_not_told_as_one() -> None:
    older = Producer("orders-svc", "v3.16", Confidence.HIGH)
    (only,) = suspicion(Clues(NOON, failing=[SVC, older])).suspects
    assert only.version is None
    assert only.reasons[0].sentence == "wrote 2 of 2 failing records (v3.16, v3.17)"


names = st.sampled_from(["a", "job:a", "b", "service:b", "c"])
producers = st.builds(
    Producer,
    names,
    st.sampled_from([None, "v1", "v2"]),
    st.sampled_from([None, *Confidence]),
)
deploys = st.builds(
    Deployed,
    names,
    st.sampled_from(["c1", "c2"]),
    st.integers(-30, 60).map(lambda count: NOON - minutes(count)),
    st.sampled_from([(), ("id",), ("id", "amount")]),
)


@given(
    st.lists(producers | st.none(), max_size=8),
    st.lists(st.tuples(st.sampled_from(["VOLUME", "SCHEMA"]), producers), max_size=4),
    st.lists(deploys, max_size=5),
    st.lists(st.tuples(st.sampled_from(["x", "y"]), names), max_size=5),
    st.none() | producers,
    st.randoms(use_true_random=False),
)
def test_no_order_matters(
    failing: list[Producer | None],
    named: list[tuple[str, Producer]],
    deployed: list[Deployed],
    writers: list[tuple[str, str]],
    implicated: Producer | None,
    dice: Random,
) -> None:
    def shuffled(items: list[T]) -> list[T]:
        return dice.sample(items, len(items))

    found = suspicion(Clues(NOON, failing, named, deployed, implicated, writers))
    again = suspicion(
        Clues(
            NOON,
            shuffled(failing),
            shuffled(named),
            shuffled(deployed),
            implicated,
            shuffled(writers),
        )
    )
    assert found == again
    weights = [one.weight for one in found.suspects]
    assert weights == sorted(weights, reverse=True)
    assert all(sum(r.weight for r in one.reasons) == one.weight > 0 for one in found.suspects)


def test_whoever_has_the_heavier_clues_is_the_likeliest() -> None:
    found = suspicion(Clues(NOON, failing=[JOB, SVC, SVC]))
    assert [one.producer_id for one in found.suspects] == ["orders-svc", "loader"]
    assert found.likeliest == found.suspects[0]

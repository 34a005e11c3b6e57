"""What a producer declares, whatever the order of its specs (S0-244..S0-246)."""

import itertools
from collections.abc import Sequence
from datetime import timedelta
from functools import reduce

from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.ids import EntityId, Place, SpecId, column_urn
from domain.lineage.lineage import (
    Declared,
    Entity,
    EntityType,
    Entries,
    Lineage,
    LineageSpecOutcome,
    Role,
    Spec,
    Tie,
)
from domain.signal.evaluation import Confidence
from tests.domain.lineage.specs import INVOICES, NOON, ORDERS, REVENUE, entity, entry, spec, specs

HOUR = timedelta(hours=1)
FIRST = spec(writes=[(ORDERS, "job:a")], reads=[(INVOICES, "job:a")])
SECOND = spec(writes=[(REVENUE, "job:a")], reads=[(INVOICES, "job:a")], at=NOON + HOUR)


def told(*facts: Declared) -> Lineage:
    return reduce(Lineage.after, facts, Lineage())


def after_all(declared: Sequence[Spec]) -> Lineage:
    lineage = Lineage()
    for one in declared:
        lineage = reduce(Lineage.after, lineage.declare(one), lineage)
    return lineage


def test_the_first_spec_withdraws_nothing() -> None:
    assert Lineage().declare(FIRST) == [Declared(FIRST, Entries())]


def test_a_newer_spec_withdraws_what_it_no_longer_says() -> None:
    withdrawn = Entries(dataset_writes=(entry(ORDERS, "job:a"),))
    assert told(Declared(FIRST)).declare(SECOND) == [Declared(SECOND, withdrawn)]


def test_the_same_spec_again_records_nothing() -> None:
    lineage = told(Declared(FIRST))
    assert lineage.outcome(FIRST) is LineageSpecOutcome.UNCHANGED
    assert lineage.declare(FIRST) == []


def test_an_older_spec_that_comes_late_records_nothing() -> None:
    lineage = told(Declared(SECOND))
    assert lineage.outcome(FIRST) is LineageSpecOutcome.SUPERSEDED
    assert lineage.declare(FIRST) == []


def test_the_same_content_at_a_later_time_holds_longer() -> None:
    later = evolve(FIRST, updated_at=NOON + HOUR)
    assert told(Declared(FIRST)).declare(later) == [Declared(later, Entries())]
    assert later.ends_at == FIRST.ends_at + HOUR


def test_a_spec_that_says_nothing_withdraws_everything() -> None:
    empty = spec(at=NOON + HOUR)
    assert told(Declared(FIRST)).declare(empty) == [Declared(empty, FIRST.entries)]


def test_of_two_specs_of_one_moment_the_greater_commit_counts() -> None:
    one, other = spec(commit="aaaaaaa"), spec(commit="bbbbbbb")
    assert after_all([one, other]).spec == after_all([other, one]).spec == other


def test_another_source_is_still_the_same_producer() -> None:
    other = evolve(SECOND, spec_id=SpecId("lspec:job:orders-delta-landing:runtime:9f31c2d"))
    assert other.producer == FIRST.producer == "job:orders-delta-landing"
    assert told(Declared(FIRST)).outcome(other) is LineageSpecOutcome.APPLIED


def test_a_renamed_entity_is_not_withdrawn() -> None:
    renamed = evolve(entry(ORDERS, "job:a"), entity=Entity(EntityId("job:a"), "A", EntityType.JOB))
    later = evolve(FIRST, updated_at=NOON + HOUR)
    later = evolve(later, entries=evolve(FIRST.entries, dataset_writes=(renamed,)))
    assert told(Declared(FIRST)).declare(later) == [Declared(later, Entries())]


# Ties


def test_who_touches_a_column_touches_its_dataset() -> None:
    column = column_urn(ORDERS, "id")
    ties = spec(reads=[(column, "job:a")], writes=[(column, "job:b")]).entries.ties()
    assert set(ties) == {
        Tie(Role.READER, Place(column), EntityId("job:a")),
        Tie(Role.READER, Place(ORDERS), EntityId("job:a")),
        Tie(Role.WRITER, Place(column), EntityId("job:b")),
        Tie(Role.WRITER, Place(ORDERS), EntityId("job:b")),
    }


def test_what_is_said_of_the_dataset_names_the_entity() -> None:
    called = Entity(EntityId("job:a"), "as the dataset says", EntityType.SERVICE)
    entries = Entries(
        dataset_reads=(evolve(entry(ORDERS, "job:a"), entity=called),),
        column_reads=(entry(column_urn(ORDERS, "id"), "job:a"),),
    )
    ties = entries.ties()
    assert ties[Tie(Role.READER, Place(ORDERS), EntityId("job:a"))] == called
    column = Place(column_urn(ORDERS, "id"))
    assert ties[Tie(Role.READER, column, EntityId("job:a"))] == entity("job:a")


# Any order


@settings(deadline=None)
@given(st.lists(specs(), min_size=2, max_size=2))
def test_of_two_different_specs_exactly_one_counts(pair: list[Spec]) -> None:
    one, other = pair
    assert [one.is_after(other), other.is_after(one)].count(True) == (one != other)


@settings(deadline=None)
@given(st.lists(specs(), max_size=4), st.data())
def test_any_order_with_repetitions_ends_in_the_same_lineage(
    declared: list[Spec], data: st.DataObject
) -> None:
    again = data.draw(st.permutations([*declared, *declared[:2]]))
    assert after_all(again) == after_all(declared)


@settings(deadline=None)
@given(st.lists(specs(), max_size=5))
def test_what_was_withdrawn_is_what_no_longer_holds(declared: list[Spec]) -> None:
    """Folding only facts, as a read model does, gives the ties of the last spec."""
    lineage, ties = Lineage(), dict(Entries().ties())
    for one in declared:
        for fact in lineage.declare(one):
            lineage = lineage.after(fact)
            for gone in fact.withdrawn.ties():
                ties.pop(gone, None)
            ties |= fact.spec.entries.ties()
    assert ties == (lineage.spec.entries.ties() if lineage.spec else {})


def test_the_digest_tells_every_part_of_the_content_apart() -> None:
    column = [(column_urn(ORDERS, "id"), "job:a")]
    different = [
        spec(),
        spec(producer="x"),
        spec(commit="x"),
        spec(at=NOON + timedelta(milliseconds=1)),
        spec(confidence=Confidence.LOW),
        spec(ttl_seconds=86400),
        spec(reads=[(ORDERS, "job:a")]),
        spec(writes=[(ORDERS, "job:a")]),
        spec(reads=column),
        spec(writes=column),
        spec(reads=[(ORDERS, "job:b")]),
    ]
    for one, other in itertools.combinations(different, 2):
        assert one.digest() != other.digest()


def test_the_digest_is_the_same_in_every_release() -> None:
    assert FIRST.digest() == "ac9e10335c11d56351e67c3c85ab1b8b"

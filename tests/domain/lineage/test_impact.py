"""What lies downstream: the walk over neighbours that somebody fetched."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.ids import DatasetUrn, EntityId, Place, column_urn
from domain.lineage.impact import (
    MOST_ENTITIES,
    MOST_PLACES,
    AffectedDataset,
    Reading,
    Walk,
    Writing,
)
from domain.signal.evaluation import Confidence
from tests.domain.lineage.specs import entity

HIGH, MEDIUM, LOW = Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW


def ds(name: str) -> DatasetUrn:
    return DatasetUrn(f"urn:dp:d:{name}:v1")


def reading(name: str, confidence: Confidence = HIGH) -> Reading:
    return Reading(entity(name), confidence)


def walked(
    walk: Walk,
    reads: Mapping[Any, Sequence[Reading]],
    writes: Mapping[Any, Sequence[Writing]],
    depth: int = 10,
) -> Walk:
    """The walk through a graph that is all at hand."""
    for _ in range(depth):
        if not walk.frontier:
            break
        walk = walk.meet({place: reads.get(place, ()) for place in walk.frontier})
        walk = walk.follow({name: writes.get(name, ()) for name in walk.met})
    return walk


def met(walk: Walk) -> list[tuple[str, int, str]]:
    return [(one.entity.entity_id, one.distance, one.via) for one in walk.readers()]


def test_readers_and_the_readers_of_what_they_write() -> None:
    reads = {ds("a"): [reading("x")], ds("b"): [reading("y")]}
    writes = {"x": [Writing(ds("b"), HIGH)]}
    walk = walked(Walk.of(ds("a")), reads, writes)
    assert met(walk) == [("x", 1, ds("a")), ("y", 2, ds("b"))]
    assert walk.datasets() == [AffectedDataset(ds("b"), 1, EntityId("x"), HIGH, None)]
    assert not walk.truncated


def test_nobody_reads_it() -> None:
    walk = walked(Walk.of(ds("a")), {}, {})
    assert (met(walk), walk.datasets(), walk.frontier) == ([], [], [])


def test_cycles_end_and_nothing_is_downstream_of_itself() -> None:
    reads = {ds("a"): [reading("x")], ds("b"): [reading("x"), reading("y")]}
    writes = {"x": [Writing(ds("b"), HIGH)], "y": [Writing(ds("a"), HIGH), Writing(ds("b"), HIGH)]}
    walk = walked(Walk.of(ds("a")), reads, writes)
    assert met(walk) == [("x", 1, ds("a")), ("y", 2, ds("b"))]
    assert [one.dataset for one in walk.datasets()] == [ds("b")]


def test_the_depth_bounds_the_walk_and_shows() -> None:
    reads = {ds(f"n{n}"): [reading(f"r{n}")] for n in range(9)}
    writes = {f"r{n}": [Writing(ds(f"n{n + 1}"), HIGH)] for n in range(9)}
    walk = walked(Walk.of(ds("n0")), reads, writes, depth=3)
    assert [distance for _, distance, _ in met(walk)] == [1, 2, 3]
    assert walk.frontier == [Place(ds("n3"))]


def test_the_shortest_then_the_surest_way_counts() -> None:
    reads = {
        ds("a"): [reading("x", MEDIUM), reading("y", HIGH)],
        ds("b"): [reading("z")],
        ds("c"): [reading("z")],
        ds("d"): [reading("z")],
    }
    writes = {
        "x": [Writing(ds("b"), HIGH), Writing(ds("d"), HIGH)],
        "y": [Writing(ds("c"), HIGH), Writing(ds("d"), LOW)],
    }
    walk = walked(Walk.of(ds("a")), reads, writes)
    assert (walk.entities[EntityId("z")].via, walk.entities[EntityId("z")].confidence) == (
        Place(ds("c")),
        HIGH,
    )
    through = {one.dataset: (one.through, one.confidence) for one in walk.datasets()}
    assert through == {ds("b"): ("x", MEDIUM), ds("c"): ("y", HIGH), ds("d"): ("x", MEDIUM)}


def test_a_way_is_as_sure_as_its_least_sure_step() -> None:
    reads = {ds("a"): [reading("x", MEDIUM)], ds("b"): [reading("y")], ds("c"): [reading("z")]}
    writes = {"x": [Writing(ds("b"), HIGH)], "y": [Writing(ds("c"), LOW)]}
    walk = walked(Walk.of(ds("a")), reads, writes)
    assert [one.confidence for one in walk.readers()] == [MEDIUM, MEDIUM, LOW]


# By column


def test_by_column_only_its_readers_and_the_columns_they_write() -> None:
    c, p, q = column_urn(ds("a"), "c"), column_urn(ds("b"), "p"), column_urn(ds("b"), "q")
    reads = {
        c: [reading("x")],
        ds("a"): [reading("x"), reading("other")],
        p: [reading("y")],
        q: [reading("z")],
        ds("b"): [reading("y"), reading("z"), reading("whole")],
    }
    writes = {"x": [Writing(ds("b"), HIGH, ("p",))]}
    walk = walked(Walk.of(ds("a"), "c"), reads, writes)
    assert met(walk) == [("x", 1, c), ("y", 2, p)]
    assert [(one.dataset, one.columns) for one in walk.datasets()] == [(ds("b"), ("p",))]


def test_by_column_a_dataset_without_declared_columns_is_affected_as_a_whole() -> None:
    c = column_urn(ds("a"), "c")
    reads = {c: [reading("x")], ds("b"): [reading("y")]}
    walk = walked(Walk.of(ds("a"), "c"), reads, {"x": [Writing(ds("b"), HIGH)]})
    assert met(walk) == [("x", 1, c), ("y", 2, ds("b"))]
    assert [(one.dataset, one.columns) for one in walk.datasets()] == [(ds("b"), None)]


def test_a_dataset_with_some_columns_and_as_a_whole_is_affected_as_a_whole() -> None:
    c = column_urn(ds("a"), "c")
    writes = {"x": [Writing(ds("b"), HIGH, ("q", "p"))], "y": [Writing(ds("b"), HIGH)]}
    only_columns = walked(Walk.of(ds("a"), "c"), {c: [reading("x")]}, writes)
    assert [one.columns for one in only_columns.datasets()] == [("p", "q")]
    both = walked(Walk.of(ds("a"), "c"), {c: [reading("x"), reading("y")]}, writes)
    assert [(one.dataset, one.columns) for one in both.datasets()] == [(ds("b"), None)]


def test_by_column_the_dataset_itself_may_lie_downstream() -> None:
    c, d = column_urn(ds("a"), "c"), column_urn(ds("a"), "d")
    reads = {c: [reading("x")], d: [reading("y")]}
    walk = walked(Walk.of(ds("a"), "c"), reads, {"x": [Writing(ds("a"), HIGH, ("c", "d"))]})
    assert met(walk) == [("x", 1, c), ("y", 2, d)]
    assert [(one.dataset, one.columns) for one in walk.datasets()] == [(ds("a"), ("d",))]


def test_by_dataset_columns_do_not_matter() -> None:
    reads = {ds("a"): [reading("x")], ds("b"): [reading("y")]}
    walk = walked(Walk.of(ds("a")), reads, {"x": [Writing(ds("b"), HIGH, ("p",))]})
    assert [name for name, _, _ in met(walk)] == ["x", "y"]
    assert [one.columns for one in walk.datasets()] == [None]


# Too much


def test_as_many_entities_as_allowed_are_not_too_many() -> None:
    walk = walked(Walk.of(ds("a")), {ds("a"): many(MOST_ENTITIES)}, {})
    assert (len(walk.entities), walk.truncated) == (MOST_ENTITIES, False)


def test_more_entities_are_left_out_in_the_order_of_their_names() -> None:
    walk = walked(Walk.of(ds("a")), {ds("a"): many(MOST_ENTITIES + 1)}, {})
    assert (len(walk.entities), walk.truncated) == (MOST_ENTITIES, True)
    assert EntityId(f"r{MOST_ENTITIES:04}") not in walk.entities


def test_more_places_are_left_out() -> None:
    def written(count: int) -> Walk:
        writes = [Writing(ds(f"n{number}"), HIGH) for number in range(count)]
        return walked(Walk.of(ds("a")), {ds("a"): [reading("x")]}, {"x": writes})

    assert (len(written(MOST_PLACES).places), written(MOST_PLACES).truncated) == (
        MOST_PLACES,
        False,
    )
    assert written(MOST_PLACES + 1).truncated
    assert len(written(MOST_PLACES + 1).places) == MOST_PLACES


def test_what_was_not_looked_at_is_said_to_the_end() -> None:
    met = Walk.of(ds("a")).meet({Place(ds("a")): [reading("x")]}, partial=True)
    assert met.follow({}).truncated
    assert Walk.of(ds("a")).meet({}).follow({}, partial=True).truncated
    assert not Walk.of(ds("a")).meet({}).follow({}).truncated


def many(count: int) -> list[Reading]:
    return [reading(f"r{number:04}") for number in range(count)]


# Any graph

names = st.sampled_from("uvwxyz")
sets = st.sampled_from("abcdef").map(ds)


@settings(deadline=None)
@given(st.sets(st.tuples(sets, names)), st.sets(st.tuples(names, sets)))
def test_any_graph_is_walked_to_all_that_can_be_reached(
    read: set[tuple[DatasetUrn, str]], written: set[tuple[str, DatasetUrn]]
) -> None:
    reads = {a: [reading(x) for b, x in sorted(read) if b == a] for a, _ in read}
    writes = {x: [Writing(b, HIGH) for y, b in sorted(written) if y == x] for x, _ in written}
    walk = walked(Walk.of(ds("a")), reads, writes, depth=99)
    assert set(walk.entities) == reachable(read, written)
    assert all(one.distance >= 1 for one in walk.readers())
    turned = walked(Walk.of(ds("a")), {k: v[::-1] for k, v in reads.items()}, writes, depth=99)
    assert (turned.readers(), turned.datasets()) == (walk.readers(), walk.datasets())


def reachable(
    read: Iterable[tuple[DatasetUrn, str]], written: Iterable[tuple[str, DatasetUrn]]
) -> set[str]:
    """The slow way: add what can be added until nothing can."""
    affected: set[str] = {ds("a")}
    size = 0
    while size < len(affected):
        size = len(affected)
        affected |= {x for a, x in read if a in affected}
        affected |= {b for x, b in written if x in affected}
    return {name for name in affected if not name.startswith("urn:")}

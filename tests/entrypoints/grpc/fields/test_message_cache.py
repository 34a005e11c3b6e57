"""What was made of a thing is kept as long as it is asked for, and never told of another."""

from itertools import count

from entrypoints.grpc.fields.message_cache import Made


class Thing:
    """Equal to every other: only identity tells them apart."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Thing)

    def __hash__(self) -> int:
        return 0


def test_the_same_thing_is_made_of_only_once() -> None:
    made: Made[Thing, object] = Made(lambda thing: object())
    thing = Thing()
    assert made.of(thing) is made.of(thing)


def test_of_an_equal_thing_another_is_made() -> None:
    made: Made[Thing, object] = Made(lambda thing: object())
    assert made.of(Thing()) is not made.of(Thing())


def test_no_other_thing_takes_the_place_of_one_that_nobody_else_holds() -> None:
    numbers = count()
    made: Made[Thing, int] = Made(lambda thing: next(numbers))
    assert [made.of(Thing()) for _ in range(100)] == list(range(100))


def test_no_more_is_kept_than_so_much() -> None:
    made: Made[Thing, object] = Made(lambda thing: object(), most=3)
    often, *others = [Thing() for _ in range(10)]
    kept = made.of(often)
    for thing in others:
        made.of(thing)
        assert len(made._made) <= 3
        assert made.of(often) is kept
    assert made.of(others[-1]) is made.of(others[-1])

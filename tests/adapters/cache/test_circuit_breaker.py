from attrs import define

from adapters.cache.circuit_breaker import Breaker


@define
class Time:
    at: float = 0.0

    def __call__(self) -> float:
        return self.at


def broken(time: Time) -> Breaker:
    breaker = Breaker(failures=2, pause=1.0, longest_pause=3.0, now=time)
    breaker.failed("gone")
    breaker.failed("gone")
    return breaker


def test_it_opens_after_failures_in_a_row() -> None:
    breaker = Breaker(failures=2, now=Time())
    breaker.failed("gone")
    breaker.succeeded()
    breaker.failed("gone")
    assert breaker.allows()
    assert breaker.trouble is None
    breaker.failed("gone")
    assert not breaker.allows()
    assert breaker.trouble == "gone"


def test_one_tries_alone_when_the_pause_is_over() -> None:
    breaker = broken(time := Time())
    time.at = 1.0
    assert breaker.allows()
    assert not breaker.allows()
    breaker.succeeded()
    assert breaker.trouble is None
    assert breaker.allows()


def test_each_failed_try_doubles_the_pause_up_to_the_longest() -> None:
    breaker = broken(time := Time())
    for pause in (1.0, 2.0, 3.0, 3.0):
        time.at += pause - 0.01
        assert not breaker.allows()
        time.at += 0.02
        assert breaker.allows()
        breaker.failed("still gone")


def test_one_who_gives_up_leaves_the_try_to_the_next() -> None:
    breaker = broken(time := Time())
    time.at = 1.0
    assert breaker.allows()
    breaker.gave_up()
    assert breaker.allows()


def test_those_who_fail_late_do_not_lengthen_the_pause() -> None:
    breaker = broken(time := Time())
    breaker.failed("was on its way")
    time.at = 1.0
    assert breaker.allows()


def test_opening_and_closing_are_told_once() -> None:
    time, told = Time(), list[str | None]()
    breaker = Breaker(failures=2, now=time, on_change=told.append)
    breaker.succeeded()
    for _ in range(5):
        breaker.failed("no connection")
    assert told == ["no connection"]
    breaker.succeeded()
    breaker.succeeded()
    assert told == ["no connection", None]

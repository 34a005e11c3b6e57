"""One application, its three interfaces, and what is compared after each step."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from attrs import define, field

from domain.timestamps import stamp
from tests.entrypoints.grpc.support.served import Served, served
from tests.scenarios.answers import (
    Done,
    How,
    Outcome,
    Question,
    Refused,
    Told,
    not_answered,
    without,
)
from tests.scenarios.client.reader import client
from tests.scenarios.driver import Driver
from tests.scenarios.graphql.calls import GraphqlCalls
from tests.scenarios.graphql.driver import GraphqlDriver
from tests.scenarios.grpc.calls import GrpcCalls
from tests.scenarios.grpc.driver import GrpcDriver
from tests.scenarios.http.driver import HttpDriver
from tests.scenarios.questions import World
from tests.support.scale import FULL

INTERFACES = ("http", "grpc", "graphql")
NOW = How()
STRONGLY = How(strong=True)
UNKNOWN_YET = ("created_at", "updated_at", "updated_by")

Step = Callable[[Driver], Outcome]
State = Mapping[Question, Told]


@define
class Scene:
    served: Served
    drivers: Mapping[str, Driver]
    through: str
    """The interface that steps are taken through."""
    strides: int = 1
    """In which the past is looked back at: each step, or some."""
    world: World = field(factory=World)
    past: dict[str, State] = field(factory=dict)
    """What could be seen at the moments of earlier steps."""

    def done(self, step: Step, changes: Question | None = None) -> Told:
        """What the step is answered with: what it changes. Everybody sees the same afterwards."""
        self.served.api.clock.at += timedelta(minutes=1)
        driver = self.drivers[self.through]
        outcome = step(driver)
        assert isinstance(outcome, Done), outcome
        state = self.seen(How(min_position=outcome.position))
        if changes is not None:
            whole = state[changes]
            told = _as_known(outcome.told, whole)
            assert told in (whole, driver.as_far_as_told(changes, whole)), changes
        self._remember(state)
        if FULL:
            self.look_back()
        return outcome.told

    def tried(self, step: Step) -> None:
        """Whatever comes of the step: everybody sees the same, or says the same against it."""
        self.served.api.clock.at += timedelta(minutes=1)
        outcome = step(self.drivers[self.through])
        if isinstance(outcome, Refused):
            self.refused(outcome.code, step)
        else:
            self._remember(self.seen(How(min_position=outcome.position)))

    def refused(self, code: str, step: Step) -> Refused:
        """Whichever interface is asked, the same is said against it, and nothing happens."""
        before = self.served.head()
        told = {name: step(driver) for name, driver in self.drivers.items()}
        assert self.served.head() == before
        assert told == dict.fromkeys(told, told["http"])
        refused = told["http"]
        assert isinstance(refused, Refused), refused
        assert refused.code == code
        return refused

    def not_told(self, code: str, question: Question, how: How = NOW) -> None:
        """Whichever interface is asked, the answer is the same refusal."""
        asked = [driver for driver in self.drivers.values() if driver.answers(question)]
        told = [driver.ask(question, how) for driver in asked]
        assert told == [not_answered(code)] * len(asked)

    def seen(self, how: How) -> State:
        """All that can be seen, which must be the same through every interface."""
        http = self.drivers["http"]
        state = {question: http.ask(question, how) for question in self.world.questions()}
        for name, driver in self.drivers.items():
            for question, told in state.items():
                if driver is not http and driver.answers(question):
                    expected = driver.as_far_as_told(question, told)
                    assert driver.ask(question, how) == expected, (name, question, how)
        return state

    def is_told_from_the_log(self) -> None:
        """What is folded from the log right now is what could be seen last."""
        *_, last = self.past.values()
        now = {question: self._strongly(question) for question in last}
        assert now == last

    def is_told_by_the_client(self) -> None:
        """The typed client leaves out nothing of what could be seen last."""
        *_, last = self.past.values()
        with client(self.served) as reader:
            for question, told in last.items():
                assert reader.ask(question) == told, question

    def _strongly(self, question: Question) -> Told:
        http, grpc = (self.drivers[name].ask(question, STRONGLY) for name in ("http", "grpc"))
        assert http == grpc, question
        return http

    def _remember(self, state: State) -> None:
        self.past[stamp(self.served.api.clock.at)] = state

    def look_back(self) -> None:
        """As of the moment of each earlier step everybody sees what could be seen then."""
        for moment, state in list(self.past.items())[:: self.strides]:
            now = self.seen(How(as_of=moment))
            for question, told in state.items():
                assert now[question] == told, (question, moment)


def _as_known(told: Told, whole: Told) -> Told:
    """Who changed a dataset, and when, may not be known at once. What was joined is told once."""
    known = {name: told[name] or whole[name] for name in UNKNOWN_YET if name in told}
    return {**without(told, "joined"), **known}


@contextmanager
def scene(engine: str, folder: Path, through: str) -> Iterator[Scene]:
    with served(engine, folder=folder) as one:
        http = HttpDriver(one.api)
        drivers: dict[str, Driver] = {
            "http": http,
            "grpc": GrpcDriver(GrpcCalls(one)),
            "graphql": GraphqlDriver(GraphqlCalls(one.api), http),
        }
        strides = 1 if FULL or engine == "memory" else 3
        yield Scene(one, drivers, through, strides)

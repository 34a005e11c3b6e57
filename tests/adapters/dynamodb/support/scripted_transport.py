"""A transport that answers from a script, and time that passes only when it is slept."""

from collections.abc import Mapping
from random import Random
from typing import Any

import orjson
from attrs import define, field

from adapters.dynamodb.retry.retry_policy import Patience, RetryBudget
from adapters.dynamodb.retry.retrying import Retrying
from adapters.dynamodb.transport.transport import Operation, Transport

Outcome = Exception | Mapping[str, Any]


@define
class Time:
    at: float = 1_000.0
    pauses: list[float] = field(factory=list)

    def now(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.at += seconds


@define
class Scripted:
    """Gives the outcomes in turn, and the last one ever after. Notes what it was sent."""

    outcomes: list[Outcome]
    time: Time = field(factory=Time)
    takes: float = 0.01
    sent: list[bytes] = field(factory=list)
    deadlines: list[float | None] = field(factory=list)
    closed: bool = False

    async def call(
        self, operation: Operation, request: Mapping[str, Any], *, deadline: float | None = None
    ) -> dict[str, Any]:
        self.sent.append(orjson.dumps(request))
        self.deadlines.append(deadline)
        self.time.at += self.takes
        outcome = self.outcomes[min(len(self.sent), len(self.outcomes)) - 1]
        if isinstance(outcome, Exception):
            raise outcome
        return dict(outcome)

    async def close(self) -> None:
        self.closed = True


@define
class Refreshes:
    """Fresh credentials, counted; or none at all."""

    fails: Exception | None = None
    count: int = 0

    async def __call__(self) -> None:
        self.count += 1
        if self.fails is not None:
            raise self.fails


def script(*outcomes: Outcome) -> Scripted:
    return Scripted(list(outcomes))


def retrying(
    inner: Transport,
    time: Time,
    *,
    patience: Patience | None = None,
    budget: RetryBudget | None = None,
    refresh: Refreshes | None = None,
    seed: int = 1,
) -> Retrying:
    tokens = (f"token-{n}" for n in range(1_000_000))
    return Retrying(
        inner,
        refresh or Refreshes(),
        patience or Patience(),
        budget or RetryBudget(),
        Random(seed),
        now=time.now,
        sleep=time.sleep,
        token=lambda: next(tokens),
    )


def over(scripted: Scripted, **more: Any) -> Retrying:
    return retrying(scripted, scripted.time, **more)

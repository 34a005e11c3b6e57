"""One call: who makes it, and how it asks use cases and tells what an answer is about."""

from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from attrs import frozen

from application.caller import Caller
from application.position import Position
from application.reads import NOTHING, Answer, Demand, Reads
from application.violations import refuse_any
from domain.errors import Violation
from entrypoints.grpc.calls import Calls
from entrypoints.grpc.messages.common_pb2 import AnswerInfo, ReadOptions
from entrypoints.grpc.moments import moment_said, timestamp
from entrypoints.interfaces.demands import position_said, refuse_both

P = ParamSpec("P")
R = TypeVar("R")


@frozen
class Call:
    by: Caller
    """With the request key, if the method writes and one was sent."""
    reads: Reads
    calls: Calls
    """All that are on their way, which end when the server does."""

    async def ask(
        self,
        options: ReadOptions,
        use_case: Callable[P, Awaitable[R]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> tuple[R, AnswerInfo]:
        """The use case's answer, and what it is an answer about.

        Raises, besides what the use case does: Invalid for options that cannot be used, and what
        `Reads.ask` raises.
        """
        found: list[Violation] = []
        demand = demanded(options, found)
        refuse_any(found)
        answer = await self.reads.ask(demand, use_case, *args, **kwargs)
        return answer.told, answer_info(answer)


def options_found(options: ReadOptions, *, single: bool = True) -> list[Violation]:
    """What is wrong with the options, to be told together with all else.

    Only single things can be folded from the log: lists cannot be strong.
    """
    found: list[Violation] = []
    demanded(options, found)
    if options.strong and not single:
        found.append(Violation("strong", "UNSUPPORTED", "must not be asked of a list"))
    return found


def demanded(options: ReadOptions, found: list[Violation]) -> Demand:
    moment = moment_said(options, "as_of", found)
    position, strong = options.min_position, options.strong
    if moment is None and not position and not strong:
        return NOTHING
    refuse_both("strong", strong, moment, found)
    return Demand(moment, position_said("min_position", position or None, found), strong)


def answer_info(answer: Answer[R]) -> AnswerInfo:
    return AnswerInfo(
        position=Position(answer.position).token(),
        age_seconds=answer.age_seconds,
        as_of=timestamp(answer.as_of) if answer.as_of else None,
        stale=answer.stale,
    )


def written(position: int, *, replayed: bool = False) -> AnswerInfo:
    """Of a write."""
    return AnswerInfo(position=Position(position).token(), replayed=replayed)

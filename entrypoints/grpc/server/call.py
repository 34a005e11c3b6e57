"""One call: who makes it, what it demands of answers, and what an answer is about."""

from typing import Literal, Protocol, TypeVar

from attrs import frozen

from application.caller import Caller
from application.reads.demand import NOTHING, Answer, Demand
from application.reads.position import Position
from domain.errors import Violation
from entrypoints.grpc.fields.timestamps import moment_said, timestamp
from entrypoints.grpc.messages.common_pb2 import AnswerInfo, ReadOptions
from entrypoints.grpc.server.call_limits import Calls
from entrypoints.interfaces.consistency import position_said, refuse_both

R = TypeVar("R")


@frozen
class Call:
    by: Caller
    """With the request key, if the method writes and one was sent."""
    calls: Calls
    """All that are on their way, which end when the server does."""


class Asking(Protocol):
    """A request that may say how up to date the answer must be."""

    @property
    def options(self) -> ReadOptions: ...

    def HasField(self, field_name: Literal["options"]) -> bool: ...  # noqa: N802 - protobuf's name


def demanded(request: Asking, *, single: bool = True) -> tuple[Demand, list[Violation]]:
    """What the options ask for, and what is wrong with them, to be told together with all else.

    Only single things can be folded from the log: lists cannot be strong.
    """
    if not request.HasField("options"):
        return NOTHING, []
    found: list[Violation] = []
    demand = _demanded(request.options, found)
    if demand.strong and not single:
        found.append(Violation("strong", "UNSUPPORTED", "must not be asked of a list"))
    return demand, found


def _demanded(options: ReadOptions, found: list[Violation]) -> Demand:
    moment = moment_said(options, "as_of", found)
    refuse_both("strong", options.strong, moment, found)
    position = position_said("min_position", options.min_position or None, found)
    return Demand(moment, position, options.strong)


def answered(answer: Answer[R]) -> tuple[R, AnswerInfo]:
    """The value, and what it is an answer about."""
    return answer.value, answer_info(answer)


def answer_info(answer: Answer[R]) -> AnswerInfo:
    """Field by field: with all of them at once it takes three times as long."""
    info = AnswerInfo()
    info.position = Position(answer.position).token()
    if answer.age_seconds is not None:
        info.age_seconds = answer.age_seconds
    if answer.as_of is not None:
        info.as_of.CopyFrom(timestamp(answer.as_of))
    if answer.stale:
        info.stale = True
    return info


def written(position: int, *, replayed: bool = False) -> AnswerInfo:
    """Of a write."""
    return AnswerInfo(position=Position(position).token(), replayed=replayed)

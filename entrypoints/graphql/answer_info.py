"""What an answer is an answer about."""

from datetime import datetime
from typing import Any

import strawberry

from application.reads.demand import Answer
from application.reads.position import Position


@strawberry.type(description="What an answer is an answer about.")
class AnswerInfo:
    position: str = strawberry.field(
        description="All that was recorded up to here is in it; an opaque token for minPosition."
    )
    age_seconds: float | None = strawberry.field(
        description="How old what was read may be at most; null if that is not known."
    )
    as_of: datetime | None = strawberry.field(description="The moment asked about, if one was.")
    stale: bool = strawberry.field(
        description="Whether the tables did not answer and copies are shown, as old as said."
    )

    @classmethod
    def of(cls, answer: Answer[Any]) -> "AnswerInfo":
        return cls(
            position=Position(answer.position).token(),
            age_seconds=answer.age_seconds,
            as_of=answer.as_of,
            stale=answer.stale,
        )

"""Events that sinks would not take: looking at them, sending them again, dropping them."""

import re
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel, Field

from application.delivery.dead_letter_read_model import DeadLetterKey, DeadLetterView
from application.reads.position import Position
from application.violations import refuse_any
from domain.errors import NotFound, Violation
from domain.timestamps import stamp
from entrypoints.http.authentication import By
from entrypoints.http.dependencies import PageSecret, Use
from entrypoints.http.description.responses import POSITION, answers, success
from entrypoints.http.validation.names import API
from entrypoints.http.validation.paging import PageSize, PageToken
from entrypoints.http.written import written
from entrypoints.interfaces.page_tokens import Pages

router = APIRouter(prefix=API, tags=["events"])

_SINK, _EVENT = "[a-z0-9-]{1,60}", "[0-9a-f]{32}"

SinkName = Annotated[
    str, Path(json_schema_extra={"pattern": f"^{_SINK}$", "examples": ["webhook-oncall"]})
]
EventId = Annotated[str, Path(json_schema_extra={"pattern": f"^{_EVENT}$"})]
SinkFilter = Annotated[str | None, Query(description="Only this sink's.", max_length=60)]

_LETTER = "/dead-letters/{sink}/{event_id}"


class DeadLetterSummary(BaseModel):
    sink: str = Field(examples=["webhook-oncall"])
    event_id: str
    event_type: str = Field(examples=["INCIDENT_CREATED"])
    position: str = Field(description="Of the event in the log; an opaque token.")
    reason: str = Field(examples=["it answered with 400"])
    attempts: int
    dead_lettered_at: str = Field(json_schema_extra={"format": "date-time"})

    @classmethod
    def of(cls, card: DeadLetterView) -> "DeadLetterSummary":
        return cls(
            sink=card.sink,
            event_id=card.event_id,
            event_type=card.event_type,
            position=Position(card.log_position).token(),
            reason=card.reason,
            attempts=card.attempts,
            dead_lettered_at=stamp(card.at),
        )


class DeadLetterListResponse(BaseModel):
    dead_letters: list[DeadLetterSummary]
    next_page_token: str | None


class DeadLetterResponse(BaseModel):
    sink: str
    reason: str
    attempts: int
    event: dict[str, Any] = Field(description="As it would be sent now.")


class DeadLetterRemovedResponse(BaseModel):
    sink: str
    event_id: str


@router.get(
    "/dead-letters",
    operation_id="listDeadLetters",
    summary="List the events that sinks would not take",
    description="By sink; the oldest events first.",
    responses=answers(),
)
async def list_all(
    by: By,
    use: Use,
    secret: PageSecret,
    sink: SinkFilter = None,
    page_token: PageToken = None,
    page_size: PageSize = 50,
) -> DeadLetterListResponse:
    found: list[Violation] = []
    pages = Pages(secret, ("dead-letters", sink))
    request = pages.request(page_size, page_token, found)
    refuse_any(found)
    page = await use.list_dead_letters(sink, request, by=by)
    return DeadLetterListResponse(
        dead_letters=[DeadLetterSummary.of(card) for card in page.items],
        next_page_token=pages.token(page.next),
    )


@router.get(
    _LETTER,
    operation_id="getDeadLetter",
    summary="Get a dead letter with its event",
    responses=answers(404),
)
async def get(
    by: By,
    sink: SinkName,
    event_id: EventId,
    use: Use,
) -> DeadLetterResponse:
    why, event = await use.read_dead_letter(_named(sink, event_id), by=by)
    return DeadLetterResponse(
        sink=sink, reason=why.reason, attempts=why.attempts, event=event.document()
    )


@router.post(
    f"{_LETTER}/resend",
    operation_id="resendDeadLetter",
    summary="Send the event again, now",
    description="It arrives after whatever was sent since. Once it is taken, the letter is gone.",
    responses=answers(404, 502) | success(POSITION),
)
async def resend(
    response: Response,
    by: By,
    sink: SinkName,
    event_id: EventId,
    use: Use,
) -> DeadLetterRemovedResponse:
    written(response, await use.resend_dead_letter(_named(sink, event_id), by=by))
    return DeadLetterRemovedResponse(sink=sink, event_id=event_id)


@router.delete(
    _LETTER,
    operation_id="dropDeadLetter",
    summary="Forget about the event",
    responses=answers(404) | success(POSITION),
)
async def drop(
    response: Response,
    by: By,
    sink: SinkName,
    event_id: EventId,
    use: Use,
) -> DeadLetterRemovedResponse:
    written(response, await use.drop_dead_letter(_named(sink, event_id), by=by))
    return DeadLetterRemovedResponse(sink=sink, event_id=event_id)


def _named(sink: str, event_id: str) -> DeadLetterKey:
    if not re.fullmatch(f"{_SINK}/{_EVENT}", f"{sink}/{event_id}"):
        raise NotFound("dead letter", f"{sink}/{event_id}")
    return DeadLetterKey(sink, event_id)

"""The root-cause context of an incident, in JSON (S0-250)."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import BaseModel, Field

from application.root_cause.context import Cause, Context
from application.root_cause.part import Part
from application.root_cause.writers_and_readers import Tied
from domain.timestamps import stamp
from entrypoints.http.evidence.responses import Evidence
from entrypoints.http.incidents.context_part_responses import (
    BlastRadiusPart,
    ConfigChange,
    ConfigChangesPart,
    ContextPart,
    DatasetEntities,
    Deploy,
    DeploysPart,
    EvidencePart,
    LineagePart,
    RelatedIncidentsPart,
    SignalHistoryExcerpt,
    SignalsPart,
    read_from,
)
from entrypoints.http.incidents.responses import Incident
from entrypoints.http.validation.timestamps import Stamp
from entrypoints.http.views import ViewResponse
from entrypoints.interfaces.context_verdicts import MOST_SUSPECTS, missing_parts, verdict

T = TypeVar("T")
A = TypeVar("A", bound=ContextPart)


class SuspicionReason(ViewResponse):
    weight: int
    sentence: str = Field(examples=["wrote 3 of 3 failing records (v3.17)"])


class Suspect(ViewResponse):
    producer_id: str
    version: str | None = Field(description="Where all that is known of it names one.")
    weight: int = Field(description="The sum of those of the reasons.")
    reasons: list[SuspicionReason] = Field(description="The heaviest first.")


class LikelyCause(BaseModel):
    """Who most likely caused it. No proof: read the reasons."""

    verdict: str
    producer_id: str | None = Field(
        description="Null if nothing points to anybody, or to two as much."
    )
    suspects: list[Suspect] = Field(description="The likeliest first, at most 10.")
    without: list[str] = Field(description="Parts that would have had a say, and are missing.")

    @classmethod
    def of(cls, cause: Cause) -> "LikelyCause":
        likeliest = cause.suspicion.likeliest
        return cls(
            verdict=verdict(cause),
            producer_id=likeliest.producer_id if likeliest else None,
            suspects=[
                Suspect.model_validate(one) for one in cause.suspicion.suspects[:MOST_SUSPECTS]
            ],
            without=list(cause.without),
        )


class MissingPart(BaseModel):
    part: str
    code: str = Field(
        description="`TIMED_OUT`, or the code of the problem.", examples=["TIMED_OUT"]
    )
    reason: str


class BreachPart(ContextPart):
    start: Stamp = Field(description="Where the first window in breach began.")
    signals_in_breach: int = Field(
        description="Of the incident's; with none, the breach starts when the incident opened. "
        "What began after it was resolved is not its own."
    )


class IncidentContextResponse(BaseModel):
    """All there is about an incident. A part that is null, or not whole, is named in `missing`."""

    incident_id: str
    complete: bool = Field(description="Whether no part is missing.")
    missing: list[MissingPart]
    likely_cause: LikelyCause
    incident: Incident
    opened_at: Stamp = Field(description="When it was recorded that the incident opened.")
    breach: BreachPart | None
    evidence: EvidencePart | None
    writers: LineagePart | None
    readers: LineagePart | None
    blast_radius_at_opening: BlastRadiusPart | None = Field(description="When the incident opened.")
    blast_radius_current: BlastRadiusPart | None
    signals: SignalsPart | None = Field(
        description="The signals' evaluations from an hour before the breach on."
    )
    config_changes: ConfigChangesPart | None = Field(
        description="From an hour before the breach until the incident opened, and until an hour "
        "after the breach at most."
    )
    deploys: DeploysPart | None = Field(
        description="Lineage specs of those who write the data or did in that time, made in it."
    )
    related: RelatedIncidentsPart | None = Field(
        description="Other incidents that are not resolved."
    )

    @classmethod
    def of(cls, context: Context) -> "IncidentContextResponse":
        parts, card = context.parts, context.incident
        missing = [
            MissingPart(part=one.part, code=one.code, reason=one.reason)
            for one in missing_parts(context)
        ]
        return cls(
            incident_id=card.incident,
            complete=context.complete,
            missing=missing,
            likely_cause=LikelyCause.of(context.cause),
            incident=Incident.model_validate(card),
            opened_at=stamp(context.opened),
            breach=_shown(
                parts.breach,
                lambda one: BreachPart(
                    **read_from(parts.breach),
                    start=stamp(one.start),
                    signals_in_breach=len(one.signals),
                ),
            ),
            evidence=_shown(
                parts.evidence,
                lambda one: EvidencePart(
                    **read_from(parts.evidence),
                    evidence=[Evidence.of(shown) for shown in one.found],
                    missing_ids=list(one.missing),
                    unavailable_ids=list(one.unread),
                ),
            ),
            writers=_shown(parts.writers, lambda one: _ties(parts.writers, one)),
            readers=_shown(parts.readers, lambda one: _ties(parts.readers, one)),
            blast_radius_at_opening=_shown(
                parts.blast_radius_at_opening,
                lambda one: BlastRadiusPart.of(parts.blast_radius_at_opening, one),
            ),
            blast_radius_current=_shown(
                parts.blast_radius_current,
                lambda one: BlastRadiusPart.of(parts.blast_radius_current, one),
            ),
            signals=_shown(
                parts.signals,
                lambda one: SignalsPart(
                    **read_from(parts.signals),
                    signals=[SignalHistoryExcerpt.model_validate(each) for each in one],
                ),
            ),
            config_changes=_shown(
                parts.config_changes,
                lambda one: ConfigChangesPart(
                    **read_from(parts.config_changes),
                    changes=[ConfigChange.model_validate(each) for each in one.changes],
                    more=one.more,
                ),
            ),
            deploys=_shown(
                parts.deploys,
                lambda one: DeploysPart(
                    **read_from(parts.deploys),
                    deploys=[Deploy.model_validate(each) for each in one.deploys],
                    more=one.more,
                ),
            ),
            related=_shown(parts.related, lambda one: RelatedIncidentsPart.of(parts.related, one)),
        )


def _shown(part: Part[T], show: Callable[[T], A]) -> A | None:
    return None if part.told is None else show(part.told)


def _ties(part: Part[Sequence[Tied]], tied: Sequence[Tied]) -> LineagePart:
    return LineagePart(
        **read_from(part), datasets=[DatasetEntities.model_validate(one) for one in tied]
    )

"""What the parts of a context say about who caused the incident."""

from collections.abc import Iterator, Sequence

from application.ports.incident_board import IncidentCard
from application.root_cause.breach import Breach
from application.root_cause.deploys import Deploy
from application.root_cause.evidence import EvidenceSample
from application.root_cause.signal_histories import SignalCourse
from application.root_cause.ties import Tied
from domain.blast_radius import field_of
from domain.evaluation import IN_BREACH, Producer
from domain.evidence import Verdict
from domain.ids import ColumnUrn, column_parts, is_column
from domain.suspicion import Deployed


def failing_producers(sample: EvidenceSample) -> Sequence[Producer | None]:
    return [one.evidence.producer for one in sample.found if one.evidence.verdict is Verdict.FAIL]


def named_producers(courses: Sequence[SignalCourse]) -> Iterator[tuple[str, Producer]]:
    """Whom each signal names in its last window in breach that names somebody."""
    for course in courses:
        named = [
            past.evaluation
            for past in course.evaluations
            if past.evaluation.state in IN_BREACH and past.evaluation.top_producer
        ]
        latest = max(named, key=lambda one: (one.window_end, one.evaluated_at), default=None)
        if latest is not None and latest.top_producer is not None:
            signal = course.signal
            yield f"{signal.signal_type} of {signal.dataset}", latest.top_producer


def deployed(
    incident: IncidentCard, deploys: Sequence[Deploy], breach: Breach
) -> Iterator[Deployed]:
    """By lineage, and by whoever opened the incident: not every deploy declares lineage."""
    for one in deploys:
        yield Deployed(one.producer, one.commit, one.at, tuple(_dropped(incident, one)))
    known = incident.implicated
    if known and known.deployed_at and breach.since <= known.deployed_at <= breach.until:
        who = known.producer
        yield Deployed(who.producer_id, who.version or "something", known.deployed_at)


def _dropped(incident: IncidentCard, deploy: Deploy) -> Iterator[str]:
    """Of what the deploy stopped writing, what the incident is about."""
    failing = {
        (concern.dataset, field_of(signature))
        for concern in incident.concerns
        for signature in concern.signatures
    }
    for place in deploy.stopped_writing:
        if not is_column(place):
            yield str(place)
        elif column_parts(ColumnUrn(place)) in failing:
            yield column_parts(ColumnUrn(place))[1]


def writers_named(writers: Sequence[Tied]) -> Iterator[tuple[str, str]]:
    for tied in writers:
        for entry in tied.entries:
            yield tied.dataset, entry.entity.entity_id

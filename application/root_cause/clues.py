"""What the parts of a context say about who caused the incident."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime

from application.incidents.read_model import IncidentView
from application.root_cause.breach import Breach
from application.root_cause.deploys import Deploy
from application.root_cause.evidence_sample import EvidenceSample
from application.root_cause.signal_histories import SignalCourse
from application.root_cause.writers_and_readers import Tied
from domain.evidence.evidence import Verdict
from domain.ids import ColumnUrn, Place, ProducerId, column_parts, is_column
from domain.lineage.blast_radius import field_of
from domain.root_cause.suspects import Deployed
from domain.signal.evaluation import IN_BREACH, Evaluation, Producer, SignalStateEnum


def failing_producers(sample: EvidenceSample) -> Sequence[Producer | None]:
    return [one.evidence.producer for one in sample.found if one.evidence.verdict is Verdict.FAIL]


def named_producers(courses: Sequence[SignalCourse]) -> Iterator[tuple[str, Producer]]:
    """Whom each signal in breach names in its last window in breach that names somebody."""
    for course in courses:
        latest = max(_naming(course), key=_place, default=None)
        if latest is not None and latest.top_producer is not None:
            signal = course.signal
            yield f"{signal.signal_type} of {signal.dataset}", latest.top_producer


def _naming(course: SignalCourse) -> Iterator[Evaluation]:
    """What stands of the breach and names somebody; nothing of a signal that is in none."""
    if course.breach_start is None:
        return
    standing = _standing(course)
    well = [one.window_end for one in standing if one.state is SignalStateEnum.OK]
    # Earlier windows of the same breach may have come after it was noticed.
    since = max((end for end in well if end <= course.breach_start), default=None)
    for one in standing:
        begun = since is None or one.window_end > since
        if begun and one.state in IN_BREACH and one.top_producer is not None:
            yield one


def _standing(course: SignalCourse) -> Collection[Evaluation]:
    """The verdict on each window that holds: one that was evaluated again has another."""
    latest: dict[tuple[datetime, datetime], Evaluation] = {}
    for one in sorted((past.evaluation for past in course.evaluations), key=_said):
        latest[_place(one)] = one
    return latest.values()


def _place(one: Evaluation) -> tuple[datetime, datetime]:
    return one.window_end, one.window_start


def _said(one: Evaluation) -> tuple[datetime, str]:
    return one.evaluated_at, one.digest()


def deployed(
    incident: IncidentView, deploys: Sequence[Deploy], breach: Breach
) -> Iterator[Deployed]:
    """By lineage, and by whoever opened the incident: not every deploy declares lineage."""
    again: dict[ProducerId, set[Place]] = {}
    for one in sorted(deploys, key=lambda one: one.at, reverse=True):
        dropped = set(one.stopped_writing).difference(again.get(one.producer, ()))
        yield Deployed(one.producer, one.commit, one.at, tuple(_failing(incident, dropped)))
        if one.at <= breach.start:
            # What was dropped before that, and written again in time, is no cause.
            again.setdefault(one.producer, set()).update(one.began_writing)
    known = incident.implicated
    if known and known.deployed_at and breach.since <= known.deployed_at <= breach.until:
        who = known.producer
        yield Deployed(who.producer_id, who.version or "something", known.deployed_at)


def _failing(incident: IncidentView, dropped: Iterable[Place]) -> Iterator[str]:
    """Of the columns that a deploy stopped writing, those that fail.

    Who stopped writing the whole dataset stopped writing the columns that it was declared to write.
    """
    failing = {
        (concern.dataset, field_of(signature))
        for concern in incident.concerns
        for signature in concern.signatures
    }
    for place in sorted(dropped):
        if is_column(place) and column_parts(ColumnUrn(place)) in failing:
            yield column_parts(ColumnUrn(place))[1]


def writers_named(writers: Sequence[Tied]) -> Iterator[tuple[str, str]]:
    for tied in writers:
        yield from ((tied.dataset, entity) for entity in tied.entities)

"""What callers say when they put evidence or ask for it, whichever interface they say it to."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from application.evidence.archive import EvidenceAsked
from application.evidence.queries import USUAL_SPAN
from application.violations import parts
from domain.errors import Violation
from domain.ids import DatasetUrn, EvidenceId, is_evidence_id
from domain.validation import AHEAD
from entrypoints.interfaces.names import MOST_NAMES

MOST_ITEMS = 5_000
"""In one batch that is put."""
LARGEST_PAGE = 500
USUAL_PAGE = 50
USUAL_HOURS = USUAL_SPAN // timedelta(hours=1)
EXPECTED = "must look like evd-<ulid>"
WHOLE = "evidence"
"""The field that is told of when an item could not be read at all."""


def refuse_too_many_items(count: int, found: list[Violation], field: str = "evidence") -> None:
    if count > MOST_ITEMS:
        found.append(Violation(field, "TOO_MANY", f"must be at most {MOST_ITEMS}"))


def evidence_named(name: str, found: list[Violation], field: str = "evidence_id") -> EvidenceId:
    if not is_evidence_id(name):
        found.append(Violation(field, "MALFORMED", EXPECTED))
    return EvidenceId(name)


def all_evidence_named(
    names: Sequence[str], found: list[Violation], field: str
) -> Sequence[EvidenceId]:
    """Many at once, each once; what is wrong is told by its place."""
    if len(names) > MOST_NAMES:
        found.append(Violation(field, "TOO_MANY", f"must be at most {MOST_NAMES}"))
    few = names[:MOST_NAMES]
    for number, name in enumerate(few):
        if not is_evidence_id(name):
            found.append(Violation(f"{field}[{number}]", "MALFORMED", EXPECTED))
    return list(dict.fromkeys(map(EvidenceId, few)))


def span_asked(
    dataset: DatasetUrn,
    since: datetime | None,
    until: datetime | None,
    *,
    at: datetime,
    found: list[Violation],
) -> EvidenceAsked:
    """What is at hand if nothing is said, with what clocks that are ahead have created."""
    end = until or at + AHEAD
    begin = since or (min(until, at) if until else at) - USUAL_SPAN
    if since and begin > end:
        said = "must not be later than created_before"
        found.append(Violation("created_since", "INCONSISTENT", said))
    return EvidenceAsked(dataset, begin, end)


def causes(violations: Iterable[Violation]) -> Sequence[Violation]:
    """Each field's first cause only: what is said of it later follows from that."""
    first: dict[str, Violation] = {}
    for one in violations:
        if first.keys().isdisjoint((WHOLE, *parts(one.field))):
            first[one.field] = one
    return list(first.values())

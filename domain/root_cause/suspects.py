"""
Which producer most likely caused an incident, and why.

Every clue is a sentence with a weight; a producer's weights are added up. Nothing here is a proof:
whoever reads the reasons can judge for themselves. Who is first by as much as somebody else is not
called the cause, and where there is no clue nobody is.

    40  wrote the failing records of the evidence, by its share of them
    30  stopped writing the field that fails, around the breach, however often
    25  is named by the signals in breach, by its share of them
    25  was deployed shortly before; the longer before, the less, down to 10; its nearest counts
    20  was implicated by whoever opened the incident
    15  is the only one that is declared to write the dataset

What somebody is said to have done with MEDIUM or LOW confidence weighs less.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from attrs import frozen

from domain.lineage.lineage import EntityType
from domain.root_cause.durations import beside_breach
from domain.signal.evaluation import Confidence, Producer

_CONFIDENCE = {Confidence.HIGH: 1.0, Confidence.MEDIUM: 0.75, Confidence.LOW: 0.5, None: 0.75}
_LONG_BEFORE = timedelta(hours=1)
_KINDS = frozenset(f"{kind.lower()}:" for kind in EntityType)


def plain(name: str) -> str:
    """One name for what evidence calls `orders-svc` and lineage `service:orders-svc`."""
    kind, colon, rest = name.partition(":")
    return rest if kind + colon in _KINDS else name


@frozen
class Deployed:
    producer: str
    what: str
    """The commit or version."""
    at: datetime
    dropped: tuple[str, ...] = ()
    """Of the fields that fail, those that it no longer writes."""


@frozen
class Clues:
    """What is known; a part of it may be missing."""

    breach: datetime
    failing: Sequence[Producer | None] = ()
    """Of each failing record of the evidence, who wrote it; nobody where it does not say."""
    named: Sequence[tuple[str, Producer]] = ()
    """Signals in breach, and whom they name."""
    deploys: Sequence[Deployed] = ()
    implicated: Producer | None = None
    writers: Collection[tuple[str, str]] = ()
    """Datasets, and the entities that are declared to write them."""
    uncounted: Collection[str] = ()
    """Datasets that others are declared to write, too."""


@frozen
class Reason:
    weight: int
    sentence: str


@frozen
class Suspect:
    producer_id: str
    version: str | None
    """Where all that is known of it names one."""
    weight: int
    reasons: tuple[Reason, ...]
    """The heaviest first."""


@frozen
class Suspicion:
    suspects: tuple[Suspect, ...]
    """The likeliest first."""

    @property
    def likeliest(self) -> Suspect | None:
        """Nobody if there is no clue, or if two are as likely."""
        return None if not self.suspects or self.tied else self.suspects[0]

    @property
    def tied(self) -> tuple[Suspect, ...]:
        """Those that are first together."""
        first = [one for one in self.suspects if one.weight == self.suspects[0].weight]
        return tuple(first) if len(first) > 1 else ()


def suspicion(clues: Clues) -> Suspicion:
    """Does not depend on the order of anything in the clues."""
    reasons: dict[str, set[Reason]] = {}
    for name, reason in _reasons(clues):
        reasons.setdefault(name, set()).add(reason)
    versions = _versions_of(_producers(clues))
    suspects = [_suspect(name, found, versions) for name, found in reasons.items()]
    return Suspicion(tuple(sorted(suspects, key=lambda one: (-one.weight, one.producer_id))))


def _suspect(
    name: str, reasons: Collection[Reason], versions: Mapping[str, Collection[str]]
) -> Suspect:
    ordered = tuple(sorted(reasons, key=lambda one: (-one.weight, one.sentence)))
    known = list(versions.get(name, ()))
    version = known[0] if len(known) == 1 else None
    return Suspect(name, version, sum(one.weight for one in ordered), ordered)


def _versions_of(producers: Iterable[Producer]) -> Mapping[str, Collection[str]]:
    """There may be thousands of suspects, and each clue is looked at once for all of them."""
    found: dict[str, set[str]] = {}
    for one in producers:
        if one.version is not None:
            found.setdefault(plain(one.producer_id), set()).add(one.version)
    return found


def _producers(clues: Clues) -> Iterator[Producer]:
    yield from filter(None, clues.failing)
    yield from (producer for _, producer in clues.named)
    if clues.implicated:
        yield clues.implicated


def _reasons(clues: Clues) -> Iterator[tuple[str, Reason]]:
    yield from _of_evidence(clues.failing)
    yield from _of_signals(clues.named)
    yield from _of_deploys(clues.deploys, clues.breach)
    if clues.implicated is not None:
        yield _of_opening(clues.implicated)
    yield from _of_writers(clues.writers, clues.uncounted)


def _of_evidence(failing: Sequence[Producer | None]) -> Iterator[tuple[str, Reason]]:
    for name, wrote in _by_name(list(filter(None, failing))):
        share = sum(sorted(_CONFIDENCE[one.confidence] for one in wrote)) / len(failing)
        said = f"wrote {len(wrote)} of {len(failing)} failing records{_versions(wrote)}"
        yield name, Reason(max(1, round(40 * share)), said)


def _of_signals(named: Sequence[tuple[str, Producer]]) -> Iterator[tuple[str, Reason]]:
    once = set(named)
    for name, _ in _by_name([producer for _, producer in once]):
        naming = [(one, who) for one, who in once if plain(who.producer_id) == name]
        signals = sorted({one for one, _ in naming})
        share = len(signals) / len({one for one, _ in once})
        sure = max(_CONFIDENCE[who.confidence] for _, who in naming)
        versions = _versions([who for _, who in naming])
        said = f"is the top producer of the failures of {', '.join(signals)}{versions}"
        yield name, Reason(max(1, round(25 * share * sure)), said)


def _of_deploys(deploys: Iterable[Deployed], breach: datetime) -> Iterator[tuple[str, Reason]]:
    """Of each producer the deploy nearest before the breach: what came later may be the remedy."""
    nearest, dropping = dict[str, Deployed](), dict[str, Deployed]()
    for one in sorted(deploys, key=lambda one: _order(one, breach)):
        nearest.setdefault(plain(one.producer), one)
        if one.dropped:
            dropping.setdefault(plain(one.producer), one)
    for name, one in dropping.items():
        fields = ", ".join(sorted(one.dropped))
        yield name, Reason(30, f"stopped writing {fields} with {one.what}")
    for name, one in nearest.items():
        before = breach - one.at
        said = f"deployed {one.what} {beside_breach(-before)}"
        yield name, Reason(_nearness(before), said)


def _order(deployed: Deployed, breach: datetime) -> tuple[bool, timedelta, str, Sequence[str]]:
    """The nearest before the breach first, then the nearest after it."""
    after = deployed.at > breach
    return after, abs(breach - deployed.at), deployed.what, sorted(deployed.dropped)


def _nearness(before: timedelta) -> int:
    """All of it right before the breach, less the longer before, least once it had begun."""
    if before < timedelta(0):
        return 10
    return max(10, round(25 - 15 * (before / _LONG_BEFORE)))


def _of_opening(implicated: Producer) -> tuple[str, Reason]:
    weight = round(20 * _CONFIDENCE[implicated.confidence])
    said = f"was implicated when the incident was opened{_versions([implicated])}"
    return plain(implicated.producer_id), Reason(weight, said)


def _of_writers(
    writers: Collection[tuple[str, str]], uncounted: Collection[str]
) -> Iterator[tuple[str, Reason]]:
    by_dataset: dict[str, set[str]] = {}
    for dataset, entity in writers:
        by_dataset.setdefault(dataset, set()).add(plain(entity))
    for dataset, names in by_dataset.items():
        reason = _of_one_of(len(names), dataset, more=dataset in uncounted)
        yield from ((name, reason) for name in names)


def _of_one_of(count: int, dataset: str, *, more: bool) -> Reason:
    if count == 1 and not more:
        return Reason(15, f"is the only one declared to write {dataset}")
    said = f"is one of {'more than ' if more else ''}{count} declared to write {dataset}"
    return Reason(max(1, 15 // count), said)


def _by_name(producers: Sequence[Producer]) -> Sequence[tuple[str, Sequence[Producer]]]:
    names = sorted({plain(one.producer_id) for one in producers})
    return [(name, [one for one in producers if plain(one.producer_id) == name]) for name in names]


def _versions(producers: Iterable[Producer]) -> str:
    found = sorted({one.version for one in producers if one.version})
    return f" ({', '.join(found)})" if found else ""

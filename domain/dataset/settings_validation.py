"""Settings of datasets as sent, and their validation."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain, islice

from attrs import frozen

from domain.dataset.settings import (
    ComplianceSlo,
    FieldConstraint,
    FieldType,
    FreshnessSlo,
    Settings,
    VolumeSlo,
)
from domain.errors import Violation
from domain.ids import DatasetUrn, is_dataset_urn
from domain.validation import integer, lines, names, number, required, share, text, word
from domain.violations import refuse_any

PatternProblem = Callable[[str], str | None]
"""Tells why a regular expression cannot be used; the engine that will run it knows."""

MOST_FIELDS = 500
LONGEST_PATTERN = 200

_TEAM = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_NUMBERS = (FieldType.NUMBER, FieldType.INTEGER)


@frozen
class Registration:
    """A dataset and its settings, as they may be registered."""

    dataset: DatasetUrn
    settings: Settings


@frozen
class DatasetReport:
    """A dataset to be registered, as it was sent: nothing is checked yet."""

    dataset_urn: str
    settings: Settings
    unreadable: tuple[Violation, ...] = ()
    """What the interface could not read."""

    def parse(self, pattern_problem: PatternProblem) -> Registration:
        """Raises Invalid with every violation, those of unreadable fields included."""
        violations = _violations(self.settings, _CHECKS, pattern_problem)
        refuse_any(self.unreadable, chain(_malformed(self.dataset_urn), violations))
        return Registration(DatasetUrn(self.dataset_urn), self.settings)


@frozen
class SettingsReport:
    """New values of the named settings, as they were sent: nothing is checked yet."""

    settings: Settings
    named: Collection[str]
    unreadable: tuple[Violation, ...] = ()
    """What the interface could not read."""

    def parse(self, pattern_problem: PatternProblem) -> Settings:
        """Raises Invalid with every violation, those of unreadable fields included."""
        refuse_any(self.unreadable, _violations(self.settings, self.named, pattern_problem))
        return self.settings


def _malformed(dataset: str) -> Sequence[Violation]:
    if is_dataset_urn(dataset):
        return ()
    return (Violation("dataset_urn", "MALFORMED", "must look like urn:dp:domain:name:v1"),)


def _violations(
    settings: Settings, named: Collection[str], pattern_problem: PatternProblem
) -> Iterator[Violation]:
    """Everything that is wrong with the named settings, in the order they are declared."""
    for field, check in _CHECKS.items():
        if field in named:
            yield from check(settings, pattern_problem)


def _display_name(settings: Settings, _: PatternProblem) -> Iterator[Violation]:
    yield from required("display_name", settings.display_name.strip())
    yield from text("display_name", settings.display_name, most=200)


def _description(settings: Settings, _: PatternProblem) -> Iterator[Violation]:
    yield from lines("description", settings.description, most=2000)


def _owner_team(settings: Settings, _: PatternProblem) -> Iterator[Violation]:
    team = settings.owner_team
    yield from required("owner_team", team)
    if len(team) > 100:
        yield Violation("owner_team", "TOO_LONG", "must have at most 100 characters")
    if team and not _TEAM.fullmatch(team):
        allowed = "must consist of letters, digits, _, . and -, and begin with a letter or digit"
        yield Violation("owner_team", "MALFORMED", allowed)


def _owner_email(settings: Settings, _: PatternProblem) -> Iterator[Violation]:
    email = settings.owner_email
    yield from text("owner_email", email, most=254)
    if email is not None and not _EMAIL.fullmatch(email):
        yield Violation("owner_email", "MALFORMED", "must look like name@example.org")


def _oncall_rotation(settings: Settings, _: PatternProblem) -> Iterator[Violation]:
    yield from text("oncall_rotation", settings.oncall_rotation, most=100)


def _source(settings: Settings, _: PatternProblem) -> Iterator[Violation]:
    source = settings.source
    if source is not None:
        yield from required("source.type", source.type)
        yield from word("source.type", source.type or None, such_as="KAFKA")
        yield from text("source.topic", source.topic, most=249)
        yield from text("source.cluster", source.cluster, most=200)


def _schema_binding(settings: Settings, _: PatternProblem) -> Iterator[Violation]:
    place, binding = "schema_binding", settings.schema_binding
    if binding is not None:
        yield from required(f"{place}.registry", binding.registry)
        yield from word(f"{place}.registry", binding.registry or None, such_as="GLUE")
        yield from required(f"{place}.schema_name", binding.schema_name)
        yield from text(f"{place}.schema_name", binding.schema_name, most=200)
        yield from text(f"{place}.schema_id", binding.schema_id, most=200)


def _contract_binding(settings: Settings, pattern_problem: PatternProblem) -> Iterator[Violation]:
    place, binding = "contract_binding", settings.contract_binding
    if binding is not None:
        yield from required(f"{place}.contract_id", binding.contract_id)
        yield from text(f"{place}.contract_id", binding.contract_id, most=200)
        yield from names(f"{place}.required_fields", binding.required_fields, most=MOST_FIELDS)
        yield from _constraints(binding.field_constraints, pattern_problem)


def _constraints(
    constraints: Mapping[str, FieldConstraint], pattern_problem: PatternProblem
) -> Iterator[Violation]:
    place = "contract_binding.field_constraints"
    if len(constraints) > MOST_FIELDS:
        yield Violation(place, "TOO_MANY", f"must be at most {MOST_FIELDS}")
    for name, constraint in islice(constraints.items(), MOST_FIELDS):
        if not (0 < len(name) <= 200 and name.isprintable()):
            yield Violation(place, "MALFORMED", f"{name[:200]!r} cannot be the name of a field")
            continue
        yield from _bounds(f"{place}.{name}", constraint)
        yield from _pattern(f"{place}.{name}", constraint, pattern_problem)


def _bounds(place: str, constraint: FieldConstraint) -> Iterator[Violation]:
    least, most = constraint.min, constraint.max
    for field, bound in ((f"{place}.min", least), (f"{place}.max", most)):
        yield from number(field, bound)
        if bound is not None and constraint.type not in _NUMBERS:
            yield Violation(field, "INCONSISTENT", "needs the type number or integer")
    if least is not None and most is not None and least > most:
        yield Violation(f"{place}.min", "INCONSISTENT", "must not exceed max")


def _pattern(
    place: str, constraint: FieldConstraint, pattern_problem: PatternProblem
) -> Iterator[Violation]:
    pattern, field = constraint.pattern, f"{place}.pattern"
    if pattern is None:
        return
    if constraint.type is not FieldType.STRING:
        yield Violation(field, "INCONSISTENT", "needs the type string")
    broken = [*text(field, pattern, most=LONGEST_PATTERN)]
    yield from broken
    if not broken and (problem := pattern_problem(pattern)) is not None:
        yield Violation(field, "MALFORMED", problem)


def _slos(settings: Settings, _: PatternProblem) -> Iterator[Violation]:
    if settings.slos is not None:
        yield from _freshness(settings.slos.freshness)
        yield from _volume(settings.slos.volume)
        yield from _compliance(settings.slos.contract_compliance)


def _freshness(slo: FreshnessSlo | None) -> Iterator[Violation]:
    place = "slos.freshness"
    if slo is not None:
        yield from integer(f"{place}.max_delay_seconds", slo.max_delay_seconds, least=1)
        yield from word(f"{place}.evaluation_window", slo.evaluation_window)


def _volume(slo: VolumeSlo | None) -> Iterator[Violation]:
    place = "slos.volume"
    if slo is not None:
        yield from integer(f"{place}.min_events_per_window", slo.min_events_per_window, least=0)
        yield from _above_zero(f"{place}.max_deviation_percent", slo.max_deviation_percent)
        days = slo.baseline_window_days
        yield from integer(f"{place}.baseline_window_days", days, least=1, most=3650)


def _above_zero(field: str, value: float | None) -> Iterator[Violation]:
    yield from number(field, value)
    if value is not None and value <= 0:
        yield Violation(field, "OUT_OF_RANGE", "must be more than 0")


def _compliance(slo: ComplianceSlo | None) -> Iterator[Violation]:
    if slo is not None:
        yield from share("slos.contract_compliance.min_compliance_rate", slo.min_compliance_rate)


def _pii_policy(settings: Settings, _: PatternProblem) -> Iterator[Violation]:
    if settings.pii_policy is not None:
        scanned = settings.pii_policy.fields_to_scan
        yield from names("pii_policy.fields_to_scan", scanned, most=MOST_FIELDS)


def _retention_days(settings: Settings, _: PatternProblem) -> Iterator[Violation]:
    yield from integer("retention_days", settings.retention_days, least=1, most=36500)


def _incident_policy(settings: Settings, _: PatternProblem) -> Iterator[Violation]:
    if settings.incident_policy is not None:
        windows = settings.incident_policy.auto_resolve_windows
        yield from integer("incident_policy.auto_resolve_windows", windows, least=1, most=100)


_CHECKS: dict[str, Callable[[Settings, PatternProblem], Iterator[Violation]]] = {
    "display_name": _display_name,
    "description": _description,
    "owner_team": _owner_team,
    "owner_email": _owner_email,
    "oncall_rotation": _oncall_rotation,
    "source": _source,
    "schema_binding": _schema_binding,
    "contract_binding": _contract_binding,
    "slos": _slos,
    "pii_policy": _pii_policy,
    "retention_days": _retention_days,
    "incident_policy": _incident_policy,
}

"""What callers send to register a dataset or to change its configuration."""

from collections.abc import Iterator, Sequence, Set

from attrs import fields_dict

from domain.dataset import settings as domain
from domain.dataset.settings import Compatibility, FieldType, PiiAction, Settings, VersionPolicy
from domain.dataset.settings_validation import MOST_FIELDS, DatasetReport, SettingsReport
from domain.dataset.tier import Tier
from domain.errors import Violation
from domain.validation import required
from entrypoints.grpc.fields.fields import (
    enum_or_none,
    few_words,
    no_more_than,
    present,
    said,
    submessage,
    unknown,
)
from entrypoints.grpc.messages import datasets_pb2 as pb


def dataset_report(sent: pb.RegisterDatasetRequest) -> DatasetReport:
    """The dataset as it was sent, with what cannot be read of it."""
    unreadable = (*required("dataset_urn", sent.dataset_urn), *_unreadable(sent.settings))
    return DatasetReport(sent.dataset_urn, settings(sent.settings), unreadable)


def settings_report(sent: pb.UpdateDatasetRequest) -> SettingsReport:
    """The change as it was sent, with what cannot be read of it."""
    paths = few_words("update_mask.paths", sent.update_mask.paths)
    named = _SETTINGS.intersection(paths.value)
    unreadable = (*paths.violations, *_unnamed(paths.value), *_unreadable_change(sent, named))
    return SettingsReport(settings(sent.settings), named, unreadable)


def settings(sent: pb.DatasetSettings) -> Settings:
    return Settings(
        display_name=sent.display_name,
        description=said(sent.description),
        tier=enum_or_none(sent.tier, Tier) or Tier.TIER_3,
        owner_team=sent.owner_team,
        owner_email=said(sent.owner_email),
        oncall_rotation=said(sent.oncall_rotation),
        source=submessage(sent, "source", _source),
        schema_binding=submessage(sent, "schema_binding", _schema),
        contract_binding=submessage(sent, "contract_binding", _contract),
        slos=submessage(sent, "slos", _slos),
        pii_policy=submessage(sent, "pii_policy", _pii),
        retention_days=present(sent, "retention_days"),
        incident_policy=submessage(sent, "incident_policy", _incidents),
    )


def _unreadable(sent: pb.DatasetSettings) -> Iterator[Violation]:
    """Words that there are not; what is left out has none."""
    schema, constraints = sent.schema_binding, sent.contract_binding.field_constraints
    yield from unknown("tier", sent.tier, Tier)
    yield from unknown("schema_binding.version_policy", schema.version_policy, VersionPolicy)
    yield from unknown("schema_binding.compatibility", schema.compatibility, Compatibility)
    for name, one in no_more_than(MOST_FIELDS, constraints.items()):
        yield from unknown(f"contract_binding.field_constraints.{name}.type", one.type, FieldType)
    action = sent.pii_policy.action_on_detection
    yield from unknown("pii_policy.action_on_detection", action, PiiAction)


def _unnamed(paths: Sequence[str]) -> Iterator[Violation]:
    """Paths of the mask that name no setting."""
    for index, path in enumerate(paths):
        place, setting = f"update_mask.paths[{index}]", path.partition(".")[0]
        if path in _SETTINGS:
            continue
        if setting in _SETTINGS:
            wanted = f"must be {setting} as a whole: its parts cannot be changed by themselves"
            yield Violation(place, "UNSUPPORTED", wanted)
        else:
            yield Violation(place, "UNKNOWN_FIELD", "must be a setting, such as tier")


def _unreadable_change(sent: pb.UpdateDatasetRequest, named: Set[str]) -> Iterator[Violation]:
    if not sent.update_mask.paths:
        yield Violation("update_mask", "REQUIRED", "must name the settings that change")
    for one in _unreadable(sent.settings):
        if one.field.partition(".")[0] in named:
            yield one
    if "tier" in named:
        yield from required("tier", sent.settings.tier)
    if not sent.HasField("expected_version"):
        yield Violation("expected_version", "REQUIRED", "is required; -1 stands for any")


_SETTINGS = frozenset(fields_dict(Settings))


def _source(sent: pb.DataSource) -> domain.Source:
    return domain.Source(sent.type, said(sent.topic), said(sent.cluster))


def _schema(sent: pb.SchemaBinding) -> domain.SchemaBinding:
    policy = enum_or_none(sent.version_policy, VersionPolicy)
    compatibility = enum_or_none(sent.compatibility, Compatibility)
    return domain.SchemaBinding(
        registry=sent.registry,
        schema_name=sent.schema_name,
        schema_id=said(sent.schema_id),
        version_policy=policy or VersionPolicy.LATEST,
        compatibility=compatibility or Compatibility.BACKWARD,
    )


def _contract(sent: pb.ContractBinding) -> domain.ContractBinding:
    constraints = no_more_than(MOST_FIELDS, sent.field_constraints.items())
    return domain.ContractBinding(
        contract_id=sent.contract_id,
        required_fields=tuple(sent.required_fields),
        field_constraints={name: _constraint(one) for name, one in constraints},
    )


def _constraint(sent: pb.FieldConstraint) -> domain.FieldConstraint:
    return domain.FieldConstraint(
        type=enum_or_none(sent.type, FieldType),
        min=present(sent, "min"),
        max=present(sent, "max"),
        pattern=said(sent.pattern),
    )


def _slos(sent: pb.SloConfig) -> domain.Slos:
    return domain.Slos(
        freshness=submessage(sent, "freshness", _freshness),
        volume=submessage(sent, "volume", _volume),
        contract_compliance=submessage(sent, "contract_compliance", _compliance),
    )


def _freshness(sent: pb.FreshnessSlo) -> domain.FreshnessSlo:
    return domain.FreshnessSlo(sent.max_delay_seconds, said(sent.evaluation_window))


def _volume(sent: pb.VolumeSlo) -> domain.VolumeSlo:
    return domain.VolumeSlo(
        sent.min_events_per_window,
        present(sent, "max_deviation_percent"),
        present(sent, "baseline_window_days"),
    )


def _compliance(sent: pb.ComplianceSlo) -> domain.ComplianceSlo:
    return domain.ComplianceSlo(sent.min_compliance_rate)


def _pii(sent: pb.PiiPolicy) -> domain.PiiPolicy:
    action = enum_or_none(sent.action_on_detection, PiiAction)
    return domain.PiiPolicy(
        scan_enabled=sent.scan_enabled,
        fields_to_scan=tuple(sent.fields_to_scan),
        action_on_detection=action or PiiAction.WARN,
    )


def _incidents(sent: pb.IncidentPolicy) -> domain.IncidentPolicy:
    names = ("auto_resolve", "auto_resolve_windows", "reopen_on_relapse", "end_snoozes")
    return domain.IncidentPolicy(
        **{name: getattr(sent, name) for name in names if sent.HasField(name)}
    )

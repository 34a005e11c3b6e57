"""What callers send to register a dataset or to change its configuration."""

from collections.abc import Set

from attrs import fields_dict

from domain.dataset import settings as domain
from domain.dataset.settings import Compatibility, FieldType, PiiAction, Settings, VersionPolicy
from domain.dataset.settings_validation import MOST_FIELDS
from domain.dataset.tier import Tier
from domain.errors import Violation
from domain.validation import required
from entrypoints.grpc.fields.fields import chosen, no_more_than, not_too_many, part, present, said
from entrypoints.grpc.messages import datasets_pb2 as pb


def settings_said(sent: pb.DatasetSettings, found: list[Violation]) -> Settings:
    return Settings(
        display_name=sent.display_name,
        description=said(sent.description),
        tier=chosen("tier", sent.tier, Tier, found) or Tier.TIER_3,
        owner_team=sent.owner_team,
        owner_email=said(sent.owner_email),
        oncall_rotation=said(sent.oncall_rotation),
        source=part(sent, "source", _source, found),
        schema_binding=part(sent, "schema_binding", _schema, found),
        contract_binding=part(sent, "contract_binding", _contract, found),
        slos=part(sent, "slos", _slos, found),
        pii_policy=part(sent, "pii_policy", _pii, found),
        retention_days=present(sent, "retention_days"),
        incident_policy=part(sent, "incident_policy", _incidents, found),
    )


def change_said(sent: pb.UpdateDatasetRequest, found: list[Violation]) -> tuple[Set[str], Settings]:
    """The settings that change, and what they change to."""
    paths = enumerate(not_too_many("update_mask.paths", sent.update_mask.paths, found))
    named = {path for index, path in paths if _is_setting(path, index, found)}
    if not sent.update_mask.paths:
        found.append(Violation("update_mask", "REQUIRED", "must name the settings that change"))
    within: list[Violation] = []
    to = settings_said(sent.settings, within)
    found += (one for one in within if one.field.partition(".")[0] in named)
    if "tier" in named:
        found += required("tier", sent.settings.tier)
    if not sent.HasField("expected_version"):
        wanted = "is required; -1 stands for any"
        found.append(Violation("expected_version", "REQUIRED", wanted))
    return named, to


def _is_setting(path: str, index: int, found: list[Violation]) -> bool:
    settings = fields_dict(Settings)
    if path in settings:
        return True
    place, setting = f"update_mask.paths[{index}]", path.partition(".")[0]
    if setting in settings:
        wanted = f"must be {setting} as a whole: its parts cannot be changed by themselves"
        found.append(Violation(place, "UNSUPPORTED", wanted))
    else:
        found.append(Violation(place, "UNKNOWN_FIELD", "must be a setting, such as tier"))
    return False


def _source(sent: pb.DataSource, _: list[Violation]) -> domain.Source:
    return domain.Source(sent.type, said(sent.topic), said(sent.cluster))


def _schema(sent: pb.SchemaBinding, found: list[Violation]) -> domain.SchemaBinding:
    place = "schema_binding"
    policy = chosen(f"{place}.version_policy", sent.version_policy, VersionPolicy, found)
    compatibility = chosen(f"{place}.compatibility", sent.compatibility, Compatibility, found)
    return domain.SchemaBinding(
        registry=sent.registry,
        schema_name=sent.schema_name,
        schema_id=said(sent.schema_id),
        version_policy=policy or VersionPolicy.LATEST,
        compatibility=compatibility or Compatibility.BACKWARD,
    )


def _contract(sent: pb.ContractBinding, found: list[Violation]) -> domain.ContractBinding:
    constraints = no_more_than(MOST_FIELDS, sent.field_constraints.items())
    return domain.ContractBinding(
        contract_id=sent.contract_id,
        required_fields=tuple(sent.required_fields),
        field_constraints={name: _constraint(name, one, found) for name, one in constraints},
    )


def _constraint(
    name: str, sent: pb.FieldConstraint, found: list[Violation]
) -> domain.FieldConstraint:
    place = f"contract_binding.field_constraints.{name}"
    return domain.FieldConstraint(
        type=chosen(f"{place}.type", sent.type, FieldType, found),
        min=present(sent, "min"),
        max=present(sent, "max"),
        pattern=said(sent.pattern),
    )


def _slos(sent: pb.SloConfig, found: list[Violation]) -> domain.Slos:
    return domain.Slos(
        freshness=part(sent, "freshness", _freshness, found),
        volume=part(sent, "volume", _volume, found),
        contract_compliance=part(sent, "contract_compliance", _compliance, found),
    )


def _freshness(sent: pb.FreshnessSlo, _: list[Violation]) -> domain.FreshnessSlo:
    return domain.FreshnessSlo(sent.max_delay_seconds, said(sent.evaluation_window))


def _volume(sent: pb.VolumeSlo, _: list[Violation]) -> domain.VolumeSlo:
    return domain.VolumeSlo(
        sent.min_events_per_window,
        present(sent, "max_deviation_percent"),
        present(sent, "baseline_window_days"),
    )


def _compliance(sent: pb.ComplianceSlo, _: list[Violation]) -> domain.ComplianceSlo:
    return domain.ComplianceSlo(sent.min_compliance_rate)


def _pii(sent: pb.PiiPolicy, found: list[Violation]) -> domain.PiiPolicy:
    action = chosen("pii_policy.action_on_detection", sent.action_on_detection, PiiAction, found)
    return domain.PiiPolicy(
        scan_enabled=sent.scan_enabled,
        fields_to_scan=tuple(sent.fields_to_scan),
        action_on_detection=action or PiiAction.WARN,
    )


def _incidents(sent: pb.IncidentPolicy, _: list[Violation]) -> domain.IncidentPolicy:
    names = ("auto_resolve", "auto_resolve_windows", "reopen_on_relapse", "end_snoozes")
    return domain.IncidentPolicy(
        **{name: getattr(sent, name) for name in names if sent.HasField(name)}
    )

"""The parts of a dataset's configuration in JSON, the same in requests and in answers."""

from functools import cache
from typing import Annotated, Any

from cattrs import Converter
from pydantic import Field

from domain.dataset import settings as domain
from domain.dataset.settings import Compatibility, FieldType, PiiAction, VersionPolicy
from entrypoints.http.validation.models import Body

Name = Annotated[str, Field(json_schema_extra={"maxLength": 200})]
Word = Annotated[str, Field(json_schema_extra={"pattern": "^[A-Z_][A-Z0-9_]{0,63}$"})]
Chosen = Field(strict=False)
"""Enums come as texts, which strictness would refuse."""


class DatasetSource(Body):
    """Where the data comes from."""

    required = ("type",)

    type: Word | None = Field(None, examples=["KAFKA"])
    topic: Annotated[str, Field(json_schema_extra={"maxLength": 249})] | None = None
    cluster: Name | None = None

    def to_domain(self) -> domain.Source:
        return domain.Source(self.type or "", self.topic, self.cluster)


class SchemaBinding(Body):
    """Which schema the records follow."""

    required = ("registry", "schema_name")

    registry: Word | None = Field(None, examples=["GLUE"])
    schema_name: Name | None = Field(None, examples=["orders.order_created"])
    schema_id: Name | None = None
    version_policy: Annotated[VersionPolicy, Chosen] | None = VersionPolicy.LATEST
    compatibility: Annotated[Compatibility, Chosen] | None = Compatibility.BACKWARD

    def to_domain(self) -> domain.SchemaBinding:
        return domain.SchemaBinding(
            registry=self.registry or "",
            schema_name=self.schema_name or "",
            schema_id=self.schema_id,
            version_policy=self.version_policy or VersionPolicy.LATEST,
            compatibility=self.compatibility or Compatibility.BACKWARD,
        )


class FieldConstraint(Body):
    """What a field's values must be like. Bounds need a number type, patterns the type string."""

    type: Annotated[FieldType, Chosen] | None = None
    min: float | None = None
    max: float | None = None
    pattern: Name | None = Field(None, description="A regular expression (RE2).")

    def to_domain(self) -> domain.FieldConstraint:
        return domain.FieldConstraint(self.type, self.min, self.max, self.pattern)


class ContractBinding(Body):
    """What is agreed about the records' fields."""

    required = ("contract_id",)

    contract_id: Name | None = Field(None, examples=["dc:orders.order_created:3"])
    required_fields: list[Name] | None = Field([], examples=[["order_id"]])
    field_constraints: dict[str, FieldConstraint] | None = Field(
        {}, examples=[{"total_amount": {"type": "number", "min": 0}}]
    )

    def to_domain(self) -> domain.ContractBinding:
        constraints = self.field_constraints or {}
        return domain.ContractBinding(
            contract_id=self.contract_id or "",
            required_fields=tuple(self.required_fields or ()),
            field_constraints={name: one.to_domain() for name, one in constraints.items()},
        )


class FreshnessSLO(Body):
    required = ("max_delay_seconds",)

    max_delay_seconds: int | None = Field(None, json_schema_extra={"minimum": 1})
    evaluation_window: Word | None = Field(None, examples=["TUMBLING_5MIN"])

    def to_domain(self) -> domain.FreshnessSlo:
        delay = 1 if self.max_delay_seconds is None else self.max_delay_seconds
        return domain.FreshnessSlo(delay, self.evaluation_window)


class VolumeSLO(Body):
    required = ("min_events_per_window",)

    min_events_per_window: int | None = Field(None, json_schema_extra={"minimum": 0})
    max_deviation_percent: float | None = Field(None, json_schema_extra={"exclusiveMinimum": 0})
    baseline_window_days: int | None = Field(
        None, json_schema_extra={"minimum": 1, "maximum": 3650}
    )

    def to_domain(self) -> domain.VolumeSlo:
        return domain.VolumeSlo(
            self.min_events_per_window or 0, self.max_deviation_percent, self.baseline_window_days
        )


class ComplianceSLO(Body):
    required = ("min_compliance_rate",)

    min_compliance_rate: float | None = Field(None, json_schema_extra={"minimum": 0, "maximum": 1})

    def to_domain(self) -> domain.ComplianceSlo:
        return domain.ComplianceSlo(self.min_compliance_rate or 0)


class SLOConfig(Body):
    """What the dataset promises."""

    freshness: FreshnessSLO | None = None
    volume: VolumeSLO | None = None
    contract_compliance: ComplianceSLO | None = None

    def to_domain(self) -> domain.Slos:
        compliance = self.contract_compliance
        return domain.Slos(
            freshness=self.freshness.to_domain() if self.freshness else None,
            volume=self.volume.to_domain() if self.volume else None,
            contract_compliance=compliance.to_domain() if compliance else None,
        )


class PiiPolicy(Body):
    """What is done about personal data in the records."""

    required = ("scan_enabled",)

    scan_enabled: bool | None = None
    fields_to_scan: list[Name] | None = Field([])
    action_on_detection: Annotated[PiiAction, Chosen] | None = PiiAction.WARN

    def to_domain(self) -> domain.PiiPolicy:
        return domain.PiiPolicy(
            scan_enabled=bool(self.scan_enabled),
            fields_to_scan=tuple(self.fields_to_scan or ()),
            action_on_detection=self.action_on_detection or PiiAction.WARN,
        )


class IncidentPolicy(Body):
    """What becomes of the dataset's incidents by itself. All of it, if nothing is said."""

    auto_resolve: bool | None = Field(True, description="Resolve what has healed.")
    auto_resolve_windows: int | None = Field(
        3,
        description="How many windows in a row every signal must be OK for.",
        json_schema_extra={"minimum": 1, "maximum": 100},
    )
    reopen_on_relapse: bool | None = Field(
        True, description="Reopen what was resolved lately when its fault is back."
    )
    end_snoozes: bool | None = Field(True, description="Wake what was snoozed when its time is up.")

    def to_domain(self) -> domain.IncidentPolicy:
        said = {name: value for name, value in self if value is not None}
        return domain.IncidentPolicy(**said)


@cache
def _plain() -> Converter:
    return Converter(unstruct_collection_overrides={tuple: list})


def told(part: Any) -> dict[str, Any] | None:
    """A part of the settings as plain values that the models above read."""
    if part is None:
        return None
    values: dict[str, Any] = _plain().unstructure(part)
    return values

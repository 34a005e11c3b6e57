"""What may be configured about a dataset (S0-074..S0-084)."""

from collections.abc import Sequence
from typing import Any

import pytest
from attrs import evolve, fields

from domain.dataset.settings import (
    ComplianceSlo,
    ContractBinding,
    FieldConstraint,
    FieldType,
    FreshnessSlo,
    IncidentPolicy,
    PiiPolicy,
    SchemaBinding,
    Settings,
    Slos,
    Source,
    VolumeSlo,
)
from domain.dataset.settings_validation import DatasetReport, PatternProblem, SettingsReport
from domain.dataset.tier import Tier
from domain.errors import Invalid, Violation

EVERYTHING = [each.name for each in fields(Settings)]
TOTAL = "contract_binding.field_constraints.total"

FULL = Settings(
    display_name="Orders – created",
    description="One event for each order.\n\tKept for 90 days.",
    tier=Tier.TIER_1,
    owner_team="orders-team",
    owner_email="orders@example.org",
    oncall_rotation="orders primary",
    source=Source("KAFKA", "raw.orders.events", "main"),
    schema_binding=SchemaBinding("GLUE", "orders.order_created", "3f2"),
    contract_binding=ContractBinding(
        "dc:orders.order_created:3",
        ("order_id", "customer_id"),
        {
            "total_amount": FieldConstraint(FieldType.NUMBER, min=0),
            "items": FieldConstraint(FieldType.INTEGER, min=1, max=1),
            "customer_id": FieldConstraint(FieldType.STRING, pattern="^cust-[a-z0-9]+$"),
            "note": FieldConstraint(),
        },
    ),
    slos=Slos(FreshnessSlo(300, "TUMBLING_5MIN"), VolumeSlo(100, 50, 7), ComplianceSlo(0.95)),
    pii_policy=PiiPolicy(True, ("customer_email", "address.city")),
    incident_policy=IncidentPolicy(auto_resolve_windows=100),
    retention_days=90,
)


def no_problem(pattern: str) -> str | None:
    return "is not a regular expression" if pattern == "(" else None


def broken(settings: Settings, *named: str) -> list[tuple[str, str]]:
    return [(one.field, one.code) for one in violations(settings, *named)]


def violations(
    settings: Settings, *named: str, problem: PatternProblem = no_problem
) -> Sequence[Violation]:
    try:
        SettingsReport(settings, named or EVERYTHING).parse(problem)
    except Invalid as invalid:
        return invalid.violations
    return ()


def constrained(constraint: FieldConstraint) -> dict[str, Any]:
    return {"contract_binding": ContractBinding("dc", (), {"total": constraint})}


@pytest.mark.parametrize(
    "settings", [FULL, Settings(display_name="Orders", owner_team="orders")], ids=["full", "short"]
)
def test_settings_that_keep_the_contract_have_no_violations(settings: Settings) -> None:
    assert broken(settings) == []


BREAKS: list[tuple[dict[str, Any], str, str]] = [
    ({"display_name": ""}, "display_name", "REQUIRED"),
    ({"display_name": "  "}, "display_name", "REQUIRED"),
    ({"display_name": "x" * 201}, "display_name", "TOO_LONG"),
    ({"display_name": "a\nb"}, "display_name", "MALFORMED"),
    ({"description": "x" * 2001}, "description", "TOO_LONG"),
    ({"description": "bell \a"}, "description", "MALFORMED"),
    ({"owner_team": ""}, "owner_team", "REQUIRED"),
    ({"owner_team": "x" * 101}, "owner_team", "TOO_LONG"),
    ({"owner_team": "-orders"}, "owner_team", "MALFORMED"),
    ({"owner_team": "orders team"}, "owner_team", "MALFORMED"),
    ({"owner_team": "orders\n"}, "owner_team", "MALFORMED"),
    ({"owner_email": "orders"}, "owner_email", "MALFORMED"),
    ({"owner_email": "a@b@c"}, "owner_email", "MALFORMED"),
    ({"owner_email": "a b@c"}, "owner_email", "MALFORMED"),
    ({"owner_email": "@c"}, "owner_email", "MALFORMED"),
    ({"owner_email": "a@"}, "owner_email", "MALFORMED"),
    ({"owner_email": "a@" + "b" * 253}, "owner_email", "TOO_LONG"),
    ({"oncall_rotation": "x" * 101}, "oncall_rotation", "TOO_LONG"),
    ({"source": Source("")}, "source.type", "REQUIRED"),
    ({"source": Source("kafka")}, "source.type", "MALFORMED"),
    ({"source": Source("KAFKA", "t" * 250)}, "source.topic", "TOO_LONG"),
    ({"source": Source("KAFKA", None, "c" * 201)}, "source.cluster", "TOO_LONG"),
    ({"schema_binding": SchemaBinding("", "s")}, "schema_binding.registry", "REQUIRED"),
    ({"schema_binding": SchemaBinding("glue", "s")}, "schema_binding.registry", "MALFORMED"),
    ({"schema_binding": SchemaBinding("GLUE", "")}, "schema_binding.schema_name", "REQUIRED"),
    (
        {"schema_binding": SchemaBinding("GLUE", "s" * 201)},
        "schema_binding.schema_name",
        "TOO_LONG",
    ),
    (
        {"schema_binding": SchemaBinding("GLUE", "s", "i" * 201)},
        "schema_binding.schema_id",
        "TOO_LONG",
    ),
    ({"contract_binding": ContractBinding("")}, "contract_binding.contract_id", "REQUIRED"),
    ({"contract_binding": ContractBinding("c" * 201)}, "contract_binding.contract_id", "TOO_LONG"),
    (
        {"contract_binding": ContractBinding("dc", tuple(map(str, range(501))))},
        "contract_binding.required_fields",
        "TOO_MANY",
    ),
    (
        {"contract_binding": ContractBinding("dc", ("a", ""))},
        "contract_binding.required_fields[1]",
        "REQUIRED",
    ),
    (
        {"contract_binding": ContractBinding("dc", ("a", "b", "a"))},
        "contract_binding.required_fields[2]",
        "DUPLICATE",
    ),
    (
        {"contract_binding": ContractBinding("dc", ("a" * 201,))},
        "contract_binding.required_fields[0]",
        "TOO_LONG",
    ),
    (
        {
            "contract_binding": ContractBinding(
                "dc", (), {str(n): FieldConstraint() for n in range(501)}
            )
        },
        "contract_binding.field_constraints",
        "TOO_MANY",
    ),
    (
        {"contract_binding": ContractBinding("dc", (), {"": FieldConstraint()})},
        "contract_binding.field_constraints",
        "MALFORMED",
    ),
    (
        {"contract_binding": ContractBinding("dc", (), {"\ud800": FieldConstraint(min=0)})},
        "contract_binding.field_constraints",
        "MALFORMED",
    ),
    (constrained(FieldConstraint(min=0)), f"{TOTAL}.min", "INCONSISTENT"),
    (constrained(FieldConstraint(FieldType.STRING, max=0)), f"{TOTAL}.max", "INCONSISTENT"),
    (
        constrained(FieldConstraint(FieldType.NUMBER, min=2, max=1.5)),
        f"{TOTAL}.min",
        "INCONSISTENT",
    ),
    (
        constrained(FieldConstraint(FieldType.NUMBER, min=float("-inf"))),
        f"{TOTAL}.min",
        "OUT_OF_RANGE",
    ),
    (
        constrained(FieldConstraint(FieldType.NUMBER, max=float("nan"))),
        f"{TOTAL}.max",
        "OUT_OF_RANGE",
    ),
    (constrained(FieldConstraint(FieldType.INTEGER, max=2**53)), f"{TOTAL}.max", "OUT_OF_RANGE"),
    (constrained(FieldConstraint(FieldType.INTEGER, min=-(2**53))), f"{TOTAL}.min", "OUT_OF_RANGE"),
    (constrained(FieldConstraint(FieldType.NUMBER, max=10**400)), f"{TOTAL}.max", "OUT_OF_RANGE"),
    (
        constrained(FieldConstraint(FieldType.NUMBER, pattern="a")),
        f"{TOTAL}.pattern",
        "INCONSISTENT",
    ),
    (constrained(FieldConstraint(pattern="a")), f"{TOTAL}.pattern", "INCONSISTENT"),
    (
        constrained(FieldConstraint(FieldType.STRING, pattern="a" * 201)),
        f"{TOTAL}.pattern",
        "TOO_LONG",
    ),
    (constrained(FieldConstraint(FieldType.STRING, pattern="(")), f"{TOTAL}.pattern", "MALFORMED"),
    ({"slos": Slos(FreshnessSlo(0))}, "slos.freshness.max_delay_seconds", "OUT_OF_RANGE"),
    ({"slos": Slos(FreshnessSlo(2**53))}, "slos.freshness.max_delay_seconds", "OUT_OF_RANGE"),
    ({"slos": Slos(FreshnessSlo(1, "5 min"))}, "slos.freshness.evaluation_window", "MALFORMED"),
    ({"slos": Slos(None, VolumeSlo(-1))}, "slos.volume.min_events_per_window", "OUT_OF_RANGE"),
    ({"slos": Slos(None, VolumeSlo(0, 0))}, "slos.volume.max_deviation_percent", "OUT_OF_RANGE"),
    (
        {"slos": Slos(None, VolumeSlo(0, float("inf")))},
        "slos.volume.max_deviation_percent",
        "OUT_OF_RANGE",
    ),
    (
        {"slos": Slos(None, VolumeSlo(0, 1, 0))},
        "slos.volume.baseline_window_days",
        "OUT_OF_RANGE",
    ),
    (
        {"slos": Slos(None, VolumeSlo(0, 1, 3651))},
        "slos.volume.baseline_window_days",
        "OUT_OF_RANGE",
    ),
    (
        {"slos": Slos(None, None, ComplianceSlo(1.01))},
        "slos.contract_compliance.min_compliance_rate",
        "OUT_OF_RANGE",
    ),
    ({"pii_policy": PiiPolicy(False, ("a", "a"))}, "pii_policy.fields_to_scan[1]", "DUPLICATE"),
    (
        {"incident_policy": IncidentPolicy(auto_resolve_windows=0)},
        "incident_policy.auto_resolve_windows",
        "OUT_OF_RANGE",
    ),
    (
        {"incident_policy": IncidentPolicy(auto_resolve_windows=101)},
        "incident_policy.auto_resolve_windows",
        "OUT_OF_RANGE",
    ),
    ({"pii_policy": PiiPolicy(False, ("\x00",))}, "pii_policy.fields_to_scan[0]", "MALFORMED"),
    ({"retention_days": 0}, "retention_days", "OUT_OF_RANGE"),
    ({"retention_days": 36501}, "retention_days", "OUT_OF_RANGE"),
]


@pytest.mark.parametrize(("change", "field", "code"), BREAKS)
def test_each_broken_promise_is_named(change: dict[str, Any], field: str, code: str) -> None:
    assert broken(evolve(FULL, **change)) == [(field, code)]


@pytest.mark.parametrize(
    "change",
    [
        {"display_name": "x" * 200},
        {"description": "x" * 2000},
        {"owner_team": "x" * 100},
        {"owner_email": "a@" + "b" * 252},
        {"oncall_rotation": "x" * 100},
        {"source": Source("KAFKA", "t" * 249, "c" * 200)},
        {"contract_binding": ContractBinding("c" * 200, tuple(map(str, range(500))))},
        constrained(FieldConstraint(FieldType.NUMBER, min=-1e300, max=2**53 - 1)),
        constrained(FieldConstraint(FieldType.STRING, pattern="a" * 200)),
        {"slos": Slos(FreshnessSlo(1), VolumeSlo(0, 0.1, 3650), ComplianceSlo(0))},
        {"slos": Slos(None, VolumeSlo(2**53 - 1, 1, 1), ComplianceSlo(1))},
        {"slos": Slos()},
        {"retention_days": 1},
        {
            "contract_binding": ContractBinding(
                "dc", (), {f"{n:0200}": FieldConstraint() for n in range(500)}
            )
        },
        {"retention_days": 36500},
    ],
    ids=range(15),
)
def test_what_is_just_within_the_bounds_is_accepted(change: dict[str, Any]) -> None:
    assert broken(evolve(FULL, **change)) == []


def test_all_violations_are_returned_at_once_in_the_order_of_the_fields() -> None:
    settings = Settings(
        source=Source("kafka", "t" * 250),
        contract_binding=ContractBinding(
            "",
            ("a", "a"),
            {"total_amount": FieldConstraint(FieldType.STRING, min=2, max=1, pattern="(")},
        ),
        slos=Slos(FreshnessSlo(0), VolumeSlo(-1), ComplianceSlo(2)),
        retention_days=0,
    )
    amount = "contract_binding.field_constraints.total_amount"
    assert broken(settings) == [
        ("display_name", "REQUIRED"),
        ("owner_team", "REQUIRED"),
        ("source.type", "MALFORMED"),
        ("source.topic", "TOO_LONG"),
        ("contract_binding.contract_id", "REQUIRED"),
        ("contract_binding.required_fields[1]", "DUPLICATE"),
        (f"{amount}.min", "INCONSISTENT"),
        (f"{amount}.max", "INCONSISTENT"),
        (f"{amount}.min", "INCONSISTENT"),
        (f"{amount}.pattern", "MALFORMED"),
        ("slos.freshness.max_delay_seconds", "OUT_OF_RANGE"),
        ("slos.volume.min_events_per_window", "OUT_OF_RANGE"),
        ("slos.contract_compliance.min_compliance_rate", "OUT_OF_RANGE"),
        ("retention_days", "OUT_OF_RANGE"),
    ]


def test_only_the_named_fields_are_checked() -> None:
    settings = Settings(retention_days=0)
    assert broken(settings, "retention_days") == [("retention_days", "OUT_OF_RANGE")]
    assert broken(settings, "tier", "owner_email") == []


def test_a_pattern_that_is_too_long_is_not_even_tried() -> None:
    def never(pattern: str) -> str | None:
        raise AssertionError(pattern)

    settings = Settings(**constrained(FieldConstraint(FieldType.STRING, pattern="(" * 201)))
    assert [each.code for each in violations(settings, problem=never)] == [
        "REQUIRED",
        "REQUIRED",
        "TOO_LONG",
    ]


def test_a_dataset_is_registered_under_a_valid_name() -> None:
    parsed = DatasetReport("urn:dp:orders:order_created:v1", FULL).parse(no_problem)
    assert (parsed.dataset, parsed.settings) == ("urn:dp:orders:order_created:v1", FULL)


def test_the_name_and_every_setting_of_a_new_dataset_are_checked_at_once() -> None:
    unreadable = (Violation("tier", "UNKNOWN_VALUE", "must be TIER_1, TIER_2 or TIER_3"),)
    report = DatasetReport("orders", evolve(FULL, display_name="", retention_days=0), unreadable)
    with pytest.raises(Invalid) as refused:
        report.parse(no_problem)
    assert [(one.field, one.code) for one in refused.value.violations] == [
        ("tier", "UNKNOWN_VALUE"),
        ("dataset_urn", "MALFORMED"),
        ("display_name", "REQUIRED"),
        ("retention_days", "OUT_OF_RANGE"),
    ]

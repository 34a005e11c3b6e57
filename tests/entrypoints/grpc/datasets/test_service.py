"""The DatasetRegistryService, compared with what HTTP answers."""

from datetime import timedelta
from typing import Any

import grpc
import pytest
from attrs import fields_dict
from dependency_injector import providers
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.json_format import ParseDict

from application.errors import Unavailable
from application.recorded import ERASED
from domain.dataset.settings import Settings
from entrypoints.container import Container
from entrypoints.grpc.fields.timestamps import timestamp
from entrypoints.grpc.messages import datasets_pb2 as pb
from entrypoints.grpc.messages.common_pb2 import ReadOptions
from tests.entrypoints.grpc.support.alike import in_json, plain, without_nothing
from tests.entrypoints.grpc.support.both import Both, both_served
from tests.entrypoints.http.api import NOON, NOW, ORDERS, ORDERS_DATASET, Raising, fields

DATASETS = "/api/v1/datasets"
ANOTHER = "urn:dp:a:b:v1"
SETTINGS = ParseDict(
    {name: value for name, value in ORDERS_DATASET.items() if name != "dataset_urn"},
    pb.DatasetSettings(),
)
FAR_TOO_LARGE = 2**63 - 1


@pytest.fixture
def orders(both: Both) -> pb.Dataset:
    told: pb.Dataset = both.call(pb.RegisterDatasetRequest(dataset_urn=ORDERS, settings=SETTINGS))
    return told


def flat(told: pb.Dataset) -> Any:
    """As HTTP has it: with the settings among the rest."""
    said = plain(told)
    return {**said.pop("settings"), **said}


def over_http(both: Both, path: str = f"/{ORDERS}", **more: Any) -> Any:
    answer = both.http.get(f"{DATASETS}{path}", **more)
    assert answer.status_code == 200, answer.text
    return without_nothing(answer.json())


def update(*paths: str, version: int | None = 1, **to: Any) -> pb.UpdateDatasetRequest:
    return pb.UpdateDatasetRequest(
        dataset_urn=ORDERS,
        settings=pb.DatasetSettings(**to),
        update_mask=FieldMask(paths=paths),
        expected_version=version,
    )


def test_every_setting_has_a_field_of_its_name() -> None:
    assert set(pb.DatasetSettings.DESCRIPTOR.fields_by_name) == set(fields_dict(Settings))


def test_registering(both: Both, orders: pb.Dataset) -> None:
    assert (orders.config_version, orders.status) == (1, "ACTIVE")
    assert orders.settings == SETTINGS
    assert orders.answer.position
    assert orders.created_at == timestamp(NOW)
    assert flat(orders) == over_http(both)


def test_a_name_that_is_taken(both: Both, orders: pb.Dataset) -> None:
    again = pb.RegisterDatasetRequest(dataset_urn=ORDERS, settings=SETTINGS)
    refused = both.refused(again)
    assert refused.code is grpc.StatusCode.ALREADY_EXISTS
    assert refused.data == {"current_version": "1"}


BOUNDED = pb.FieldConstraint(min=float("nan"), max=float("inf"), type="number")


@pytest.mark.parametrize(
    "wrong",
    [
        pb.DatasetSettings(),
        pb.DatasetSettings(tier="TIER_9", owner_email="x", owner_team="a b", display_name="x"),
        pb.DatasetSettings(
            source=pb.DataSource(),
            schema_binding=pb.SchemaBinding(version_policy="SOME", compatibility="NO"),
            contract_binding=pb.ContractBinding(
                required_fields=["a", "a", ""],
                field_constraints={"x": pb.FieldConstraint(type="odd", pattern="(")},
            ),
            pii_policy=pb.PiiPolicy(scan_enabled=True, action_on_detection="PANIC"),
            retention_days=-1,
            incident_policy=pb.IncidentPolicy(auto_resolve_windows=2**31 - 1),
        ),
        pb.DatasetSettings(
            slos=pb.SloConfig(
                freshness=pb.FreshnessSlo(max_delay_seconds=FAR_TOO_LARGE, evaluation_window="x"),
                volume=pb.VolumeSlo(min_events_per_window=-1, max_deviation_percent=-0.5),
                contract_compliance=pb.ComplianceSlo(min_compliance_rate=1.5),
            )
        ),
    ],
    ids=["nothing", "words", "parts", "slos"],
)
def test_all_that_is_wrong_is_told_as_over_http(both: Both, wrong: pb.DatasetSettings) -> None:
    in_http = fields(both.http.post(DATASETS, in_json(wrong)))
    assert in_http.pop("dataset_urn") == "REQUIRED"
    head = both.http.head()
    refused = both.refused(pb.RegisterDatasetRequest(dataset_urn="x", settings=wrong))
    assert refused.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refused.violations == {"dataset_urn": "MALFORMED", **in_http}
    unnamed = both.refused(pb.RegisterDatasetRequest(settings=wrong))
    assert unnamed.violations == {"dataset_urn": "REQUIRED", **in_http}
    assert both.http.head() == head


def test_numbers_that_are_none(both: Both) -> None:
    """What JSON cannot even say."""
    nan = float("nan")
    settings = pb.DatasetSettings(
        display_name="x",
        owner_team="x",
        contract_binding=pb.ContractBinding(contract_id="x", field_constraints={"n": BOUNDED}),
        slos=pb.SloConfig(
            volume=pb.VolumeSlo(max_deviation_percent=nan),
            contract_compliance=pb.ComplianceSlo(min_compliance_rate=nan),
        ),
    )
    refused = both.refused(pb.RegisterDatasetRequest(dataset_urn=ORDERS, settings=settings))
    assert refused.violations == {
        "contract_binding.field_constraints.n.min": "OUT_OF_RANGE",
        "contract_binding.field_constraints.n.max": "OUT_OF_RANGE",
        "slos.volume.max_deviation_percent": "OUT_OF_RANGE",
        "slos.contract_compliance.min_compliance_rate": "OUT_OF_RANGE",
    }


def test_updating_changes_what_the_mask_names(both: Both, orders: pb.Dataset) -> None:
    slos = pb.SloConfig(freshness=pb.FreshnessSlo(max_delay_seconds=60))
    # What is set and not named says nothing, however wrong it is.
    asked = update("tier", "slos", "source", tier="TIER_2", slos=slos, owner_email="nonsense")
    asked.settings.pii_policy.action_on_detection = "PANIC"
    told = both.call(asked)
    expected = pb.DatasetSettings()
    expected.CopyFrom(SETTINGS)
    expected.tier = "TIER_2"
    expected.slos.CopyFrom(slos)
    expected.ClearField("source")
    assert (told.config_version, told.settings) == (2, expected)
    assert flat(told) == over_http(both)


def test_what_is_named_and_not_said_is_cleared(both: Both, orders: pb.Dataset) -> None:
    told = both.call(update("retention_days", "description", "incident_policy", version=-1))
    assert not told.settings.HasField("retention_days")
    assert not told.settings.HasField("incident_policy")
    assert told.settings.description == ""


def test_masks_that_cannot_be(both: Both, orders: pb.Dataset) -> None:
    asked = update(
        "tier", "slos.freshness", "nothing", "", "TIER", "tier.", version=None, owner_team=""
    )
    refused = both.refused(asked)
    assert refused.violations == {
        "update_mask.paths[1]": "UNSUPPORTED",
        "update_mask.paths[2]": "UNKNOWN_FIELD",
        "update_mask.paths[3]": "UNKNOWN_FIELD",
        "update_mask.paths[4]": "UNKNOWN_FIELD",
        "update_mask.paths[5]": "UNSUPPORTED",
        "tier": "REQUIRED",
        "expected_version": "REQUIRED",
    }
    unmasked = update(version=FAR_TOO_LARGE, tier="TIER_2")
    assert both.refused(unmasked).violations == {
        "update_mask": "REQUIRED",
        "expected_version": "OUT_OF_RANGE",
    }
    required = update("display_name", "owner_team", "owner_email", owner_email="x")
    assert both.refused(required).violations == {
        "display_name": "REQUIRED",
        "owner_team": "REQUIRED",
        "owner_email": "MALFORMED",
    }


def test_what_was_read_of_an_erased_person_says_nothing(both: Both, orders: pb.Dataset) -> None:
    told = both.call(update("owner_email", "tier", owner_email=ERASED, tier="TIER_3"))
    assert (told.settings.owner_email, told.settings.tier) == (SETTINGS.owner_email, "TIER_3")


def test_an_update_of_another_version_and_of_nothing(both: Both, orders: pb.Dataset) -> None:
    refused = both.refused(update("tier", version=7, tier="TIER_2"))
    assert (refused.code, refused.reason) == (grpc.StatusCode.ABORTED, "VERSION_CONFLICT")
    assert refused.data == {"current_version": "1", "expected_version": "7"}
    asked = update("tier", tier="TIER_2")
    asked.dataset_urn = ANOTHER
    assert both.refused(asked).code is grpc.StatusCode.NOT_FOUND
    asked.dataset_urn = "x"
    assert both.refused(asked).violations == {"dataset_urn": "MALFORMED"}


def test_retiring_and_restoring(both: Both, orders: pb.Dataset) -> None:
    told = both.call(pb.RetireDatasetRequest(dataset_urn=ORDERS, expected_version=1))
    assert (told.status, told.retired_at) == ("RETIRED", timestamp(NOW))
    assert flat(told) == over_http(both)
    listed = both.call(pb.ListDatasetsRequest(retired=True))
    assert [one.dataset_urn for one in listed.datasets] == [ORDERS]
    assert not both.call(pb.ListDatasetsRequest()).datasets
    told = both.call(pb.RestoreDatasetRequest(dataset_urn=ORDERS))
    assert told.status == "ACTIVE"
    assert flat(told) == over_http(both)


def test_switching_what_is_otherwise(both: Both, orders: pb.Dataset) -> None:
    for kind in (pb.RetireDatasetRequest, pb.RestoreDatasetRequest):
        stale = both.refused(kind(dataset_urn=ORDERS, expected_version=9))
        assert (stale.code, stale.data["current_version"]) == (grpc.StatusCode.ABORTED, "1")
        assert both.refused(kind(dataset_urn=ANOTHER)).code is grpc.StatusCode.NOT_FOUND
        wrong = both.refused(kind(dataset_urn="x", expected_version=-2))
        assert wrong.violations == {"dataset_urn": "MALFORMED", "expected_version": "OUT_OF_RANGE"}


def test_reading_one_and_its_versions(both: Both, orders: pb.Dataset) -> None:
    both.http.clock.at += timedelta(hours=1)
    both.call(update("tier", tier="TIER_2"))
    assert flat(both.call(pb.GetDatasetRequest(dataset_urn=ORDERS))) == over_http(both)
    first = both.call(pb.GetDatasetRequest(dataset_urn=ORDERS, version=1))
    assert first.archived_at == timestamp(NOW + timedelta(hours=1))
    assert flat(first) == over_http(both, f"/{ORDERS}?version=1")
    past = ReadOptions(as_of=timestamp(NOW))
    then = both.call(pb.GetDatasetRequest(dataset_urn=ORDERS, options=past))
    assert (then.config_version, then.answer.as_of) == (1, timestamp(NOW))
    strong = ReadOptions(strong=True)
    now = both.call(pb.GetDatasetRequest(dataset_urn=ORDERS, options=strong))
    assert now.config_version == 2
    told = both.call(pb.ListDatasetVersionsRequest(dataset_urn=ORDERS))
    in_http = over_http(both, f"/{ORDERS}/versions")["versions"]
    assert [flat(one) for one in told.versions] == in_http
    page = both.call(pb.ListDatasetVersionsRequest(dataset_urn=ORDERS, page_size=1))
    assert list(page.versions) == told.versions[:1]
    rest = pb.ListDatasetVersionsRequest(dataset_urn=ORDERS, page_token=page.next_page_token)
    assert list(both.call(rest).versions) == told.versions[1:]


def test_reading_what_is_not_there(both: Both, orders: pb.Dataset) -> None:
    for unknown in (
        pb.GetDatasetRequest(dataset_urn=ANOTHER),
        pb.GetDatasetRequest(dataset_urn=ORDERS, version=2),
        pb.ListDatasetVersionsRequest(dataset_urn=ANOTHER),
    ):
        assert both.refused(unknown).code is grpc.StatusCode.NOT_FOUND
    for version in (-1, FAR_TOO_LARGE, -(2**63)):
        wrong = both.refused(pb.GetDatasetRequest(dataset_urn="x", version=version))
        assert wrong.violations == {"dataset_urn": "MALFORMED", "version": "OUT_OF_RANGE"}


def test_listing(both: Both, orders: pb.Dataset) -> None:
    both.http.registered(dataset_urn=ANOTHER, tier="TIER_2", owner_team="others")
    for asked, parameters in (
        (pb.ListDatasetsRequest(), {}),
        (pb.ListDatasetsRequest(tier="TIER_2"), {"tier": "TIER_2"}),
        (pb.ListDatasetsRequest(owner_team="others"), {"owner_team": "others"}),
        (pb.ListDatasetsRequest(retired=True), {"retired": "true"}),
        (
            pb.ListDatasetsRequest(options=ReadOptions(as_of=timestamp(NOON))),
            {"as_of": NOON.isoformat()},
        ),
    ):
        told = both.call(asked)
        in_http = over_http(both, "", params=parameters)
        assert [flat(one) for one in told.datasets] == in_http.get("datasets", [])
    page = both.call(pb.ListDatasetsRequest(page_size=1))
    more = pb.ListDatasetsRequest(page_size=1, page_token=page.next_page_token)
    more.options.min_position = page.answer.position
    names = [one.dataset_urn for one in [*page.datasets, *both.call(more).datasets]]
    assert names == [ORDERS, ANOTHER]
    more.retired = True
    assert both.refused(more).violations == {"page_token": "MALFORMED"}


def test_lists_that_cannot_be(both: Both) -> None:
    asked = pb.ListDatasetsRequest(
        tier="BEST", owner_team="x" * 101, page_size=2**31 - 1, options=ReadOptions(strong=True)
    )
    assert both.refused(asked).violations == {
        "tier": "UNKNOWN_VALUE",
        "owner_team": "TOO_LONG",
        "page_size": "OUT_OF_RANGE",
        "strong": "UNSUPPORTED",
    }
    versions = pb.ListDatasetVersionsRequest(dataset_urn="x", page_token="x")
    assert both.refused(versions).violations == {
        "dataset_urn": "MALFORMED",
        "page_token": "MALFORMED",
    }


def test_a_repeated_call_is_done_once(both: Both, orders: pb.Dataset) -> None:
    asked = update("tier", tier="TIER_2")
    first, again = both.call(asked, key="a"), both.call(asked, key="a")
    assert (first.answer.replayed, again.answer.replayed) == (False, True)
    assert (first.config_version, again.config_version) == (2, 2)
    assert both.refused(update("tier", tier="TIER_3"), key="a").reason == "IDEMPOTENCY_KEY_REUSED"


def test_a_stored_change_is_told_though_the_register_cannot_be_read() -> None:
    def unreadable(container: Container) -> None:
        reading = Raising(Unavailable("the register", "it is slow"))
        container.read_dataset.override(providers.Object(reading))

    with both_served(prepare=unreadable) as both:
        asked = pb.RegisterDatasetRequest(dataset_urn=ORDERS, settings=SETTINGS)
        told = both.call(asked)
    assert (told.config_version, told.settings) == (1, SETTINGS)
    assert told.answer.position
    assert not told.HasField("created_at")

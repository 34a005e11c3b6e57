"""How capacity is paid for can be said per table (S0-020, S0-217, T6)."""

import pytest

from adapters.row_layouts.billing import billed
from adapters.row_layouts.catalogue import EVERY_TABLE, Billing, Throughput


def units(said: str | None) -> dict[str, Throughput]:
    tables = billed(EVERY_TABLE, said)
    assert [table.name for table in tables] == [table.name for table in EVERY_TABLE]
    return {t.name: t.throughput for t in tables if t.billing is Billing.PROVISIONED}


def test_if_nothing_is_said_the_catalogue_counts() -> None:
    assert units(None) == {
        "observability-dataset-registry": Throughput(),
        "observability-dataset-resolution": Throughput(),
    }


@pytest.mark.parametrize("said", ["none", "", " none "])
def test_everything_on_demand(said: str) -> None:
    assert units(said) == {}


def test_what_is_named_is_provisioned_and_the_rest_on_demand() -> None:
    said = "observability-signal-state:500:3000, observability-event-log:5:7"
    assert units(said) == {
        "observability-signal-state": Throughput(500, 3000),
        "observability-event-log": Throughput(5, 7),
    }

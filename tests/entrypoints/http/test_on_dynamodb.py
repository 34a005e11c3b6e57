"""
The tests of HTTP that tell the most about tables, on DynamoDB.

All of them run there in `make soak`, or with `TEST_ENGINE=dynamodb pytest tests/entrypoints/http`.
"""

from collections.abc import Iterator

import pytest

from tests.entrypoints.http.api import Api, serving
from tests.entrypoints.http.datasets.test_datasets import (
    test_a_walk_through_the_pages_meets_everyone_once,
    test_listing_with_filters,
    test_old_versions_stay_readable,
    test_retiring_and_restoring,
    test_versions_are_listed_latest_first,
    test_what_was_read_can_be_sent_back,
)
from tests.entrypoints.http.datasets.test_rules import (
    test_a_rule_is_added_listed_changed_and_removed,
    test_why_a_topic_belongs_to_a_dataset,
)
from tests.entrypoints.http.lineage.test_lineage import (
    test_again_newer_and_older,
    test_long_lists_come_in_pages,
    test_what_lies_downstream,
)
from tests.entrypoints.http.operations.test_people import test_an_erased_person_is_unreadable
from tests.entrypoints.http.signals.test_batch import test_some_fail_and_the_rest_succeeds
from tests.entrypoints.http.signals.test_signals import (
    test_a_signal_is_read_as_the_design_shows_it,
    test_health_is_the_worst_of_the_signals,
    test_what_is_not_ok_is_listed_worst_first,
)
from tests.entrypoints.http.test_runbook import test_resolving_an_incident_by_hand

__all__ = [
    "test_a_rule_is_added_listed_changed_and_removed",
    "test_a_signal_is_read_as_the_design_shows_it",
    "test_a_walk_through_the_pages_meets_everyone_once",
    "test_again_newer_and_older",
    "test_an_erased_person_is_unreadable",
    "test_health_is_the_worst_of_the_signals",
    "test_listing_with_filters",
    "test_long_lists_come_in_pages",
    "test_old_versions_stay_readable",
    "test_resolving_an_incident_by_hand",
    "test_retiring_and_restoring",
    "test_some_fail_and_the_rest_succeeds",
    "test_versions_are_listed_latest_first",
    "test_what_is_not_ok_is_listed_worst_first",
    "test_what_lies_downstream",
    "test_what_was_read_can_be_sent_back",
    "test_why_a_topic_belongs_to_a_dataset",
]


@pytest.fixture
def api() -> Iterator[Api]:
    with serving("dynamodb") as served:
        yield served


def test_it_is_dynamodb(api: Api) -> None:
    assert api.get("/health").json()["engine"] == "dynamodb"


def test_numbers_of_any_kind_are_answered_alike() -> None:
    """DynamoDB has one kind of number; what callers see does not depend on the engine."""
    limits = {
        "amount": {"type": "number", "min": 1.0, "max": 1e300},
        "rate": {"type": "number", "min": 0.1, "max": 1e17},
    }
    binding = {"contract_id": "dc:orders:3", "field_constraints": limits}
    told = []
    for engine in ("dynamodb", "memory"):
        with serving(engine) as served:
            place = served.registered(contract_binding=binding)
            told.append(served.get(place).text.partition('"created_at"')[0])
    assert told[0] == told[1]
    assert "1e+300" in told[0]

"""One answer for each operation that answers with JSON, with every field filled."""

from functools import cache

import pytest

from tests.golden.golden import Golden
from tests.golden.responses.filled import Filled
from tests.golden.responses.recorder import OPERATIONS
from tests.golden.responses.scene import recorded

NOT_JSON = {
    "streamEvents": "server-sent events; `events.json` records the events themselves",
    "removeResolutionRule": "204, without a body",
}

IN_TROUBLE = {
    "CacheHealth.error",
    "ClearCachesResponse.error",
    "DatasetPolicy.stale_seconds",
    "EvidenceHealth.error",
    "EvidencePart.unavailable_ids",
    "HealthResponse.reason",
    "IncidentContextResponse.missing",
    "LikelyCause.without",
    "SinkHealth.error",
}
WITH_REDIS = {"CachesResponse.shared", "ClearCachesResponse.shared"}
NOT_FILLED = IN_TROUBLE | WITH_REDIS
"""What the scene does not show."""


answers = cache(recorded)


def test_every_operation_is_recorded_or_exempt() -> None:
    """What is missing has to be asked for in `scene.py`."""
    assert OPERATIONS.keys() - answers().keys() == NOT_JSON.keys()


def test_every_answer_is_a_success_that_is_described() -> None:
    for operation, answer in answers().items():
        assert str(answer["status"]) in OPERATIONS[operation].answers


def test_every_file_is_of_an_operation(golden: Golden) -> None:
    golden.only("responses", {f"{operation}.json" for operation in answers()})


@pytest.mark.parametrize("operation", sorted(OPERATIONS.keys() - NOT_JSON.keys()))
def test_an_answer(golden: Golden, operation: str) -> None:
    golden.json(f"responses/{operation}.json", answers()[operation])


def test_every_field_is_filled_somewhere() -> None:
    shown = Filled()
    for operation, one in answers().items():
        shown.answer(operation, one["body"])
    opened = {one for one in shown.lacking() if one.startswith("IncidentOpenedResponse.")}
    assert shown.lacking() - opened == NOT_FILLED
    later = {one.replace("IncidentOpenedResponse", "Incident") for one in opened}
    assert not later & shown.lacking(), "a fresh incident lacks what `Incident` shows later"

"""Whatever is sent, it is answered soon, without an internal error, and nothing is written."""

import time
from collections import Counter
from collections.abc import Iterator

import pytest

from entrypoints.graphql.transport.media_types import GRAPHQL
from tests.entrypoints.graphql.limits.hostile_documents import documents
from tests.entrypoints.http.api import Api, serving
from tests.entrypoints.http.validation.test_models import peopled
from tests.support.scale import scaled

SLOWEST = 10.0
"""Seconds of processor time; the slowest takes less than a tenth of that on an idle machine."""
SEEDS = 5


@pytest.fixture(scope="module")
def served() -> Iterator[Api]:
    with serving("memory", STATESTORE_LOG_LEVEL="error") as api:
        peopled(api)
        yield api


@pytest.mark.parametrize("seed", range(SEEDS))
def test_hostile_documents(served: Api, seed: int) -> None:
    head, codes = served.head(), Counter[str]()
    for document in documents(seed, scaled(220, 600)):
        began = time.process_time()
        answer = served.post("/graphql", document, headers={"Accept": GRAPHQL})
        assert time.process_time() - began < SLOWEST, str(document)[:500]
        told = answer.json()
        errors = told.get("errors", [])
        codes.update(one["extensions"]["code"] for one in errors)
        # 415: null is sent as no body at all.
        assert answer.status_code in (200, 400, 413, 415), answer.text[:500]
        assert (answer.status_code == 200) is ("data" in told), answer.text[:500]
        assert served.head() == head, str(document)[:500]
    assert "INTERNAL" not in codes
    # They are refused for many reasons, not for one that hides the others.
    assert len(codes) >= 8

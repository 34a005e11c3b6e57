"""The sample is as large as it should be, and the same everywhere (S0-316)."""

import json
import math
import os
import subprocess
import sys
from functools import cache

import pytest

from domain.evidence.evidence import is_kept
from tests.application.evidence.samples import some_id
from tests.support.scale import scaled

ITEMS = scaled(20_000, 200_000)
ELSEWHERE = """
import json, sys
from domain.evidence.evidence import is_kept
names = json.load(sys.stdin)
print(json.dumps([name for name in names if is_kept(name, "PASS", 0.01)]))
"""


@cache
def names() -> list[str]:
    return [some_id(number) for number in range(ITEMS)]


@pytest.mark.parametrize("rate", [0.001, 0.01, 0.1, 0.5])
def test_the_share_lies_within_five_deviations_of_the_rate(rate: float) -> None:
    kept = sum(is_kept(name, "PASS", rate) for name in names())
    deviation = math.sqrt(ITEMS * rate * (1 - rate))
    assert abs(kept - ITEMS * rate) < 5 * deviation


def test_a_higher_rate_keeps_all_that_a_lower_one_does() -> None:
    samples = [
        {name for name in names()[:5_000] if is_kept(name, "PASS", rate)}
        for rate in (0, 0.01, 0.1, 1)
    ]
    assert samples[0] == set()
    assert samples[0] < samples[1] < samples[2] < samples[3] == set(names()[:5_000])


def test_what_failed_is_always_kept() -> None:
    assert all(is_kept(name, "FAIL", 0) for name in names())


def test_another_process_keeps_the_same() -> None:
    elsewhere = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        input=json.dumps(names()),
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert json.loads(elsewhere.stdout) == [n for n in names() if is_kept(n, "PASS", 0.01)]

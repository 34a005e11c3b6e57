"""
The log keeps its promises whatever happens on the way (S2-38, S2-41, S2-47, S2-62..S2-64).

The same checker finds every broken log out, so its silence about the real one means something.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from adapters.eventstore.log import Receipt, StreamConflict
from application.errors import OutcomeUnknown
from tests.adapters.dynamodb.log.appending import STREAMS
from tests.adapters.dynamodb.support.faulty_transport import Fault
from tests.adapters.dynamodb.trials.broken_logs import (
    careless,
    endless,
    fresh_tokens,
    outdated,
    resolves_by_query,
    spans_apart,
    unconfirming,
)
from tests.adapters.dynamodb.trials.history_check import Wrong, violations
from tests.adapters.dynamodb.trials.trial import RATES, Told, Trial
from tests.support.scale import scaled

SEEDS = range(scaled(3, 40))
APPENDS = scaled(200, 2_000)
OFTEN = 20
"""How often every kind of fault must fire, in every trial."""
OUTCOMES = {Receipt: 100, StreamConflict: 20, OutcomeUnknown: 1}
"""How often callers must have been told so: a trial in which all fails shows nothing."""
SOME_SEEDS = range(30)
"""In one of which a broken log must be found out; mostly it is in the first or second, the endless
run in every fifth."""

FEW_STREAMS = STREAMS[:6]
"""So that what an append guards is often moved by somebody else on the way."""
HALF_SHOWN = {Fault.PART_OF_TRANSACTION: 0.9}
REPLIES_LOST = {Fault.REPLY_LOST: 0.4, **HALF_SHOWN}
RACES_ALONE: Mapping[str, Any] = {"rates": {}, "reads": 0.0}
"""What breaks by itself is found in as many trials without faults and reads, which take a third."""


def tried(trial: Trial) -> Told:
    return asyncio.run(trial.run())


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_goes_wrong_whatever_happens(seed: int) -> None:
    told = tried(Trial(seed, APPENDS, OFTEN, outcomes=OUTCOMES))
    assert violations(told.history, told.log) == []
    assert sum(told.fired.values()) >= 0.2 * told.calls
    for fault, rate in RATES.items():
        assert told.fired[fault] >= OFTEN or not rate, f"{fault} fired {told.fired[fault]} times"
    for kind, least in OUTCOMES.items():
        assert told.history.outcomes(kind) >= least


def test_nothing_goes_wrong_where_all_want_the_same() -> None:
    told = tried(Trial(7, APPENDS, streams=FEW_STREAMS))
    assert violations(told.history, told.log) == []
    assert told.history.outcomes(StreamConflict) >= APPENDS // 4


@pytest.mark.parametrize(
    ("broken", "signs"),
    [
        ({"layers": fresh_tokens, "variant": unconfirming}, {Wrong.REFUSED_BUT_VISIBLE}),
        ({"variant": outdated, "patience": 0.3}, {Wrong.GROUNDLESS_CONFLICT}),
        ({"variant": endless, "streams": FEW_STREAMS, **RACES_ALONE}, {Wrong.BROKEN_GUARD}),
        ({"variant": spans_apart}, {Wrong.VERSION_GAP, Wrong.UNTRUE_READ}),
        (
            {"variant": careless, "rates": HALF_SHOWN, "slowest": 0.1, "reads": 0.6},
            {Wrong.UNTRUE_READ},
        ),
        ({"variant": resolves_by_query, "rates": REPLIES_LOST, "reads": 0.6}, {Wrong.STALE_READ}),
    ],
    ids=[
        *("fresh tokens", "outdated versions", "endless run", "spans apart", "careless reader"),
        "outcomes by query",
    ],
)
def test_a_broken_log_is_found_out(broken: dict[str, Any], signs: set[Wrong]) -> None:
    found: set[Wrong] = set()
    for seed in SOME_SEEDS:
        told = tried(Trial(seed, least=200, **broken))
        found |= {violation.wrong for violation in violations(told.history, told.log)}
        if found & signs:
            return
    pytest.fail(f"not found out, only {found}")

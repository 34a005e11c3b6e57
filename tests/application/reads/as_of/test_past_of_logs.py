"""As of any moment, the answers are those of the log's prefix, whatever log the facts lie in."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.eventstore.history import LogHistory
from adapters.eventstore.log import Append, Log
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.sealing.seals import Seals
from adapters.memory.keys import MemoryKeys
from application.caller import Caller
from application.recorded import Recorded
from tests.adapters.eventstore.engines import ENGINES, Clock
from tests.application.projections.story import NOON
from tests.application.projections.test_any_story import chapters, told
from tests.application.reads.as_of.past_states import brute_force, past_of
from tests.application.reads.as_of.test_any_past import as_found, everything, moments
from tests.support.scale import scaled

NUMBERS = count(1)
EXAMPLES = {"memory": (10, 1_000), "sqlite": (15, 1_000), "dynamodb": (5, 100)}


def store(log: Log, clock: Clock, mapper: Mapper, facts: Sequence[Recorded]) -> None:
    """Each at its moment; what was recorded at the same one, in one append."""
    groups: dict[object, list[Recorded]] = {}
    for fact in facts:
        groups.setdefault(fact.at, []).append(fact)
    for group in groups.values():
        clock.at = group[0].at
        events = [
            mapper.event(
                one.stream, one.version, one.fact, event_id=one.event_id, by=Caller(one.by)
            )
            for one in group
        ]
        log.submit(Append(events)).result()


@pytest.mark.parametrize("kind", ENGINES)
def test_as_of_any_moment_is_the_fold_of_the_prefix_on_every_log(kind: str, tmp_path: Path) -> None:
    @settings(max_examples=scaled(*EXAMPLES[kind]), deadline=None)
    @given(st.lists(chapters, min_size=8, max_size=30), moments)
    def same(chapters: list[tuple[object, dict[str, object]]], moment: timedelta) -> None:
        facts, at = told(chapters).facts, NOON + moment
        folder, clock = tmp_path / f"{next(NUMBERS)}", Clock()
        folder.mkdir()
        mapper = Mapper.of_catalogue(Seals(MemoryKeys()))

        async def compare(log: Log) -> None:
            then = await brute_force(facts, at)
            expected = await everything(
                then.signals, then.incidents, then.datasets, then.rules, then.lineage
            )
            position = await log.position_at(at)
            past = await past_of(facts, at, history=LogHistory(log, mapper), position=position)
            assert past.position == sum(fact.at <= at for fact in facts)
            assert await as_found(past) == expected

        with ENGINES[kind].open(folder, clock) as log:
            store(log, clock, mapper, facts)
            asyncio.run(compare(log))

    same()

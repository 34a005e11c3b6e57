"""What the demo sends is a function of the seed and the moment, and it makes sense."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.ids import SIGNAL_TYPES, is_dataset_urn, is_evidence_id, is_incident_id, is_spec_id
from domain.timestamps import moment
from entrypoints.cli.demo.calls import Beat
from entrypoints.cli.demo.history_phases import phases
from entrypoints.cli.demo.lineage import FLOWS
from entrypoints.cli.demo.live_traffic import AT_ONCE, live
from entrypoints.cli.demo.platform import datasets
from entrypoints.cli.demo.seeded_random import Dice
from entrypoints.cli.demo.signal_courses import COURSES
from entrypoints.cli.demo.story import Story

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)

seeds = st.integers(0, 999_999)
moments = st.integers(0, 15 * 365 * 24 * 3600 * 1000).map(
    lambda milliseconds: datetime(2020, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
)
speeds = st.sampled_from([0.1, 1, 10, 1000])


def first(count: int, beats: Iterator[Beat]) -> list[Beat]:
    return list(islice(beats, count))


def test_forty_datasets_in_six_domains_and_three_tiers_with_all_signals() -> None:
    every = datasets().values()
    assert len(every) == 40
    assert len({one.domain for one in every}) == 6
    assert {one.tier for one in every} == {1, 2, 3}
    assert all(is_dataset_urn(one.urn) for one in every)
    looked_at = {signal for one in every for signal in one.signals}
    assert set(SIGNAL_TYPES) < looked_at
    assert any(signal.startswith("CUSTOM_") for signal in looked_at)


def test_every_dataset_is_written_by_someone_who_knows_its_columns() -> None:
    assert {short for flow in FLOWS for short in flow.writes} == set(datasets())
    for flow in FLOWS:
        assert is_spec_id(flow.spec_id("9f31c2d"))
        for short, named in [*flow.reads.items(), *flow.writes.items()]:
            assert set(named.split()) <= set(datasets()[short].columns), (flow.name, short)


@settings(max_examples=5, deadline=None)
@given(seeds, moments)
def test_the_same_seed_and_moment_fill_a_store_with_the_same(seed: int, now: datetime) -> None:
    assert list(phases(Dice(seed), now)) == list(phases(Dice(seed), now))


@settings(max_examples=20, deadline=None)
@given(seeds, moments, speeds)
def test_the_same_seed_and_moment_tell_the_same_story(
    seed: int, start: datetime, speed: float
) -> None:
    once, again = (list(Story(Dice(seed), start, speed).beats()) for _ in range(2))
    assert once == again
    assert first(3, live(Dice(seed), start, speed)) == first(3, live(Dice(seed), start, speed))


@settings(max_examples=5, deadline=None)
@given(seeds, moments, moments)
def test_the_same_seed_tells_the_same_numbers_on_any_day(
    seed: int, one: datetime, other: datetime
) -> None:
    """Ids, moments and counts follow the clock; states and scores do not."""
    assert verdicts(Dice(seed), one) == verdicts(Dice(seed), other)


def verdicts(dice: Dice, start: datetime) -> list[tuple[str, float]]:
    live_ones = first(3, live(dice, start, 1))
    calls = [call for beat in [*Story(dice, start, 1).beats(), *live_ones] for call in beat.calls]
    return [
        (update["state"], update["score"])
        for call in calls
        for update in call.body.get("updates", ())
    ]


def test_another_seed_tells_other_numbers() -> None:
    one, other = (list(Story(Dice(seed), NOON, 1).beats()) for seed in (1, 2))
    assert one != other
    assert [beat.said for beat in one] == [beat.said for beat in other]


@settings(max_examples=20, deadline=None)
@given(seeds, moments, speeds)
def test_a_story_is_told_in_order(seed: int, start: datetime, speed: float) -> None:
    """Windows end when their beat is, each after the last; no incident is used before it opens."""
    known: set[str] = set()
    before = datetime.min.replace(tzinfo=UTC)
    for beat in Story(Dice(seed), start, speed).beats():
        assert beat.at > before
        before = beat.at
        report, *acts = beat.calls
        ends = {moment(update["window_end"]) for update in report.body["updates"]}
        assert ends == {beat.at}
        for call in acts:
            assert set(re.findall(r"\{(\w+)\}", call.path)) <= known
            if call.opens:
                known.add(call.opens)
                assert is_incident_id(call.body["incident_id"] or "INC-generated")
                assert all(map(is_evidence_id, call.body["evidence_sample"]))
        assert set(re.findall(r"\{(\w+)\}", beat.said)) <= known


def test_at_speed_1_the_incident_opens_within_ten_seconds_and_heals_within_a_minute() -> None:
    beats = list(Story(Dice(7), NOON, 1).beats())
    at = {beat.name: beat.at - NOON for beat in beats}
    assert at["opened"] < timedelta(seconds=10)
    assert timedelta(seconds=30) < at["healed"] < timedelta(minutes=1)
    faster = list(Story(Dice(7), NOON, 10).beats())
    assert (faster[-1].at - NOON) * 10 == beats[-1].at - NOON


def test_the_deployment_withdraws_the_column_and_the_rollback_declares_it_again() -> None:
    column = "urn:col:urn:dp:orders:order_created:v1:customer_id"
    specs = {
        beat.name: [entry["column_urn"] for entry in call.body["column_writes"]]
        for beat in Story(Dice(7), NOON, 1).beats()
        for call in beat.calls
        if "/lineage/" in call.path
    }
    assert column not in specs["deployed"]
    assert specs["deployed"]
    assert column in specs["rolled back"]


def test_everything_that_breaks_in_the_story_heals_in_it() -> None:
    for course in COURSES.values():
        assert (course.beats[0], course.beats[-1]) == (".", ".")
        assert re.fullmatch(r"\.+(W*C*W*)\.+", course.beats)


def test_live_traffic_comes_to_every_signal_and_leaves_what_was_resolved_alone() -> None:
    """A wobble of a signal with a past would open its incident again."""
    signals = sum(len(one.signals) for one in datasets().values())
    beats = first(20 * signals // AT_ONCE, live(Dice(7), NOON, 1))
    updates = [update for beat in beats for update in beat.calls[0].body["updates"]]
    reported = {(update["dataset_urn"], update["signal_type"]) for update in updates}
    assert len(reported) == signals
    unwell = {(one["dataset_urn"], one["signal_type"]) for one in updates if one["state"] != "OK"}
    assert len(unwell) > 10
    assert not unwell & {(datasets()[short].urn, signal) for short, signal in COURSES}

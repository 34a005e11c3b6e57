"""All there is about an incident, when everything answers (S0-209, S0-250, S0-251)."""

from pathlib import Path

import pytest
from attrs import evolve

from application.reads.demand import Demand
from application.root_cause import related_incidents
from application.root_cause.deploys import Deploys
from application.root_cause.related_incidents import IncidentRelation
from domain.errors import NotFound
from domain.ids import IncidentId, ProducerId
from domain.incident.report import ReportedImplication
from domain.incident.values import IncidentStatus
from domain.lineage.report import ReportedEntry
from domain.signal.evaluation import SignalStateEnum
from domain.stream_categories import lineage_stream
from tests.application.incidents.stories import RESOLVED
from tests.application.lineage.test_lineage import INVOICES, REVENUE, col, declare, report
from tests.application.replaced_readers import current, replaced
from tests.application.root_cause.scene import (
    BREACH,
    EVIDENCE,
    OPENED,
    SERVICE,
    Followed,
    Walked,
    context,
    failing,
    minutes,
    never,
    opened,
    play,
    tell,
)
from tests.application.store import ADMIN, ENGINES, NOON, ORDERS, Store

pytestmark = pytest.mark.parametrize("engine", ENGINES)


def test_everything_that_led_to_it_is_told(engine: str, tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        told = await context(store, await tell(store))
        parts = told.parts
        assert told.complete
        assert told.incident.status is IncidentStatus.OPEN
        assert (told.breach.start, told.opened) == (BREACH, OPENED)

        evidence = parts.evidence.told
        assert evidence
        assert [one.evidence.evidence_id for one in evidence.found] == EVIDENCE[:3]
        assert evidence.missing == EVIDENCE[3:]

        assert parts.writers.told
        assert [one.entity.entity_id for one in parts.writers.told[0].entries] == [SERVICE]
        assert parts.readers.told
        read_by = [one.entity.entity_id for one in parts.readers.told[0].entries]
        assert read_by == ["job:a", "job:b", "job:c"]

        assert parts.signals.told
        states = [one.evaluation.state for one in parts.signals.told[0].evaluations]
        assert states == [SignalStateEnum.OK, SignalStateEnum.CRITICAL]

        assert parts.config_changes.told
        assert [(one.at, one.what) for one in parts.config_changes.told.changes] == [
            (NOON - minutes(20), "changed owner_team")
        ]
        assert parts.deploys.told
        assert [(one.producer, one.commit, one.at) for one in parts.deploys.told.deploys] == [
            (SERVICE, "bad", NOON - minutes(10))
        ]
        assert parts.related.told
        assert not parts.related.told.incidents

    play(engine, tmp_path, story)


def test_the_most_likely_producer_is_named_with_its_reasons(engine: str, tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        cause = (await context(store, await tell(store))).cause
        likeliest = cause.suspicion.likeliest
        assert likeliest
        assert (likeliest.producer_id, likeliest.version) == ("orders-svc", "v3.17")
        assert [(one.weight, one.sentence) for one in likeliest.reasons] == [
            (40, "wrote 3 of 3 failing records (v3.17)"),
            (30, "stopped writing customer_id with bad"),
            (25, f"is the top producer of the failures of VOLUME of {ORDERS} (v3.17)"),
            (22, "deployed bad 10 min before the breach"),
            (15, f"is the only one declared to write {ORDERS}"),
            (15, "was implicated when the incident was opened (v3.17)"),
        ]
        assert not cause.without

    play(engine, tmp_path, story)


def test_how_far_it_reached_then_and_now(engine: str, tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        name = await tell(store)
        store.clock.at = OPENED + minutes(30)
        more = report("q", reads={ORDERS: "job:d"}, updated_at=store.clock.at)
        await store.use_cases.declare_lineage(more, by=ADMIN)
        await store.project()
        parts = (await context(store, name)).parts
        assert parts.blast_radius_at_opening.told
        assert parts.blast_radius_at_opening.told[ORDERS].radius.downstream_count == 3
        assert parts.blast_radius_current.told
        assert parts.blast_radius_current.told[ORDERS].radius.downstream_count == 4

    play(engine, tmp_path, story)


def test_readers_of_one_name_are_several(engine: str, tmp_path: Path) -> None:
    """And one that reads several fields that fail is one."""

    async def story(store: Store) -> None:
        store.clock.at = OPENED
        reads = tuple(
            ReportedEntry(col(ORDERS, column), f"job:{number}", "loader", "JOB")
            for number in range(4)
            for column in ("id", "customer_id")
        )
        await declare(store, evolve(report(), column_reads=reads))
        name = await opened(store, failure_signatures=("LATE_DATA:id", "MISSING_FIELD:customer_id"))
        parts = (await context(store, name)).parts
        for radii in (parts.blast_radius_at_opening.told, parts.blast_radius_current.told):
            assert radii
            radius = radii[ORDERS].radius
            assert (radius.downstream_count, radius.downstream_services) == (4, ("loader",))

    play(engine, tmp_path, story)


def test_each_part_says_how_old_it_may_be(engine: str, tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        told = await context(store, await tell(store))
        assert {name: part.age_seconds for name, part in told.parts.each()} == dict.fromkeys(
            [name for name, _ in told.parts.each()], 0.0
        )

    play(engine, tmp_path, story)


def test_whoever_only_reads_is_not_asked_for_deploys(engine: str, tmp_path: Path) -> None:
    """There may be hundreds of them, and each costs reads of the log."""

    async def story(store: Store) -> None:
        name = await tell(store)
        usual = store.use_cases.read_context
        followed = Followed((await current(usual.reads)).streams)
        read = evolve(usual, reads=replaced(usual.reads, streams=followed), passing=never)
        told = await read(name, by=ADMIN)
        assert told.parts.deploys.told
        asked = {one for one in followed.streams if one.startswith("lineage-")}
        assert asked == {lineage_stream(ProducerId(SERVICE))}

    play(engine, tmp_path, story)


def test_what_lies_downstream_is_walked_once(engine: str, tmp_path: Path) -> None:
    """On DynamoDB each reader costs a query."""

    async def story(store: Store) -> None:
        name = await tell(store)
        usual = store.use_cases.read_context
        walked = Walked((await current(usual.reads)).lineage)
        read = evolve(usual, reads=replaced(usual.reads, lineage=walked), passing=never)
        assert (await read(name, by=ADMIN)).complete
        assert sorted(walked.entities) == ["job:a", "job:b", "job:c"]

    play(engine, tmp_path, story)


def test_a_deploy_that_only_the_incident_knows_of(engine: str, tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        store.clock.at = OPENED
        names = {
            minutes(10): ["deployed v9 10 min before the breach"],
            minutes(90): [],
        }
        for before, expected in names.items():
            known = ReportedImplication("loader", "v9", "LOW", OPENED - before)
            signature = f"LATE_DATA:a{before.seconds}"
            name = await opened(
                store, implicated=known, evidence_sample=(), failure_signatures=(signature,)
            )
            likeliest = (await context(store, name)).cause.suspicion.likeliest
            assert likeliest
            said = [one.sentence for one in likeliest.reasons]
            assert [one for one in said if one.startswith("deployed")] == expected

    play(engine, tmp_path, story)


def test_a_past_moment_shows_nothing_later(engine: str, tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        name = await tell(store)
        store.clock.at = OPENED + minutes(30)
        other = [failing(EVIDENCE[3], producer_id="other")]
        await store.use_cases.put_evidence(store.container.sieve().here(other), by=ADMIN)
        await store.use_cases.declare_lineage(
            report("q", reads={ORDERS: "job:d"}, updated_at=store.clock.at), by=ADMIN
        )
        await store.use_cases.change_incident(name, RESOLVED, by=ADMIN)
        await store.project()
        then = await context(store, name, Demand(as_of=OPENED + minutes(1)))
        assert then.complete
        assert then.incident.status is IncidentStatus.OPEN
        assert then.parts.evidence.told
        assert then.parts.evidence.told.missing == EVIDENCE[3:]
        assert then.parts.readers.told
        assert len(then.parts.readers.told[0].entries) == 3

        now = await context(store, name)
        assert now.incident.status is IncidentStatus.RESOLVED
        assert now.parts.evidence.told
        assert not now.parts.evidence.told.missing
        assert now.parts.readers.told
        assert len(now.parts.readers.told[0].entries) == 4

    play(engine, tmp_path, story)


def test_expired_evidence_comes_from_the_archive(engine: str, tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        name = await tell(store)
        store.clock.at = OPENED + minutes(25 * 60)
        evidence = (await context(store, name)).parts.evidence.told
        assert evidence
        assert [one.archived for one in evidence.found] == [True] * 3

    play(engine, tmp_path, story)


def test_merged_incidents_bring_their_datasets(engine: str, tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        name = await tell(store)
        other = await opened(
            store, dataset_urn=INVOICES, incident_id="INC-7721", evidence_sample=(), implicated=None
        )
        await store.use_cases.merge_incident(other, name, None, by=ADMIN)
        await store.project()
        told = await context(store, name)
        assert told.complete
        assert told.parts.writers.told
        assert [(one.dataset, len(one.entries)) for one in told.parts.writers.told] == [
            (ORDERS, 1),
            (INVOICES, 1),
        ]
        for radii in (
            told.parts.blast_radius_at_opening.told,
            told.parts.blast_radius_current.told,
        ):
            assert radii
            assert list(radii) == [ORDERS, INVOICES]

        merged = await context(store, other)
        assert merged.complete
        assert merged.incident.merged_into == name
        assert merged.parts.related.told
        assert [one.card.incident for one in merged.parts.related.told.incidents] == [name]

    play(engine, tmp_path, story)


def test_related_incidents_say_how(engine: str, tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        name = await tell(store)
        same = await opened(store, failure_signatures=("LATE_DATA:id",), implicated=None)
        above = await opened(store, dataset_urn=REVENUE, implicated=None)
        below = await opened(store, dataset_urn=INVOICES)
        await opened(store, dataset_urn="urn:dp:else:where:v1", implicated=None)
        told = (await context(store, name)).parts.related.told
        assert told
        assert {one.card.incident: one.relations for one in told.incidents} == {
            same: (IncidentRelation.SAME_DATASET,),
            above: (IncidentRelation.UPSTREAM,),
            below: (IncidentRelation.DOWNSTREAM, IncidentRelation.SAME_PRODUCER),
        }
        assert not told.more

    play(engine, tmp_path, story)


@pytest.mark.parametrize("most", [related_incidents.MOST_READINGS, 0])
def test_upstream_is_what_a_writer_reads_whoever_declares_it(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Where too many read what is open, what the writer's own producer declares must do."""
    monkeypatch.setattr(related_incidents, "MOST_READINGS", most)

    async def story(store: Store) -> None:
        store.clock.at = OPENED
        await declare(
            store,
            report("p1", reads={ORDERS: "job:x"}),
            report("p2", reads={REVENUE: "job:x"}, writes={INVOICES: "job:x"}),
        )
        by_other, by_own, below = [
            await opened(store, dataset_urn=one, implicated=None, evidence_sample=())
            for one in (ORDERS, REVENUE, INVOICES)
        ]
        for name, downstream in ((by_other, below), (by_own, below)):
            told = (await context(store, name)).parts.related.told
            assert told
            assert {one.card.incident: one.relations for one in told.incidents} == {
                downstream: (IncidentRelation.DOWNSTREAM,)
            }
        told = (await context(store, below)).parts.related.told
        assert told
        expected = dict.fromkeys(
            [by_own, by_other] if most else [by_own], (IncidentRelation.UPSTREAM,)
        )
        assert {one.card.incident: one.relations for one in told.incidents} == expected
        assert told.more is (not most)

    play(engine, tmp_path, story)


def test_a_dataset_that_nothing_else_is_known_of(engine: str, tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        store.clock.at = OPENED
        name = await opened(store, implicated=None, evidence_sample=())
        told = await context(store, name)
        assert told.complete
        assert told.breach.start == OPENED
        assert told.parts.config_changes.told
        assert [one.what for one in told.parts.config_changes.told.changes] == ["registered it"]
        assert told.parts.deploys.told == Deploys([], more=False)
        assert told.parts.signals.told == []
        assert told.cause.suspicion.suspects == ()
        assert told.cause.suspicion.likeliest is None

    play(engine, tmp_path, story)


def test_there_is_no_such_incident(engine: str, tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        with pytest.raises(NotFound):
            await context(store, IncidentId("INC-404"))

    play(engine, tmp_path, story)

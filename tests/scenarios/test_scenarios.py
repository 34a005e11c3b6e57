"""
The same stories through each interface; after every step all three tell the same of everything.

Each story says what is refused on the way: by the same code through every interface.
"""

from datetime import timedelta

from domain.timestamps import stamp
from tests.entrypoints.http.api import NOW, ORDERS, ORDERS_DATASET, update
from tests.scenarios.answers import How, Question
from tests.scenarios.questions import PAYMENTS, SIGNAL, VOLUME
from tests.scenarios.requests import LATE, OTHER_EVIDENCE, PLAIN_DATASET, RESOLUTION, fault, spec
from tests.scenarios.scene import Scene

THE_DATASET = Question("dataset", (ORDERS,))
THE_SIGNAL = Question("signal", (ORDERS, SIGNAL))
FIRST, SECOND = Question("incident", ("INC-1",)), Question("incident", ("INC-2",))


def test_a_dataset(scene: Scene) -> None:
    """Register, update, conflict, retire, restore; what its policy is, and was."""
    wrong = {**ORDERS_DATASET, "dataset_urn": "orders", "display_name": "", "owner_team": "a b"}
    assert scene.refused("VALIDATION", lambda by: by.register(wrong)).violations.keys() == {
        "dataset_urn",
        "display_name",
        "owner_team",
    }
    scene.not_told("NOT_FOUND", THE_DATASET)
    scene.done(lambda by: by.register(ORDERS_DATASET), THE_DATASET)
    taken = scene.refused("ALREADY_EXISTS", lambda by: by.register(ORDERS_DATASET))
    assert taken.current_version == 1

    change = {"tier": "TIER_2", "description": None, "pii_policy": None, "expected_version": 1}
    told = scene.done(lambda by: by.change_dataset(ORDERS, change), THE_DATASET)
    assert (told["config_version"], told["tier"], told["description"]) == (2, "TIER_2", None)
    stale = scene.refused("VERSION_CONFLICT", lambda by: by.change_dataset(ORDERS, change))
    assert stale.current_version == 2
    nowhere = {"tier": "TIER_1", "expected_version": -1}
    scene.refused("NOT_FOUND", lambda by: by.change_dataset(PAYMENTS, nowhere))
    wrong = {"owner_team": "", "retention_days": 0, "expected_version": 2}
    scene.refused("VALIDATION", lambda by: by.change_dataset(ORDERS, wrong))

    scene.done(lambda by: by.register(PLAIN_DATASET), Question("dataset", (PAYMENTS,)))
    scene.done(lambda by: by.retire(ORDERS), THE_DATASET)
    scene.refused("VALIDATION", lambda by: by.report(ORDERS, SIGNAL, update(0)))
    scene.done(lambda by: by.restore(ORDERS), THE_DATASET)
    scene.refused("NOT_FOUND", lambda by: by.retire("urn:dp:orders:unheard_of:v1"))
    scene.is_told_by_the_client()
    scene.look_back()
    scene.is_told_from_the_log()


def test_a_signal(scene: Scene) -> None:
    """Update, conflict, breach, late windows, recovery; its history, and as of then."""
    scene.refused("VALIDATION", lambda by: by.report(ORDERS, SIGNAL, update(0)))
    scene.done(lambda by: by.register(ORDERS_DATASET))
    scene.not_told("NOT_FOUND", THE_SIGNAL)
    scene.done(lambda by: by.report(ORDERS, SIGNAL, update(1, expected_version=0)))
    first = update(2, "CRITICAL", expected_version=0)
    stale = scene.refused("VERSION_CONFLICT", lambda by: by.report(ORDERS, SIGNAL, first))
    assert stale.current_version == 1
    unexplained = {**update(2), "state": "CRITICAL", "score": -1.0, "window_type": "x" * 201}
    wrong = scene.refused("VALIDATION", lambda by: by.report(ORDERS, SIGNAL, unexplained))
    assert wrong.violations.keys() >= {"failure_signature", "top_producer", "evidence_sample"}
    scene.refused("VALIDATION", lambda by: by.report(ORDERS, "MOOD", update(2)))

    breach = scene.done(lambda by: by.report(ORDERS, SIGNAL, update(2, "CRITICAL")))
    assert (breach["state"], breach["previous_state"]) == ("CRITICAL", "OK")
    scene.done(lambda by: by.report(ORDERS, VOLUME, update(2, "WARNING", slo_threshold=None)))
    late = scene.done(lambda by: by.report(ORDERS, SIGNAL, update(0, "UNKNOWN")))
    assert (late["is_current"], late["state"]) == (False, "CRITICAL")
    scene.done(lambda by: by.report(ORDERS, SIGNAL, update(3, score=1.0, expected_version=3)))
    scene.done(lambda by: by.change_dataset(ORDERS, {"tier": "TIER_3", "expected_version": 1}))
    scene.is_told_by_the_client()
    scene.look_back()
    scene.is_told_from_the_log()


def test_an_incident(scene: Scene) -> None:
    """Breach, incident, acknowledge, resolve, reopen, and everything people do between."""
    later = stamp(NOW + timedelta(hours=5))
    scene.done(lambda by: by.register(ORDERS_DATASET))
    scene.done(lambda by: by.report(ORDERS, SIGNAL, update(0, "CRITICAL")))
    scene.refused("VALIDATION", lambda by: by.open_incident(fault("x", severity="SEV_9")))
    nowhere = fault("INC-1", dataset=PAYMENTS)
    scene.refused("VALIDATION", lambda by: by.open_incident(nowhere))
    scene.refused("NOT_FOUND", lambda by: by.acknowledge("INC-1"))
    scene.refused("VALIDATION", lambda by: by.reopen("incident"))
    assert not scene.done(lambda by: by.open_incident(fault("INC-1")), FIRST)["joined"]
    more = fault("INC-9", evidence_sample=[OTHER_EVIDENCE])
    assert scene.done(lambda by: by.open_incident(more), FIRST)["joined"]

    stale = scene.refused(
        "VERSION_CONFLICT", lambda by: by.acknowledge("INC-1", expected_version=1)
    )
    assert stale.current_version
    scene.done(lambda by: by.acknowledge("INC-1", note="looking"), FIRST)
    scene.done(lambda by: by.assign("INC-1", oncall_user="joe@company.example"), FIRST)
    scene.done(lambda by: by.note("INC-1", note="it is the deploy"), FIRST)
    scene.refused("VALIDATION", lambda by: by.note("INC-1", note="x" * 10_001))
    scene.refused("VALIDATION", lambda by: by.snooze("INC-1", until=stamp(NOW)))
    scene.done(lambda by: by.snooze("INC-1", until=later, reason="it is late"), FIRST)
    scene.done(lambda by: by.wake("INC-1"), FIRST)
    scene.done(lambda by: by.assign("INC-1", oncall_user=None), FIRST)

    nothing = {"resolution": {"root_cause": ""}}
    scene.refused("VALIDATION", lambda by: by.resolve("INC-1", **nothing))
    scene.done(lambda by: by.resolve("INC-1", resolution=RESOLUTION), FIRST)
    scene.refused("INVALID_STATE", lambda by: by.acknowledge("INC-1"))
    scene.refused("INVALID_STATE", lambda by: by.snooze("INC-1", until=later))
    told = scene.done(lambda by: by.reopen("INC-1", reason="it is back"), FIRST)
    assert (told["status"], told["resolution"]) == ("OPEN", None)
    scene.is_told_by_the_client()
    scene.look_back()


def test_duplicates(scene: Scene) -> None:
    """Two incidents that are one, and then two again."""
    scene.done(lambda by: by.register(ORDERS_DATASET))
    scene.done(lambda by: by.register(PLAIN_DATASET))
    scene.done(lambda by: by.report(ORDERS, SIGNAL, update(0, "CRITICAL")))
    scene.done(lambda by: by.report(PAYMENTS, VOLUME, update(0, "CRITICAL")))
    scene.done(lambda by: by.open_incident(fault("INC-1", severity="SEV_2")), FIRST)
    other = fault("INC-2", PAYMENTS, LATE, signal_types=[VOLUME], implicated_producer=None)
    scene.done(lambda by: by.open_incident(other), SECOND)

    scene.refused("NOT_FOUND", lambda by: by.merge("INC-2", into="INC-7"))
    scene.refused("INVALID_STATE", lambda by: by.split("INC-2"))
    scene.done(lambda by: by.merge("INC-2", into="INC-1", reason="the same deploy"), SECOND)
    scene.done(lambda by: by.open_incident(fault("INC-8", PAYMENTS, LATE)), FIRST)
    scene.done(lambda by: by.acknowledge("INC-1"), FIRST)
    scene.done(lambda by: by.split("INC-2", reason="it is not"), SECOND)
    scene.done(lambda by: by.resolve("INC-2", resolution={"root_cause": "a test"}), SECOND)
    scene.is_told_by_the_client()
    scene.look_back()
    scene.is_told_from_the_log()


def test_lineage(scene: Scene) -> None:
    """Who reads and writes, what lies downstream, and how far an incident reaches."""
    wrong = {**spec("9f31c2d", 1), "confidence": "SURE", "commit": "0000000"}
    scene.refused("VALIDATION", lambda by: by.declare(wrong))
    assert scene.done(lambda by: by.declare(spec("9f31c2d", 1)))["result"] == "applied"
    scene.done(lambda by: by.register(ORDERS_DATASET))
    scene.done(lambda by: by.open_incident(fault("INC-1")), FIRST)
    smaller = spec("aaaaaaa", 2, dataset_reads=[], column_reads=[], ttl_seconds=86_400)
    scene.done(lambda by: by.declare(smaller))
    assert scene.done(lambda by: by.declare(spec("bbbbbbb", 0)))["result"] == "superseded"
    scene.is_told_by_the_client()
    scene.look_back()


def test_what_cannot_be_told(scene: Scene) -> None:
    scene.done(lambda by: by.register(ORDERS_DATASET))
    scene.done(lambda by: by.report(ORDERS, SIGNAL, update(0)))
    tomorrow = How(as_of=stamp(NOW + timedelta(days=1)))
    for question in scene.world.questions():
        scene.not_told("AS_OF_IN_FUTURE", question, tomorrow)
        scene.not_told("VALIDATION", question, How(min_position="?"))
        scene.not_told("VALIDATION", question, How(as_of=stamp(NOW), min_position="?"))
    for what, *about in (
        ("dataset", "orders"),
        ("versions", "orders"),
        ("signals", "orders"),
        ("health", "orders"),
        ("policy", "orders"),
        ("incidents_of", "orders"),
        ("writers", "orders"),
        ("downstream", "orders"),
        ("column_readers", "orders"),
        ("signal", ORDERS, "MOOD"),
        ("incident", "x"),
        ("timeline", "x"),
        ("impact", "x"),
        ("history", ORDERS, SIGNAL, stamp(NOW), stamp(NOW - timedelta(1))),
    ):
        scene.not_told("VALIDATION", Question(what, tuple(about)))

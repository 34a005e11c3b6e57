"""Facts survive storage, for ever: names, shapes, envelopes, upcasts."""

import json
from pathlib import Path

import orjson
import pytest

from adapters.eventstore import envelope
from adapters.eventstore.catalogue import FACTS as CATALOGUED
from adapters.eventstore.catalogue import Catalogue, Entry
from adapters.eventstore.codec import Codec, UnreadableRecord
from adapters.eventstore.log import LogEntry, NewEvent
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.sealing.seals import CONFIDENTIAL, PersonalKey, Seals, key_id_of
from adapters.memory.keys import MemoryKeys
from application.caller import Caller
from application.recorded import ERASED
from domain.dataset.config import Registered, RuleRemoved
from domain.streams import StreamId
from tests.adapters.eventstore.examples import FACTS, FIRST_RELEASE, NOON, ORDERS, OWNER, SETTINGS

FROZEN = Path(__file__).with_name("frozen") / "facts.json"
JANE = Caller("jane@company.example", correlation_id="cor-1", causation_id="cau-1", trace="00-ab")


@pytest.fixture
def seals() -> Seals:
    return Seals(MemoryKeys())


@pytest.fixture
def mapper(seals: Seals) -> Mapper:
    return Mapper.of_catalogue(seals)


@pytest.fixture
def elsewhere(seals: Seals) -> Mapper:
    """In a process that has not written what it reads."""
    return Mapper.of_catalogue(seals)


def event(mapper: Mapper, fact: object, by: Caller = JANE) -> NewEvent:
    return mapper.event(StreamId(f"dataset-{ORDERS}"), 3, fact, event_id=b"0123456789abcdef", by=by)


def stored(new: NewEvent) -> LogEntry:
    return LogEntry(7, NOON, new.stream, new.version, new.name, new.data, new.event_id, new.meta)


def test_every_catalogued_fact_has_an_example() -> None:
    assert set(FACTS) == {entry.name for entry in CATALOGUED}


@pytest.mark.parametrize("name", FACTS)
def test_a_fact_comes_back_as_it_was(mapper: Mapper, elsewhere: Mapper, name: str) -> None:
    new = stored(event(mapper, FACTS[name]))
    assert mapper.recorded(new).fact == FACTS[name]
    assert elsewhere.recorded(new).fact == FACTS[name]


@pytest.mark.parametrize("name", FACTS)
def test_a_fact_is_stored_under_its_catalogue_name(mapper: Mapper, name: str) -> None:
    assert event(mapper, FACTS[name]).name == name


def test_the_envelope_comes_back_whole(mapper: Mapper) -> None:
    recorded = mapper.recorded(stored(event(mapper, RuleRemoved("x"))))
    assert recorded.position == 7
    assert recorded.at == NOON
    assert (recorded.stream, recorded.version) == (f"dataset-{ORDERS}", 3)
    assert recorded.event_id == b"0123456789abcdef"
    assert recorded.by == "jane@company.example"
    assert (recorded.correlation_id, recorded.causation_id) == ("cor-1", "cau-1")
    assert recorded.trace == "00-ab"
    assert recorded.tags == (f"dataset:{ORDERS}",)


@pytest.mark.parametrize("name", FACTS)
def test_records_of_the_first_release_are_still_read(name: str) -> None:
    """If this fails, a stored shape changed: raise the schema version and add an upcast."""
    frozen = json.loads(FROZEN.read_text())
    key = PersonalKey(frozen["key"]["id"], bytes.fromhex(frozen["key"]["secret"]))
    mapper = Mapper.of_catalogue(Seals(MemoryKeys({OWNER: key})))
    record = frozen["facts"][name]
    fact = mapper.codec.read(name, record["schema"], orjson.dumps(record["data"]))
    assert fact == FIRST_RELEASE[name]


def test_ids_in_other_systems_are_sealed_since_their_second_schema(
    mapper: Mapper, seals: Seals
) -> None:
    """Seed 10.2: `notification_state` is not kept in clear. It once was, and is still read."""
    new = event(mapper, FACTS["incident.notifications_linked"])
    linked = orjson.loads(new.data)["notifications"]
    confidential = seals.keys.key_of(CONFIDENTIAL).key_id
    assert {key_id_of(token) for token in linked.values()} == {confidential}
    assert envelope.read(new.meta).schema == 2
    in_clear = b'{"notifications": {"jira_ticket": "DATA-1"}}'
    assert mapper.codec.read(new.name, 1, in_clear).notifications.jira_ticket == "DATA-1"
    with pytest.raises(UnreadableRecord):
        mapper.codec.read(new.name, 2, in_clear)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("dataset.rule_removed", b'{"name": "x", "more": 1}'),
        ("dataset.rule_removed", b"{}"),
        ("dataset.rule_removed", b'{"name": 1}'),
        ("dataset.rule_removed", b"nonsense"),
        ("dataset.unheard_of", b"{}"),
    ],
)
def test_what_is_not_understood_is_refused(mapper: Mapper, name: str, data: bytes) -> None:
    with pytest.raises(UnreadableRecord):
        mapper.codec.read(name, 1, data)


def test_a_record_of_a_later_release_is_refused(mapper: Mapper) -> None:
    with pytest.raises(UnreadableRecord):
        mapper.codec.read("dataset.retired", 2, b"{}")


def test_old_shapes_are_brought_up_step_by_step(seals: Seals) -> None:
    codec = Codec(
        Catalogue((Entry("dataset.rule_removed", RuleRemoved, schema=3),)),
        seals,
        upcasts={
            ("dataset.rule_removed", 1): lambda old: {"rule": old["title"]},
            ("dataset.rule_removed", 2): lambda old: {"name": old["rule"]},
        },
    )
    assert codec.read("dataset.rule_removed", 1, b'{"title": "x"}') == RuleRemoved("x")
    assert codec.read("dataset.rule_removed", 2, b'{"rule": "x"}') == RuleRemoved("x")
    assert codec.read("dataset.rule_removed", 3, b'{"name": "x"}') == RuleRemoved("x")


# Personal data


def test_people_are_not_stored_in_clear(mapper: Mapper) -> None:
    new = event(mapper, Registered(ORDERS, SETTINGS))
    assert OWNER.encode() not in new.data
    assert b"jane" not in new.meta


def test_the_envelope_names_the_keys_it_was_sealed_with(mapper: Mapper, seals: Seals) -> None:
    new = event(mapper, Registered(ORDERS, SETTINGS))
    owner, jane = seals.keys.key_of(OWNER).key_id, seals.keys.key_of(JANE.principal).key_id
    assert set(orjson.loads(new.meta)["k"]) == {owner, jane}
    assert key_id_of(orjson.loads(new.data)["settings"]["owner_email"]) == owner


def test_an_erased_person_is_gone_and_the_rest_remains(mapper: Mapper, seals: Seals) -> None:
    entry = stored(event(mapper, Registered(ORDERS, SETTINGS)))
    assert seals.forget(OWNER.upper())
    recorded = mapper.recorded(entry)
    assert recorded.fact.settings.owner_email == ERASED
    assert recorded.fact.settings.owner_team == SETTINGS.owner_team
    assert recorded.by == "jane@company.example"


def test_a_new_key_after_erasure_opens_nothing_old(mapper: Mapper, seals: Seals) -> None:
    entry = stored(event(mapper, RuleRemoved("x")))
    seals.forget(JANE.principal)
    again = stored(event(mapper, RuleRemoved("x")))
    assert mapper.recorded(entry).by == ERASED
    assert mapper.recorded(again).by == JANE.principal


def test_a_personal_value_in_clear_is_refused(mapper: Mapper) -> None:
    clear = {"dataset": ORDERS, "settings": {"owner_email": OWNER}}
    with pytest.raises(UnreadableRecord):
        mapper.codec.read("dataset.registered", 1, orjson.dumps(clear))


def test_a_sealed_value_that_was_tampered_with_is_refused(mapper: Mapper) -> None:
    data = orjson.loads(event(mapper, Registered(ORDERS, SETTINGS)).data)
    token = data["settings"]["owner_email"]
    data["settings"]["owner_email"] = token[:-6] + ("A" if token[-6] != "A" else "B") + token[-5:]
    with pytest.raises(UnreadableRecord):
        mapper.codec.read("dataset.registered", 1, orjson.dumps(data))

"""What projections could not take, over HTTP."""

from application.projections.quarantined_facts import SetAside
from application.reads.position import Position
from domain.timestamps import stamp
from tests.entrypoints.http.api import NOW, Api

PATH = "/api/v1/projections/quarantined-facts"


def test_nothing_is_set_aside_as_long_as_all_goes_well(api: Api) -> None:
    api.registered()
    assert api.get(PATH).json() == {"count": 0, "facts": []}


def test_what_was_set_aside_is_told_with_its_place_and_reason(api: Api) -> None:
    late = SetAside("dataset-registry", 12, "0c", NOW, "KeyError: 'tier'")
    early = SetAside("signal-state", 2, "02", NOW, "TypeError: no")
    for fact in (late, early):
        filing = {fact.key: (fact, fact.position)}
        api.loop.run(api.container.cards().file(fact.projection, filing, upto=fact.position))
    told = api.get(PATH).json()
    assert told["count"] == 2
    assert [one["projection"] for one in told["facts"]] == ["signal-state", "dataset-registry"]
    assert told["facts"][1] == {
        "projection": "dataset-registry",
        "position": Position(12).token(),
        "event_id": "0c",
        "recorded_at": stamp(NOW),
        "reason": "KeyError: 'tier'",
    }


def test_strangers_are_told_nothing(api: Api) -> None:
    del api.client.headers["Authorization"]
    assert api.get(PATH).status_code == 401

"""Many signals in one read over HTTP (S0-212)."""

from datetime import timedelta
from typing import Any

from domain.timestamps import stamp
from tests.entrypoints.http.api import ORDERS, Api, fields, problem, update
from tests.entrypoints.http.validation.test_models import SIGNAL, asking, done

LOOKUP = "/api/v1/signals/lookup"
OTHER = "urn:dp:orders:other:v1"


def name(dataset: str = ORDERS, signal_type: str = "CONTRACT_COMPLIANCE") -> dict[str, str]:
    return {"dataset_urn": dataset, "signal_type": signal_type}


def looked_up(api: Api, *names: dict[str, str], **asked: str) -> list[Any]:
    told = done(api.post(asking(LOOKUP, **asked), {"signals": list(names)})).json()
    signals: list[Any] = told["signals"]
    return signals


def test_signals_come_in_the_order_of_the_names(api: Api) -> None:
    api.registered()
    api.registered(dataset_urn=OTHER)
    done(api.put(SIGNAL, update(0, "CRITICAL")))
    done(api.put(f"/api/v1/datasets/{OTHER}/signals/VOLUME", update(0)))

    found = looked_up(api, name(OTHER, "VOLUME"), name(OTHER), name(), name(OTHER, "VOLUME"))

    other = done(api.get(f"/api/v1/datasets/{OTHER}/signals/VOLUME")).json()
    assert found == [other, None, done(api.get(SIGNAL)).json(), other]
    assert looked_up(api) == []


def test_as_it_was_and_as_it_must_be(api: Api) -> None:
    api.registered()
    done(api.put(SIGNAL, update(0)))
    then = stamp(api.clock.at)
    api.clock.at += timedelta(hours=1)
    position = done(api.put(SIGNAL, update(1, "CRITICAL"))).headers["statestore-position"]

    (now,) = looked_up(api, name(), min_position=position)
    assert now["state"] == "CRITICAL"
    answer = api.post(asking(LOOKUP, as_of=then), {"signals": [name(), name(OTHER)]})
    was, never = answer.json()["signals"]
    assert (was["state"], was["version"], never) == ("OK", 1, None)
    assert answer.headers["statestore-as-of"] == then
    assert answer.headers["statestore-position"] != position
    later = api.post(asking(LOOKUP, as_of="2126-01-15T10:00:00Z"), {"signals": []})
    assert problem(later)["code"] == "AS_OF_IN_FUTURE"


def test_all_that_is_wrong_is_told_at_once(api: Api) -> None:
    sent = {"signals": [name(), name("nonsense", "X"), {"dataset_urn": ORDERS, "extra": 1}, 7]}
    assert fields(api.post(asking(LOOKUP, as_of="yesterday", min_position="?"), sent)) == {
        "as_of": "MALFORMED",
        "min_position": "MALFORMED",
        "signals[1].dataset_urn": "MALFORMED",
        "signals[1].signal_type": "UNKNOWN_VALUE",
        "signals[2].extra": "UNKNOWN_FIELD",
        "signals[2].signal_type": "REQUIRED",
        "signals[3]": "WRONG_TYPE",
    }


def test_there_is_a_limit(api: Api) -> None:
    assert looked_up(api, *[name()] * 500) == [None] * 500
    assert fields(api.post(LOOKUP, {"signals": [name()] * 501})) == {"signals": "TOO_MANY"}
    assert fields(api.post(LOOKUP, {})) == {"signals": "REQUIRED"}
    assert fields(api.post(LOOKUP, {"signals": name()})) == {"signals": "WRONG_TYPE"}

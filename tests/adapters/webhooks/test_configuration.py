"""The list of webhooks: read whole, or refused with everything that is wrong with it."""

import json
from typing import Any

import pytest

from adapters.webhooks.configuration import Webhook, read_webhooks, webhooks_said
from application.delivery.event import EventType

GOOD = {"name": "oncall", "url": "https://example.com/hook", "secret": "0123456789abcdef"}


def problems(*said: Any) -> str:
    with pytest.raises(ValueError, match=r".") as refused:
        read_webhooks(json.dumps(said))
    return str(refused.value)


def test_all_events_or_some() -> None:
    some = {**GOOD, "name": "some", "types": ["INCIDENT_CREATED"]}
    assert read_webhooks(json.dumps([GOOD, some])) == [
        Webhook("oncall", "https://example.com/hook", "0123456789abcdef"),
        Webhook(
            "some",
            "https://example.com/hook",
            "0123456789abcdef",
            frozenset({EventType.INCIDENT_CREATED}),
        ),
    ]


def test_none() -> None:
    assert read_webhooks("[]") == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"name": "On Call"}, "webhook 1: name must be"),
        ({"name": 5}, "webhook 1: name must be"),
        ({"url": "ftp://example.com"}, "webhook 1: url must begin"),
        ({"url": "https://"}, "webhook 1: url must begin"),
        ({"url": "https://[::1"}, "webhook 1: url must begin"),
        ({"url": "https://example..com/hook"}, "webhook 1: url must begin"),
        ({"url": f"https://{'a' * 64}.com"}, "webhook 1: url must begin"),
        ({"url": "https://exa mple.com"}, "webhook 1: url must begin"),
        ({"url": "https://example.com\\@elsewhere"}, "webhook 1: url must begin"),
        ({"secret": "short"}, "webhook 1: secret must have at least 16"),
        ({"types": []}, "webhook 1: types must be"),
        ({"types": ["ELSE"]}, "webhook 1: types must be"),
        ({"types": [["INCIDENT_CREATED"]]}, "webhook 1: types must be"),
        ({"retries": 5}, "webhook 1: retries is not known"),
    ],
)
def test_what_is_wrong_is_told(change: dict[str, Any], told: str) -> None:
    assert problems({**GOOD, **change}).startswith(told)


def test_everything_at_once_and_no_secret() -> None:
    told = problems({**GOOD, "url": "x", "secret": "hush"}, {**GOOD, "name": ""}, GOOD, GOOD)
    assert told.count(";") >= 3
    assert "another one has the same name" in told
    assert "hush" not in told


@pytest.mark.parametrize("text", ["", "{}", "[1]", '"x"', "[", "null"])
def test_what_is_no_list_is_told(text: str) -> None:
    with pytest.raises(ValueError, match="must be a JSON list of webhooks"):
        read_webhooks(text)


def test_there_is_an_end_to_them() -> None:
    assert "at most 50" in problems(*[{**GOOD, "name": f"n{number}"} for number in range(51)])


@pytest.mark.parametrize(
    "said", [json.dumps(GOOD), f'"{GOOD["secret"]}"', f"{GOOD['secret']}\n", "x" * 300 + "hush"]
)
def test_what_is_taken_for_a_path_is_not_repeated(said: str) -> None:
    """A list that lacks its brackets is no file, and has a secret in it."""
    with pytest.raises(ValueError, match="is no list, and no file that can be read") as refused:
        webhooks_said(said)
    assert GOOD["secret"] not in str(refused.value)
    assert "hush" not in str(refused.value)
    assert refused.value.__cause__ is None

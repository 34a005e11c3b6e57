"""Answers of GraphQL in the form of HTTP, and answers of HTTP as far as GraphQL tells them."""

import re
from collections.abc import Callable
from typing import Any

from tests.scenarios.answers import Told, plain, without

Form = Callable[[Any], Told]

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def snake(told: Any) -> Told:
    match told:
        case dict():
            return {_HUMP.sub("_", name).lower(): snake(value) for name, value in told.items()}
        case list():
            return list(map(snake, told))
        case _:
            return plain(told)


def is_refused(told: Told) -> bool:
    return isinstance(told, dict) and told.keys() == {"refused"}


def dataset(told: Any) -> Told:
    said = snake(told)
    if binding := said["contract_binding"]:
        binding["field_constraints"] = {
            one["field"]: without(one, "field") for one in binding["field_constraints"]
        }
    return said


def signal(told: Any) -> Told:
    return past(told)


def past(told: Any) -> Told:
    said = snake(told)
    producer = said.pop("top_producer") or {}
    return {
        **without(said, "declared_slo_threshold"),
        "slo_threshold": said["declared_slo_threshold"],
        "top_producer": producer.get("producer_id"),
        "top_producer_version": producer.get("version"),
        "top_producer_confidence": producer.get("confidence"),
    }


def incident(told: Any) -> Told:
    return snake(told)


def entry(told: Any) -> Told:
    """The details are in the words of HTTP already."""
    return {**snake(without(told, "details")), "details": plain(told["details"])}


# What HTTP tells beyond it


def known_dataset(told: Told) -> Told:
    return without(told, "archived_at")


def known_signal(told: Told) -> Told:
    return without(told, "ttl")


def known_incident(told: Told) -> Told:
    """What it is about comes as one list: its own, what was attached, what was merged."""
    names = ("signal_types", "failure_signatures")
    own = {"dataset_urn": told["primary_dataset_urn"], **{name: told[name] for name in names}}
    merged = [concern for one in told["merged_incidents"] for concern in one["concerns"]]
    return {
        **without(told, "ttl", "related", "joined"),
        "merged_incidents": [one["incident_id"] for one in told["merged_incidents"]],
        "concerns": [own, *told["related"], *merged],
    }


KNOWN: dict[str, Form] = {
    "dataset": known_dataset,
    "datasets": known_dataset,
    "retired": known_dataset,
    "signal": known_signal,
    "signals": known_signal,
    "critical": known_signal,
    "incident": known_incident,
    "incidents": known_incident,
    "active": known_incident,
    "incidents_of": known_incident,
}


def known(what: str, told: Told) -> Told:
    if what not in KNOWN or is_refused(told):
        return told
    return list(map(KNOWN[what], told)) if isinstance(told, list) else KNOWN[what](told)

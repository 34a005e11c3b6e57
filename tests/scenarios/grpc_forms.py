"""Messages in the form of HTTP: the same fields, where these lie deeper or are said otherwise."""

from typing import Any

from google.protobuf.message import Message

from tests.scenarios.messages import in_json
from tests.scenarios.telling import Told, without


def dataset(message: Message) -> Told:
    told = in_json(message)
    return {**without(told, "settings"), **told["settings"]}


def signal(message: Message) -> Told:
    """HTTP tells when the verdict was reached in the history only."""
    told = in_json(message)
    value = _evaluation(told.pop("state"))
    return {**without(value, "evaluated_at"), **told, "ttl": told["ttl"] or None}


def past(message: Message) -> Told:
    """`breach_start` and `incident_id` belong to the signal, not to an evaluation."""
    told = in_json(message)
    value = _evaluation(told.pop("evaluation"))
    assert value.pop("breach_start") is value.pop("incident_id") is None
    return {**value, **told}


def _evaluation(value: dict[str, Told]) -> dict[str, Told]:
    producer = value.pop("top_producer") or {}
    return {
        **value,
        "top_producer": producer.get("producer_id"),
        "top_producer_version": producer.get("version"),
        "top_producer_confidence": producer.get("confidence"),
    }


def update(message: Message, urn: str, signal_type: str) -> Told:
    """Of an update that was accepted."""
    told = in_json(message)
    unsaid = ("error_code", "error_message", "violations", "current_version")
    assert not any(told.pop(name) for name in unsaid)
    assert (told.pop("success"), told.pop("replayed")) == (True, False)
    about = {"dataset_urn": urn, "signal_type": signal_type}
    return {**about, "version": told.pop("new_version"), **told}


def health(message: Any) -> Told:
    return {**in_json(message), "signals": list(map(signal, message.signals))}


def incident(message: Message) -> Told:
    told = without(in_json(message), "joined")
    return {**told, "ttl": told["ttl"] or None}


def downstream(message: Message) -> Told:
    told = in_json(message)
    return {**told, "datasets": list(map(_affected, told["datasets"]))}


def _affected(told: dict[str, Told]) -> Told:
    """The dataset as a whole is all of its columns, which HTTP leaves out."""
    whole = told.pop("whole")
    assert not (whole and told["columns"])
    return {**told, "columns": None if whole else told["columns"]}


def policy(message: Message) -> Told:
    told = in_json(message)
    assert told.pop("not_modified") is False
    return told

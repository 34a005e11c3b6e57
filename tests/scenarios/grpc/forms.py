"""Messages in the form of HTTP: the same fields, where they lie deeper or are said otherwise."""

from tests.scenarios.answers import Told, without

Message = dict[str, Told]
"""As JSON."""


def dataset(told: Message) -> Told:
    return {**without(told, "settings"), **told["settings"]}


def signal(told: Message) -> Told:
    """HTTP tells when the verdict was reached in the history only."""
    value = without(_evaluation(told["state"]), "evaluated_at")
    return {**value, **without(told, "state"), "ttl": told["ttl"] or None}


def past(told: Message) -> Told:
    """`breach_start` and `incident_id` belong to the signal, not to an evaluation."""
    value = _evaluation(told["evaluation"])
    assert value["breach_start"] is value["incident_id"] is None
    return {**without(value, "breach_start", "incident_id"), **without(told, "evaluation")}


def _evaluation(value: Message) -> Message:
    producer = value["top_producer"] or {}
    return {
        **value,
        "top_producer": producer.get("producer_id"),
        "top_producer_version": producer.get("version"),
        "top_producer_confidence": producer.get("confidence"),
    }


def update(told: Message, urn: str, signal_type: str) -> Told:
    """Of an update that was accepted."""
    unsaid = ("error_code", "error_message", "violations", "current_version", "replayed")
    assert not any(told[name] for name in unsaid)
    about = {"dataset_urn": urn, "signal_type": signal_type, "version": told["new_version"]}
    return {**about, **without(told, "success", "new_version", *unsaid)}


def health(told: Message) -> Told:
    return {**told, "signals": list(map(signal, told["signals"]))}


def incident(told: Message) -> Told:
    return {**without(told, "joined"), "ttl": told["ttl"] or None}


def downstream(told: Message) -> Told:
    return {**told, "datasets": list(map(_affected, told["datasets"]))}


def _affected(told: Message) -> Told:
    """The dataset as a whole is all of its columns, which HTTP leaves out."""
    assert not (told["whole"] and told["columns"])
    return {**without(told, "whole"), "columns": None if told["whole"] else told["columns"]}


def policy(told: Message) -> Told:
    assert told["not_modified"] is False
    return without(told, "not_modified")

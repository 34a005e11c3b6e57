"""Datasets whose configuration changed, for other systems (S0-254)."""

from collections.abc import Sequence
from typing import assert_never

from attrs import fields

from application.delivery.event import Event, EventType
from application.recorded import Recorded
from domain.dataset.config import (
    DatasetFact,
    Reconfigured,
    Registered,
    Restored,
    Retired,
    RuleAdded,
    RuleChanged,
    RuleRemoved,
)
from domain.dataset.settings import Settings
from domain.stream_categories import dataset_of


def dataset_event(recorded: Recorded, fact: DatasetFact, config_version: int) -> Event:
    """The one event that names who did it: the contract asks for it."""
    return Event(
        event_id=recorded.event_id.hex(),
        event_type=EventType.DATASET_CONFIG_CHANGED,
        stream=recorded.stream,
        position=recorded.position,
        at=recorded.at,
        dataset=dataset_of(recorded.stream),
        told={
            "changed_fields": list(_changed(fact)),
            "config_version": config_version,
            "updated_by": recorded.by,
        },
    )


def config_version_after(facts: Sequence[DatasetFact]) -> int:
    """The version of the configuration after the facts of a dataset's stream."""
    for fact in reversed(facts):
        if isinstance(fact, Reconfigured):
            return fact.config_version
    return 1


def _changed(fact: DatasetFact) -> Sequence[str]:
    match fact:
        case Registered(_, settings):
            return ["status", *_said(settings)]
        case Reconfigured(named):
            return named
        case Retired() | Restored():
            return ["status"]
        case RuleAdded() | RuleChanged() | RuleRemoved():
            return ["resolution_rules"]
        case _:
            assert_never(fact)


def _said(settings: Settings) -> Sequence[str]:
    """What a new dataset was registered with."""
    bare = Settings()
    names = [attribute.name for attribute in fields(Settings)]
    return [name for name in names if getattr(settings, name) != getattr(bare, name)]

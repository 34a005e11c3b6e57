"""Filling a store: datasets and rules, lineage, a day of history, incidents in every status."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from attrs import frozen

from entrypoints.cli.demo import past_incidents
from entrypoints.cli.demo.calls import Call, batch, declaration
from entrypoints.cli.demo.history import BATCH, history
from entrypoints.cli.demo.lineage import FLOWS
from entrypoints.cli.demo.platform import datasets
from entrypoints.cli.demo.seeded_random import Dice


@frozen
class Phase:
    """Requests that belong together; `said` is what the progress bar calls them."""

    said: str
    calls: Sequence[Call]


def phases(dice: Dice, now: datetime) -> Iterator[Phase]:
    yield Phase("Datasets and rules", list(_registrations()))
    yield Phase("Lineage", list(_lineage(dice, now)))
    yield Phase("A day of history", list(_history(dice, now)))
    yield Phase("Incidents", list(past_incidents.incident_calls(dice, now)))


def _registrations() -> Iterator[Call]:
    for dataset in datasets().values():
        yield Call("POST", "/api/v1/datasets", dataset.registration())
        for rule in dataset.rules():
            yield Call("POST", f"/api/v1/datasets/{dataset.urn}/resolution-rules", rule)


def _lineage(dice: Dice, now: datetime) -> Iterator[Call]:
    for flow in FLOWS:
        commit = dice.commit("first", flow.entity)
        days = dice.between(1, 20, "deployed", flow.entity)
        yield declaration(flow.spec_id(commit), flow.spec(commit, now - timedelta(days=days)))


def _history(dice: Dice, now: datetime) -> Iterator[Call]:
    updates = list(history(dice, now))
    for first in range(0, len(updates), BATCH):
        yield batch(updates[first : first + BATCH])

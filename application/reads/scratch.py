"""A place for cards that are made for one answer and forgotten."""

from datetime import datetime
from typing import Protocol

from attrs import frozen

from application.datasets.read_model import Registry
from application.datasets.resolution_read_model import DatasetRules
from application.incidents.read_model import IncidentBoard
from application.lineage.read_model import LineageGraph
from application.projections.view_store import Cards
from application.signals.read_model import SignalBoard


@frozen
class Scratch:
    """Cards, and what readers see of them."""

    cards: Cards
    signals: SignalBoard
    incidents: IncidentBoard
    registry: Registry
    rules: DatasetRules
    lineage: LineageGraph


class Scratches(Protocol):
    def __call__(self, at: datetime) -> Scratch:
        """An empty one, in which it is that moment for ever."""
        ...

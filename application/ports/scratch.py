"""A place for cards that are made for one answer and forgotten."""

from datetime import datetime
from typing import Protocol

from attrs import frozen

from application.ports.cards import Cards
from application.ports.incident_board import IncidentBoard
from application.ports.lineage_graph import LineageGraph
from application.ports.registry import Registry
from application.ports.resolution_map import DatasetRules
from application.ports.signal_board import SignalBoard


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

"""A store of views that are folded for one answer."""

from datetime import datetime
from typing import Protocol

from attrs import frozen

from application.datasets.read_model import DatasetReadModel
from application.datasets.resolution_read_model import RuleReadModel
from application.incidents.read_model import IncidentReadModel
from application.lineage.read_model import LineageGraph
from application.projections.view_store import Cards
from application.signals.read_model import SignalReadModel


@frozen
class Scratch:
    """Views, and the read models that show them."""

    cards: Cards
    signals: SignalReadModel
    incidents: IncidentReadModel
    datasets: DatasetReadModel
    rules: RuleReadModel
    lineage: LineageGraph


class Scratches(Protocol):
    def __call__(self, at: datetime) -> Scratch:
        """An empty one, in which it is that moment for ever."""
        ...

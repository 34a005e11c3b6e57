"""The projections there are."""

from collections.abc import Mapping, Sequence

from application.projections.dead_letters import DeadLetterCards
from application.projections.directory import StreamDirectory
from application.projections.incident_board import IncidentCards
from application.projections.lineage_index import LineageCards
from application.projections.projection import Projection
from application.projections.registry import DatasetCards
from application.projections.resolution_map import RuleCards
from application.projections.signal_board import SignalCards
from domain.kept_for import KeptFor
from entrypoints.settings import Settings


def folded_anew(kept_for: KeptFor) -> Sequence[Projection]:
    """What answers about the past are folded with."""
    return (
        SignalCards(kept=kept_for.signals),
        DatasetCards(),
        RuleCards(),
        LineageCards(),
        IncidentCards(kept=kept_for.incidents),
    )


def all_projections(kept_for: KeptFor) -> Sequence[Projection]:
    return (*folded_anew(kept_for), StreamDirectory(), DeadLetterCards())


def projections_by_name(settings: Settings) -> Mapping[str, Projection]:
    return {one.name: one for one in all_projections(settings.kept_for)}

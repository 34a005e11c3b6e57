"""The projections there are."""

from collections.abc import Mapping, Sequence

from application.projections.datasets import DatasetCards
from application.projections.dead_letters import DeadLetterCards
from application.projections.incidents import IncidentCards
from application.projections.lineage import LineageCards
from application.projections.projection import Projection
from application.projections.resolution_rules import RuleCards
from application.projections.signals import SignalCards
from application.projections.stream_directory import StreamDirectory
from domain.retention import KeptFor
from entrypoints.settings.loading import Settings


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

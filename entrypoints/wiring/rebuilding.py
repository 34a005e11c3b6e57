"""Read models anew, proven, and swept."""

from dependency_injector import providers

from adapters.eventstore.inspection.fact_descriptions import LogFactsTold
from adapters.generations.drafts import FoldHere, TableDrafts
from adapters.generations.table_generations import TableGenerations
from application.maintenance.expiry import Sweeper
from application.maintenance.rebuild import Rebuild
from application.maintenance.verify import Verify
from application.projections.cutover import HandOver
from entrypoints.logs import expired_rows_sweep_failed, expired_rows_swept
from entrypoints.wiring.engines import Engines
from entrypoints.wiring.facts import Facts
from entrypoints.wiring.foundation import Ground
from entrypoints.wiring.projections import projections_by_name
from entrypoints.wiring.read_models import ReadModels
from entrypoints.wiring.reading import Reading


class Renewal(Reading):
    generations = providers.Singleton(
        TableGenerations,
        Engines.bare_tables,
        ReadModels.pointers,
        Facts.seals,
        Engines.rows_at_once,
        ReadModels.hot_datasets,
        Engines.generations_kept,
    )
    by_name = providers.Callable(projections_by_name, Ground.settings)
    fold_here = providers.Singleton(
        FoldHere,
        Engines.draft_places,
        Facts.log_feed,
        by_name,
        Facts.seals,
        ReadModels.hot_datasets,
    )
    # A server has it done by a process apart.
    draft_folder = providers.Callable(lambda here: here, fold_here)
    drafts = providers.Singleton(
        TableDrafts,
        Engines.draft_places,
        draft_folder,
        fold_here.provided.folding,
        generations,
        Ground.clock,
    )
    hand_over = providers.Singleton(
        HandOver,
        by_name,
        Facts.log_feed,
        ReadModels.cards,
        ReadModels.runner.provided.at_rest,
        Engines.hand_over_leases,
    )
    rebuild = providers.Singleton(Rebuild, drafts, hand_over, Ground.access)
    verify = providers.Singleton(
        Verify,
        drafts,
        generations,
        ReadModels.cards,
        providers.Singleton(LogFactsTold, Engines.log, Facts.mapper),
        hand_over,
        ReadModels.runner.provided.at_rest,
        Ground.access,
    )
    sweeper = providers.Singleton(
        Sweeper,
        Engines.bare_tables,
        Ground.clock,
        on_swept=providers.Object(expired_rows_swept),
        on_trouble=providers.Object(expired_rows_sweep_failed),
    )

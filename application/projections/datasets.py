"""The register of datasets: the present configuration and every earlier version."""

from collections.abc import Iterable

from attrs import evolve, frozen

from application.datasets.read_model import DatasetKey, DatasetView
from application.projections.projection import Changes, View
from application.projections.view_store import Group, Key
from application.recorded import Recorded
from domain.dataset import config
from domain.dataset.config import DatasetStatus
from domain.stream_categories import dataset_of

REGISTRY = "dataset-registry"

_CONCERNED = frozenset(
    {
        config.Registered,
        config.Reconfigured,
        config.Retired,
        config.Restored,
    }
)


@frozen
class DatasetCards:
    name: str = REGISTRY

    def concerns(self, fact: object, version: int) -> bool:
        return type(fact) in _CONCERNED

    def keys(self, recorded: Recorded) -> Iterable[Key]:
        if type(recorded.fact) in _CONCERNED:
            yield DatasetKey(dataset_of(recorded.stream))

    def groups(self, recorded: Recorded) -> Iterable[Group]:
        return ()

    def after(self, view: View, recorded: Recorded) -> Changes:
        if type(recorded.fact) not in _CONCERNED:
            return
        latest = DatasetKey(dataset_of(recorded.stream))
        match recorded.fact:
            case config.Registered() as fact:
                yield latest, _registered(recorded, fact)
            case config.Reconfigured() as fact:
                card: DatasetView = view.get(latest)
                yield (
                    DatasetKey(card.dataset, card.config_version),
                    evolve(card, archived_at=recorded.at),
                )
                yield latest, _reconfigured(card, recorded, fact)
            case config.Retired():
                yield (
                    latest,
                    evolve(view.get(latest), status=DatasetStatus.RETIRED, retired_at=recorded.at),
                )
            case config.Restored():
                yield latest, evolve(view.get(latest), status=DatasetStatus.ACTIVE, retired_at=None)


def _registered(recorded: Recorded, fact: config.Registered) -> DatasetView:
    return DatasetView(
        dataset=fact.dataset,
        status=DatasetStatus.ACTIVE,
        settings=fact.settings,
        config_version=1,
        created_at=recorded.at,
        updated_at=recorded.at,
        updated_by=recorded.by,
    )


def _reconfigured(card: DatasetView, recorded: Recorded, fact: config.Reconfigured) -> DatasetView:
    return evolve(
        card,
        settings=config.reconfigured(card.settings, fact),
        config_version=fact.config_version,
        updated_at=recorded.at,
        updated_by=recorded.by,
    )

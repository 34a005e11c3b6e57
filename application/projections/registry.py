"""The register of datasets: the present configuration and every earlier version."""

from collections.abc import Iterable

from attrs import evolve, frozen

from application.ports.cards import Group, Key
from application.ports.registry import DatasetCard, DatasetKey
from application.projections.projection import Changes, View
from application.recorded import Recorded
from domain import dataset_config
from domain.dataset_config import DatasetStatus
from domain.ids import dataset_of

REGISTRY = "registry"

_CONCERNED = frozenset(
    {
        dataset_config.Registered,
        dataset_config.Reconfigured,
        dataset_config.Retired,
        dataset_config.Restored,
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
            case dataset_config.Registered() as fact:
                yield latest, _registered(recorded, fact)
            case dataset_config.Reconfigured() as fact:
                card: DatasetCard = view.get(latest)
                yield (
                    DatasetKey(card.dataset, card.config_version),
                    evolve(card, archived_at=recorded.at),
                )
                yield latest, _reconfigured(card, recorded, fact)
            case dataset_config.Retired():
                yield (
                    latest,
                    evolve(view.get(latest), status=DatasetStatus.RETIRED, retired_at=recorded.at),
                )
            case dataset_config.Restored():
                yield latest, evolve(view.get(latest), status=DatasetStatus.ACTIVE, retired_at=None)


def _registered(recorded: Recorded, fact: dataset_config.Registered) -> DatasetCard:
    return DatasetCard(
        dataset=fact.dataset,
        status=DatasetStatus.ACTIVE,
        settings=fact.settings,
        config_version=1,
        created_at=recorded.at,
        updated_at=recorded.at,
        updated_by=recorded.by,
    )


def _reconfigured(
    card: DatasetCard, recorded: Recorded, fact: dataset_config.Reconfigured
) -> DatasetCard:
    return evolve(
        card,
        settings=dataset_config.reconfigured(card.settings, fact),
        config_version=fact.config_version,
        updated_at=recorded.at,
        updated_by=recorded.by,
    )

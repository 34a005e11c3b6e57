"""What is agreed about a dataset's incidents."""

from application.ports.streams import Streams
from domain.dataset_config import DatasetConfig
from domain.dataset_settings import IncidentPolicy
from domain.ids import DatasetUrn, dataset_stream


async def agreed(streams: Streams, dataset: DatasetUrn) -> IncidentPolicy:
    config = await streams.state(dataset_stream(dataset), DatasetConfig())
    return config.settings.incident_policy or IncidentPolicy()

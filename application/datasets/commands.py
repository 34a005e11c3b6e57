"""Registering datasets and changing what is agreed about them."""

from collections.abc import Callable, Sequence

from attrs import evolve, frozen

from application.caller import Caller
from application.ports.access import Access
from application.ports.patterns import Patterns
from application.ports.streams import Committed, Streams
from application.recorded import ERASED
from domain.dataset.config import DatasetConfig, DatasetFact, DatasetStatus
from domain.dataset.settings_validation import DatasetReport, SettingsReport
from domain.errors import NotFound
from domain.ids import DatasetUrn
from domain.stream_categories import dataset_stream
from domain.streams import Decision, States
from domain.versions import ANY_VERSION


@frozen
class DatasetChanged:
    """The dataset after the change."""

    dataset: DatasetUrn
    config: DatasetConfig
    position: int
    replayed: bool
    """Whether this answers a request that had been answered before."""


@frozen
class RegisterDataset:
    streams: Streams
    access: Access
    patterns: Patterns

    async def __call__(self, report: DatasetReport, *, by: Caller) -> DatasetChanged:
        """Raises Invalid, or AlreadyExists if the name is taken, also by a retired dataset."""
        await self.access.permit(by, "dataset:register", report.dataset_urn)
        parsed = report.parse(self.patterns.problem)
        name, settings = parsed.dataset, parsed.settings
        return await decide_on(
            self.streams, name, lambda config: config.register(name, settings), by
        )


@frozen
class UpdateDataset:
    """Give the named fields new values. What is not named stays as it is.

    A caller that read the settings of an erased person may send them back: that changes nothing.
    """

    streams: Streams
    access: Access
    patterns: Patterns

    async def __call__(
        self,
        dataset: DatasetUrn,
        report: SettingsReport,
        *,
        expected_version: int,
        expected_status: DatasetStatus | None = None,
        by: Caller,
    ) -> DatasetChanged:
        """Raises Invalid, NotFound, VersionMismatch, or Impossible if the dataset is retired."""
        await self.access.permit(by, "dataset:update", dataset)
        changed = {*report.named}
        if report.settings.owner_email == ERASED:
            changed.discard("owner_email")
        to = evolve(report, named=changed).parse(self.patterns.problem)
        return await decide_on(
            self.streams,
            dataset,
            lambda config: (
                known(config, dataset)
                .at(ANY_VERSION, expected_status)
                .reconfigure(sorted(changed), to, expected_version=expected_version)
            ),
            by,
        )


@frozen
class RetireDataset:
    """Take a dataset out of service. Its history stays, its signals accept nothing more."""

    streams: Streams
    access: Access

    async def __call__(
        self,
        dataset: DatasetUrn,
        *,
        by: Caller,
        expected_version: int = ANY_VERSION,
        expected_status: DatasetStatus | None = None,
    ) -> DatasetChanged:
        await self.access.permit(by, "dataset:retire", dataset)
        return await decide_on(
            self.streams,
            dataset,
            lambda config: known(config, dataset).at(expected_version, expected_status).retire(),
            by,
        )


@frozen
class RestoreDataset:
    streams: Streams
    access: Access

    async def __call__(
        self,
        dataset: DatasetUrn,
        *,
        by: Caller,
        expected_version: int = ANY_VERSION,
        expected_status: DatasetStatus | None = None,
    ) -> DatasetChanged:
        await self.access.permit(by, "dataset:restore", dataset)
        return await decide_on(
            self.streams,
            dataset,
            lambda config: known(config, dataset).at(expected_version, expected_status).restore(),
            by,
        )


def known(config: DatasetConfig, dataset: DatasetUrn) -> DatasetConfig:
    """Raises NotFound if the dataset was never registered."""
    if config.status is DatasetStatus.UNREGISTERED:
        raise NotFound("dataset", dataset)
    return config


async def decide_on(
    streams: Streams,
    dataset: DatasetUrn,
    decide: Callable[[DatasetConfig], Sequence[DatasetFact]],
    by: Caller,
) -> DatasetChanged:
    """Make one decision about one dataset."""
    stream = dataset_stream(dataset)

    def decision(states: States) -> Decision:
        return {stream: decide(states[stream])}

    committed = await streams.transact([stream], decision, by=by)
    return _changed(dataset, committed)


def _changed(dataset: DatasetUrn, committed: Committed) -> DatasetChanged:
    config = committed.states[dataset_stream(dataset)]
    return DatasetChanged(dataset, config, committed.position, committed.replayed)

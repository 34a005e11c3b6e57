"""What can be asked of the store, by waiting for it; the awaited twins say what each call does."""

import asyncio
from collections.abc import Callable

from statestore_client.blocking.generation import Waiting, iterates, makes, waits
from statestore_client.blocking.streams import Batches, Stream
from statestore_client.datasets import AsyncDatasets
from statestore_client.evidence import AsyncEvidence
from statestore_client.incidents import AsyncIncidents
from statestore_client.lineage import AsyncLineage
from statestore_client.models.signals import Evaluation, SignalState, SignalUpdated
from statestore_client.policies import AsyncPolicies
from statestore_client.rules import AsyncRules
from statestore_client.signals import AsyncSignals


class Signals(Waiting[AsyncSignals]):
    update = waits(AsyncSignals.update)
    update_many = waits(AsyncSignals.update_many)
    get = waits(AsyncSignals.get)
    get_many = waits(AsyncSignals.get_many)
    of_dataset = waits(AsyncSignals.of_dataset)
    health = waits(AsyncSignals.health)
    list = iterates(AsyncSignals.list)
    history = iterates(AsyncSignals.history)
    batching = makes(AsyncSignals.batching, Batches)
    stream = makes(AsyncSignals.stream, Stream)

    def update_with_retry(
        self,
        dataset_urn: str,
        signal_type: str,
        decide: Callable[[SignalState | None], Evaluation | None],
        *,
        tries: int = 10,
    ) -> SignalUpdated | None:
        """Read the signal, decide, write; and again if somebody else wrote in between (S0-203).

        `decide` is called in a thread of its own, maybe several times, and may use the client.
        """

        async def deciding(now: SignalState | None) -> Evaluation | None:
            return await asyncio.to_thread(decide, now)

        return self._thread.run(
            self._awaited.update_with_retry(dataset_urn, signal_type, deciding, tries=tries)
        )


class Incidents(Waiting[AsyncIncidents]):
    create = waits(AsyncIncidents.create)
    update = waits(AsyncIncidents.update)
    acknowledge = waits(AsyncIncidents.acknowledge)
    resolve = waits(AsyncIncidents.resolve)
    reopen = waits(AsyncIncidents.reopen)
    snooze = waits(AsyncIncidents.snooze)
    wake = waits(AsyncIncidents.wake)
    merge = waits(AsyncIncidents.merge)
    split = waits(AsyncIncidents.split)
    get = waits(AsyncIncidents.get)
    list = iterates(AsyncIncidents.list)
    timeline = iterates(AsyncIncidents.timeline)
    impact = waits(AsyncIncidents.impact)


class Datasets(Waiting[AsyncDatasets]):
    register = waits(AsyncDatasets.register)
    update = waits(AsyncDatasets.update)
    retire = waits(AsyncDatasets.retire)
    restore = waits(AsyncDatasets.restore)
    get = waits(AsyncDatasets.get)
    list = iterates(AsyncDatasets.list)
    versions = iterates(AsyncDatasets.versions)


class Rules(Waiting[AsyncRules]):
    list = waits(AsyncRules.list)
    add = waits(AsyncRules.add)
    change = waits(AsyncRules.change)
    remove = waits(AsyncRules.remove)
    resolve = waits(AsyncRules.resolve)


class Lineage(Waiting[AsyncLineage]):
    declare = waits(AsyncLineage.declare)
    writers = iterates(AsyncLineage.writers)
    readers = iterates(AsyncLineage.readers)
    impact = waits(AsyncLineage.impact)


class Policies(Waiting[AsyncPolicies]):
    get = waits(AsyncPolicies.get)
    get_many = waits(AsyncPolicies.get_many)


class EvidenceGroup(Waiting[AsyncEvidence]):
    put = waits(AsyncEvidence.put)
    put_many = waits(AsyncEvidence.put_many)
    get = waits(AsyncEvidence.get)
    get_many = waits(AsyncEvidence.get_many)
    list = iterates(AsyncEvidence.list)
    batching = makes(AsyncEvidence.batching, Batches)
    stream = makes(AsyncEvidence.stream, Stream)

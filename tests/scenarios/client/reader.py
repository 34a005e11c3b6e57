"""Everything that can be read, as the typed client tells it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from attrs import frozen

from statestore_client import AsyncStateStore, IncidentStatus, State, StateStoreError
from tests.entrypoints.grpc.support.served import Served
from tests.entrypoints.http.api import TOKEN
from tests.scenarios.answers import Question, Told, not_answered, plain
from tests.scenarios.grpc import forms
from tests.scenarios.models import in_json

Form = Callable[[Any], Told]


@frozen
class ClientReader:
    served: Served
    store: AsyncStateStore

    def ask(self, question: Question) -> Told:
        try:
            return self.served.run(getattr(self, question.what)(*question.about))
        except StateStoreError as error:
            return not_answered(error.code)

    async def dataset(self, urn: str) -> Told:
        return await _one(self.store.datasets.get(urn), forms.dataset)

    async def versions(self, urn: str) -> Told:
        return await _all(self.store.datasets.versions(urn), forms.dataset)

    async def datasets(self) -> Told:
        return await _all(self.store.datasets.list(), forms.dataset)

    async def retired(self) -> Told:
        return await _all(self.store.datasets.list(retired=True), forms.dataset)

    async def signal(self, urn: str, signal_type: str) -> Told:
        return await _one(self.store.signals.get(urn, signal_type), forms.signal)

    async def signals(self, urn: str) -> Told:
        return [forms.signal(in_json(one)) for one in await self.store.signals.of_dataset(urn)]

    async def critical(self) -> Told:
        return await _all(self.store.signals.list(states=[State.CRITICAL]), forms.signal)

    async def not_ok(self) -> Told:
        return await _all(self.store.signals.list(), forms.signal)

    async def history(self, urn: str, signal_type: str, since: str, until: str) -> Told:
        start, end = map(datetime.fromisoformat, (since, until))
        told = self.store.signals.history(urn, signal_type, since=start, until=end)
        return await _all(told, forms.past)

    async def health(self, urn: str) -> Told:
        return await _one(self.store.signals.health(urn), forms.health)

    async def incident(self, name: str) -> Told:
        return await _one(self.store.incidents.get(name), forms.incident)

    async def timeline(self, name: str) -> Told:
        return await _all(self.store.incidents.timeline(name), plain)

    async def impact(self, name: str) -> Told:
        return await _one(self.store.incidents.impact(name), plain)

    async def incidents(self) -> Told:
        return await _all(self.store.incidents.list(), forms.incident)

    async def active(self) -> Told:
        statuses = [IncidentStatus.OPEN, IncidentStatus.ACKNOWLEDGED]
        return await _all(self.store.incidents.list(statuses=statuses), forms.incident)

    async def incidents_of(self, urn: str) -> Told:
        return await _all(self.store.incidents.list(dataset_urn=urn), forms.incident)

    async def writers(self, urn: str) -> Told:
        return await _all(self.store.lineage.writers(urn), plain)

    async def readers(self, urn: str) -> Told:
        return await _all(self.store.lineage.readers(urn), plain)

    async def column_writers(self, urn: str) -> Told:
        return await self.writers(urn)

    async def column_readers(self, urn: str) -> Told:
        return await self.readers(urn)

    async def downstream(self, urn: str) -> Told:
        return await _one(self.store.lineage.impact(urn), forms.downstream)

    async def policy(self, urn: str) -> Told:
        return await _one(self.store.policies.get(urn), forms.policy)


async def _one(asked: Awaitable[Any], form: Form) -> Told:
    return form(in_json(await asked))


async def _all(asked: AsyncIterator[Any], form: Form) -> Told:
    return [form(in_json(one)) async for one in asked]


@contextmanager
def client(served: Served) -> Iterator[ClientReader]:
    store = served.run(_connected(served.server.address))
    try:
        yield ClientReader(served, store)
    finally:
        served.run(store.close())


async def _connected(address: str) -> AsyncStateStore:
    return AsyncStateStore(address, token=TOKEN)

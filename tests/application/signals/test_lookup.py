"""Many signals in one read, through the use case, on every engine (S0-212)."""

import asyncio
from pathlib import Path

import pytest
from attrs import define, evolve

from application.caller import Caller
from application.errors import Forbidden
from application.signals.read_model import SignalKey
from domain.dataset.settings_validation import DatasetReport
from domain.ids import DatasetUrn, SignalType
from domain.signal.evaluation import SignalStateEnum
from tests.application.store import (
    ADMIN,
    ENGINES,
    ORDERS,
    SETTINGS,
    VOLUME,
    Store,
    open_store,
    report,
)

OTHER = DatasetUrn("urn:dp:orders:other:v1")
NOWHERE = DatasetUrn("urn:dp:orders:unheard_of:v1")
PII = SignalType("PII")


async def filled(store: Store) -> None:
    for dataset, state in ((ORDERS, "CRITICAL"), (OTHER, "OK")):
        await store.use_cases.register_dataset(DatasetReport(dataset, SETTINGS), by=ADMIN)
        await store.use_cases.update_signal(report(0, state=state, dataset=dataset), by=ADMIN)


@pytest.mark.parametrize("engine", ENGINES)
def test_cards_come_in_the_order_of_the_names(engine: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_store(engine, tmp_path) as store:
            await filled(store)
            await store.project()
            names = [(NOWHERE, VOLUME), (OTHER, VOLUME), (ORDERS, PII), (ORDERS, VOLUME)]
            keys = [SignalKey(*name) for name in (*names, names[1])]
            cards = (await store.use_cases.read_signals(keys, by=ADMIN)).value
            states = [card and card.state for card in cards]
            assert states == [
                None,
                SignalStateEnum.OK,
                None,
                SignalStateEnum.CRITICAL,
                SignalStateEnum.OK,
            ]
            assert cards[3] == (await store.use_cases.read_signal(ORDERS, VOLUME, by=ADMIN)).value
            assert (await store.use_cases.read_signals([], by=ADMIN)).value == []

    asyncio.run(story())


@pytest.mark.parametrize("engine", ENGINES)
def test_it_waits_for_writes_about_the_datasets_named_only(engine: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_store(engine, tmp_path) as store:
            await filled(store)
            await store.project()
            await store.use_cases.update_signal(report(1, dataset=ORDERS), by=ADMIN)
            about_both = [SignalKey(OTHER, VOLUME), SignalKey(ORDERS, VOLUME)]
            waiting = asyncio.create_task(store.use_cases.read_signals(about_both, by=ADMIN))
            (unmoved,) = (await store.use_cases.read_signals(about_both[:1], by=ADMIN)).value
            assert unmoved is not None
            assert unmoved.version == 1
            assert not waiting.done()
            await store.project()
            assert [card and card.version for card in (await waiting).value] == [1, 2]

    asyncio.run(story())


@define
class OnlyOne:
    """Lets callers see one dataset."""

    dataset: DatasetUrn

    async def permit(self, by: Caller, action: str, on: str) -> None:
        if on != self.dataset:
            raise Forbidden(by.principal, action, on)


def test_whoever_may_not_see_one_of_them_sees_none(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_store("memory", tmp_path) as store:
            await filled(store)
            await store.project()
            reading = evolve(store.use_cases.read_signals, access=OnlyOne(ORDERS))
            assert len((await reading([SignalKey(ORDERS, VOLUME)], by=ADMIN)).value) == 1
            with pytest.raises(Forbidden, match=OTHER):
                await reading([SignalKey(ORDERS, VOLUME), SignalKey(OTHER, VOLUME)], by=ADMIN)

    asyncio.run(story())

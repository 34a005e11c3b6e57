"""The restore drill on DynamoDB: tables are lost, the log's last append came back in part."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from adapters.dynamodb.items.typed_values import Key
from adapters.dynamodb.log.keys import part_key
from adapters.dynamodb.log_maintenance.torn_end import TornEnd
from adapters.eventstore.log import Append
from domain.dataset.settings_validation import DatasetReport
from domain.incident.incident import Noted
from domain.streams import StreamId
from tests.adapters.dynamodb.log_maintenance.damage import Vandal
from tests.application.store import ADMIN, ORDERS, SETTINGS, Store, report
from tests.entrypoints.cli.log.stores import dynamodb_settings
from tests.entrypoints.cli.read_models.stores import INCIDENT, rows_in
from tests.entrypoints.cli.read_models.test_restore_drill import drill, lose_tables, opened

Deed = Callable[[Store, Vandal], Awaitable[None]]

NOTED = StreamId("incident-INC-1")


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, str]:
    monkeypatch.chdir(tmp_path)
    given = dynamodb_settings()
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    return given


async def begun(store: Store) -> Any:
    """A store with a bit of everything; its rows."""
    await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
    await store.use_cases.update_signal(report(0, state="CRITICAL"), by=ADMIN)
    await store.use_cases.open_incident(INCIDENT, by=ADMIN)
    await store.project()
    return await rows_in(store)


async def append_large(store: Store) -> None:
    """A note that takes three items."""
    long = Noted(os.urandom(900_000).hex())
    version = 1 + (await store.container.log().last_version(NOTED) or 0)
    event = store.container.mapper().event(NOTED, version, long, event_id=os.urandom(16), by=ADMIN)
    await store.container.log().append(Append([event]))


def part(store: Store, first: int, number: int) -> Key:
    keys = store.container.log().keys
    return Key(keys.block(keys.block_of(first)), part_key(first, number))


def without_part(number: int) -> Deed:
    async def deed(store: Store, vandal: Vandal) -> None:
        await append_large(store)
        await vandal.delete(part(store, await store.container.log().head(), number))

    return deed


async def without_its_batch(store: Store, vandal: Vandal) -> None:
    await store.use_cases.update_signal(report(1), by=ADMIN)
    await vandal.delete(store.container.log().keys.batch(await store.container.log().head()))


async def only_a_part(store: Store, vandal: Vandal) -> None:
    """Neither the other parts nor the span."""
    await without_part(0)(store, vandal)
    head = await store.container.log().head()
    await vandal.delete(part(store, head, 1))
    await vandal.delete(
        store.container.log().keys.span(NOTED, await store.container.log().last_version(NOTED))
    )


TORN: dict[str, Deed] = {
    "the first part of a large append is missing": without_part(0),
    "another part is missing": without_part(1),
    "the last part is missing": without_part(2),
    "only one part is there": only_a_part,
    "a span is there and its batch is not": without_its_batch,
}


def test_whatever_is_there_of_a_last_append_is_cut_off(
    settings: dict[str, str], tmp_path: Path
) -> None:
    async def torn(name: str) -> tuple[int, list[Any]]:
        async with opened(tmp_path / "var", settings) as store:
            if not await store.container.log().head():
                await begun(store)
            head, whole = (
                await store.container.log().head(),
                await Vandal(store.container.log()).items(),
            )
            await TORN[name](store, Vandal(store.container.log()))
            return head, whole

    async def cut(name: str) -> None:
        head, whole = await torn(name)
        async with opened(tmp_path / "var", settings) as store:
            assert await TornEnd(store.container.log().reader).cut() > 0, name
            assert await Vandal(store.container.log()).items() == whole, name
        async with opened(tmp_path / "var", settings) as store:
            await store.use_cases.update_signal(report(10 + head), by=ADMIN)
            assert await store.container.log().head() > head, name

    for name in TORN:
        asyncio.run(cut(name))


@pytest.mark.parametrize(
    ("name", "tables_are_lost"),
    [("another part is missing", True), ("a span is there and its batch is not", False)],
)
def test_one_command_brings_back_what_was_before_a_torn_append(
    name: str, tables_are_lost: bool, settings: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "var"

    async def written() -> tuple[Any, int]:
        async with opened(folder, settings) as store:
            rows, head = await begun(store), await store.container.log().head()
            await TORN[name](store, Vandal(store.container.log()))
            if not tables_are_lost:
                # They know of what the log has lost.
                for projection in store.container.projections():
                    await store.container.cards().file(projection.name, {}, upto=head + 1)
            return rows, head

    async def found() -> tuple[Any, int]:
        async with opened(folder, settings) as store:
            return await rows_in(store), await store.container.log().head()

    before = asyncio.run(written())
    if tables_are_lost:
        lose_tables(settings["STATESTORE_TABLE_PREFIX"])
    told = drill()
    assert (told["log_findings_mended"], told["events"]) == (1, before[1])
    assert asyncio.run(found()) == before


def test_where_more_than_one_append_is_missing_nothing_is_cut(
    settings: dict[str, str], tmp_path: Path
) -> None:
    """The spans are the last copies of what was in the batches."""

    async def go() -> None:
        async with opened(tmp_path / "var", settings) as store:
            await begun(store)
            vandal = Vandal(store.container.log())
            for window in (1, 2):
                await store.use_cases.update_signal(report(window), by=ADMIN)
            head = await store.container.log().head()
            for first in (head - 1, head):
                await vandal.delete(store.container.log().keys.batch(first))
            left = await vandal.items()
            assert await TornEnd(store.container.log().reader).cut() == 0
            assert await vandal.items() == left

    asyncio.run(go())


def test_a_sound_log_is_left_as_it_is(settings: dict[str, str], tmp_path: Path) -> None:
    async def go() -> None:
        async with opened(tmp_path / "var", settings) as store:
            assert await TornEnd(store.container.log().reader).cut() == 0
            await begun(store)
            await append_large(store)
            whole = await Vandal(store.container.log()).items()
            assert await TornEnd(store.container.log().reader).cut() == 0
            assert await Vandal(store.container.log()).items() == whole

    asyncio.run(go())

"""The function on the stream, woken by DynamoDB Local's own stream."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from adapters.dynamodb.log.keys import Keys
from adapters.dynamodb.log_reading.stream_records import Written, batches_written
from application.errors import Unavailable
from domain.dataset.settings_validation import DatasetReport
from entrypoints import logs
from entrypoints.container import build
from entrypoints.functions import wake_projections
from entrypoints.functions.wake_projections import WakeProjections
from entrypoints.settings.loading import BadSettings, Settings, load
from entrypoints.wiring.opening import close, open_log
from tests.adapters.dynamodb.support import dynamodb_local, environment
from tests.adapters.dynamodb.support.fixtures import client, local_session
from tests.application.replaced_readers import current
from tests.application.store import ADMIN, ORDERS, SETTINGS, report

PATIENCE = 60.0
NONE_FAILED: dict[str, Any] = {"batchItemFailures": []}


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    table = dynamodb_local.unused_table("woken")
    return {
        "STATESTORE_ENGINE": "dynamodb",
        "STATESTORE_DATA_DIR": str(tmp_path / "function"),
        "STATESTORE_KEY_FILE": str(tmp_path / "keys.json"),
        "STATESTORE_DYNAMODB_TABLE": table,
        "STATESTORE_TABLE_PREFIX": f"{table}-",
        "STATESTORE_DYNAMODB_ENDPOINT_URL": dynamodb_local.endpoint(),
    }


def loaded(settings: dict[str, str], **more: str) -> Settings:
    return load({**settings, **more}, Path("no-such-file"))


def write(settings: dict[str, str], folder: Path, windows: range) -> None:
    """What another process, a server perhaps, records."""

    async def writing() -> None:
        container = build(loaded(settings, STATESTORE_DATA_DIR=str(folder)))
        try:
            await open_log(container)
            if windows.start == 0:
                await container.register_dataset()(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
            for window in windows:
                await container.update_signal()(report(window), by=ADMIN)
        finally:
            await close(container)

    with environment.surroundings():
        asyncio.run(writing())


def stream_event(settings: dict[str, str]) -> dict[str, Any]:
    """Everything that the table's stream has to tell, as Lambda hands it over."""
    table = client().describe_table(TableName=settings["STATESTORE_DYNAMODB_TABLE"])["Table"]
    streams = local_session().client("dynamodbstreams", endpoint_url=dynamodb_local.endpoint())
    arn = table["LatestStreamArn"]
    records: list[Any] = []
    for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
        place = streams.get_shard_iterator(
            StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON"
        )
        page = streams.get_records(ShardIterator=place["ShardIterator"])
        records += [{**one, "eventSourceARN": arn} for one in page["Records"]]
    return {"Records": records}


@contextmanager
def woken(settings: dict[str, str]) -> Iterator[WakeProjections]:
    with environment.surroundings():
        function = WakeProjections.open(loaded(settings))
        try:
            yield function
        finally:
            function.close()


def test_one_that_could_not_be_opened_is_opened_by_the_next_call(settings: dict[str, str]) -> None:
    with environment.surroundings(), pytest.raises(Unavailable) as refused:
        WakeProjections.open(loaded(settings, STATESTORE_CREATE_TABLES="off"))
    assert "create" in str(refused.value).lower()
    with woken(settings) as function:
        assert function({"Records": []}, seconds=PATIENCE) == NONE_FAILED


def shown(function: WakeProjections) -> tuple[int, int]:
    """The versions of the dataset and of its signal."""

    async def reading() -> tuple[int, int]:
        reader = await current(function.container.reads())
        dataset = await reader.datasets.find(ORDERS)
        signals = await reader.signals.of_dataset(ORDERS)
        version = 0 if dataset is None else dataset.config_version
        return version, max((one.version for one in signals), default=0)

    return function.loop.run(reading())


def test_it_folds_what_the_stream_tells_of(tmp_path: Path, settings: dict[str, str]) -> None:
    write(settings, tmp_path / "server", range(3))
    event = stream_event(settings)
    with woken(settings) as function:
        assert function(event, seconds=PATIENCE) == NONE_FAILED
        assert shown(function) == (1, 3)


def test_what_it_has_no_time_for_is_answered_and_comes_again(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    write(settings, tmp_path / "server", range(3))
    event = stream_event(settings)
    with woken(settings) as function:
        failed = function(event, seconds=0)["batchItemFailures"]
        told = batches_written(event, Keys("statestore"))
        assert [one["itemIdentifier"] for one in failed] == [one.sequence_number for one in told]
        assert len(failed) == 4
        assert function(event, seconds=PATIENCE) == NONE_FAILED
        assert shown(function) == (1, 3)


def test_records_that_come_twice_or_in_another_order_change_nothing(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    write(settings, tmp_path / "server", range(2))
    event = stream_event(settings)
    with woken(settings) as function:
        backwards = {"Records": [*reversed(event["Records"])]}
        for one in (backwards, event, backwards):
            assert function(one, seconds=PATIENCE) == NONE_FAILED
            assert shown(function) == (1, 2)
        # One warm function is woken again and again.
        write(settings, tmp_path / "server", range(2, 4))
        assert function(stream_event(settings), seconds=PATIENCE) == NONE_FAILED
        assert shown(function) == (1, 4)


def test_an_event_without_log_batches_fails_nothing(settings: dict[str, str]) -> None:
    with woken(settings) as function:
        assert function({"Records": []}, seconds=0) == NONE_FAILED


def test_only_log_batches_of_this_application_count() -> None:
    def record(pk: str, sk: str, number: str) -> dict[str, Any]:
        keys = {"PK": {"S": pk}, "SK": {"N": sk}}
        return {"dynamodb": {"Keys": keys, "SequenceNumber": number}}

    keys = Keys("mine")
    records = [
        record(keys.block(0), "7", "1"),
        record(keys.block(0), "7.001", "2"),
        record(keys.block(3), "3000001", "3"),
        record(Keys("other").block(0), "9", "4"),
        record("S#mine#a-1", "1", "5"),
    ]
    found = batches_written({"Records": records}, keys)
    assert found == [Written(7, "1"), Written(7, "2"), Written(3000001, "3")]


@pytest.mark.parametrize(
    ("reached", "failed"), [(0, ["a", "b"]), (1, ["b"]), (6, ["b"]), (9, []), (12, [])]
)
def test_whoever_does_not_reach_the_end_is_woken_again(reached: int, failed: list[str]) -> None:
    written = [Written(1, "a"), Written(5, "b")]
    assert wake_projections._failed(written, reached, head=9) == failed


def test_other_engines_have_no_stream(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="dynamodb"):
        WakeProjections.open(loaded({"STATESTORE_DATA_DIR": str(tmp_path)}))


@frozen
class Remaining:
    seconds: float

    def get_remaining_time_in_millis(self) -> int:
        return round(self.seconds * 1000)


def test_the_handler_opens_the_store_once(
    tmp_path: Path, settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(settings, tmp_path / "server", range(1))
    event = stream_event(settings)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    # What is logged is for the whole process to say, and it also runs other tests.
    monkeypatch.setattr(logs, "configure", lambda settings: None)
    try:
        with environment.surroundings():
            # Less than is needed for letting go: nothing is begun.
            assert wake_projections.handler(event, Remaining(1))["batchItemFailures"]
            warm = wake_projections._awake()
            assert wake_projections.handler(event, Remaining(PATIENCE)) == NONE_FAILED
            assert wake_projections._awake() is warm
            assert shown(warm) == (1, 1)
    finally:
        wake_projections._awake().close()
        wake_projections._awake.cache_clear()

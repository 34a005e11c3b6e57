"""Names of what is stored beside the rows: checkpoints, leases, keys, tables of SQLite."""

import asyncio
import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field
from dependency_injector import providers

from adapters.dynamodb.log.keys import Keys
from adapters.evidence_archive.object_names import BATCHES, Namer, ids_folder, segment_folder
from adapters.memory.engine import MemoryEngine
from adapters.row_layouts.ownership import HOLDINGS
from adapters.sqlite.evidence.file import EvidenceFile
from application.evidence.progress import UNTOLD
from domain.dataset.settings_validation import DatasetReport
from domain.ids import EvidenceId
from entrypoints.container import Container
from entrypoints.server.followers import following
from entrypoints.wiring.locations import EVIDENCE_FILE
from tests.application.store import ADMIN, ORDERS, SETTINGS, open_store
from tests.golden.golden import Golden

EVERY_SINK = {
    "STATESTORE_SNS_TOPIC_ARN": "arn:aws:sns:eu-west-1:123456789012:health",
    "STATESTORE_EVENT_BUS": "health",
    "STATESTORE_WEBHOOKS": json.dumps(
        [{"name": "oncall", "url": "http://127.0.0.1:9/", "secret": "a secret for tests"}]
    ),
    "STATESTORE_REDIS_URL": "redis://127.0.0.1:9",
}
"""Nothing is sent: a new sink begins at the end of the log."""


@define
class WatchedLeases:
    """Grants every lease, and remembers the names."""

    names: set[str] = field(factory=set)
    granted: asyncio.Event = field(factory=asyncio.Event)

    async def hold(self, name: str) -> bool:
        self.names.add(name)
        self.granted.set()
        return True

    async def release(self, name: str) -> None:
        """Others never ask for one."""

    async def granted_to(self, number: int) -> None:
        while len(self.names) < number:
            self.granted.clear()
            await self.granted.wait()


class WatchedTables(MemoryEngine):
    """Remembers the names under which positions are stored."""

    def __init__(self, names: set[str]) -> None:
        super().__init__()
        self.names = names

    async def write(self, projection: str, *changes: Any, **more: Any) -> None:
        self.names.add(projection)
        await super().write(projection, *changes, **more)


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "none")
    monkeypatch.setenv("AWS_REGION", "eu-west-1")


@pytest.mark.usefixtures("aws")
def test_positions_and_leases(golden: Golden, tmp_path: Path) -> None:
    leases, positions = WatchedLeases(), set[str]()
    for recorded in (False, True):
        # In tables of their own: behind a position, sinks would send.
        tables = WatchedTables(positions)
        asyncio.run(_all_follow(tmp_path, leases, tables, recorded=recorded))
    structure = {"leases": sorted(leases.names), "positions": sorted(positions)}
    golden.json("stored_names.json", structure)


async def _all_follow(
    folder: Path, leases: WatchedLeases, tables: WatchedTables, *, recorded: bool
) -> None:
    """All that follows the log, from its beginning or behind one fact."""
    async with open_store("memory", folder, **EVERY_SINK) as store:
        container = store.container
        for provider in (container.leases, container.hand_over_leases):
            provider.override(providers.Object(leases))
        container.bare_tables.override(providers.Object(tables))
        if recorded:
            await container.register_dataset()(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
        async with following(container):
            await leases.granted_to(_followers(container))
        await store.react()
        for outbox in container.sending():
            await outbox.catch_up()
        if recorded:
            await _maintained(container)


async def _maintained(container: Container) -> None:
    await container.rebuild()(list(HOLDINGS), UNTOLD, by=ADMIN)
    async with container.evidence_lease().exclusive():
        pass


def _followers(container: Container) -> int:
    return sum(
        map(len, (container.projections(), container.policy_runners(), container.outboxes()))
    )


def test_what_projections_fill(golden: Golden) -> None:
    filled = {
        name: {"tables": [one.name for one in holding.tables], "kinds of states": [*holding.kinds]}
        for name, holding in HOLDINGS.items()
    }
    golden.json("projections.json", filled)


def test_tables_of_sqlite(golden: Golden, tmp_path: Path) -> None:
    asyncio.run(_opened(tmp_path))
    files = sorted(tmp_path.glob("*.db"))
    golden.json("sqlite.json", {file.name: _statements(file) for file in files})


async def _opened(folder: Path) -> None:
    async with open_store("embedded", folder) as store:
        await store.container.register_dataset()(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
        await store.project()
    EvidenceFile(folder / EVIDENCE_FILE).opened().close()


def _statements(file: Path) -> list[str]:
    """Those that made the tables and indexes."""
    with contextlib.closing(sqlite3.connect(file)) as connection:
        found = connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
        return sorted(" ".join(sql.split()) for (sql,) in found)


def test_keys_of_the_log_on_dynamodb(golden: Golden) -> None:
    keys = Keys("state/store")
    found = {
        "batch": keys.batch(1_000_001, 2),
        "identity": keys.identity,
        "lease": keys.lease,
        "lease of work": keys.work("projection/dataset-registry"),
        "span": keys.span("dataset-urn:dp:orders:order_created:v1", 3),
        "tracking": keys.tracking("upstream"),
    }
    structure = {name: [key.pk, str(key.sk)] for name, key in found.items()}
    partitions = {"blocks": keys.blocks, "snapshots": keys.snapshots("latest:signal", "signal-x")}
    golden.json("dynamodb_keys.json", structure | partitions)


def test_names_in_the_evidence_archive(golden: Golden) -> None:
    namer = Namer("process", lambda: "01HQXY8MNP4QR7ST9VW2XYZ456")
    evidence = EvidenceId("evd-01HQXY8MNP4QR7ST9VW2XYZ456")
    folders = {"batch": BATCHES, "segment": segment_folder(ORDERS, 1), "ids": ids_folder(evidence)}
    golden.json(
        "evidence_archive.json",
        {
            kind: namer.named(namer.stem(folder), latest=1, rows=2, size=3).name
            for kind, folder in folders.items()
        },
    )

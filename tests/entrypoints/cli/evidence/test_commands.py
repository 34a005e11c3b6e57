"""`statestore evidence stats`, `compact` and `purge`, `rebuild evidence` and `verify evidence`."""

import asyncio
import json
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from domain.dataset.settings_validation import DatasetReport
from domain.ids import EvidenceId
from domain.incident.report import IncidentReport
from entrypoints.cli.app import app
from tests.application.evidence.samples import some_id, some_report
from tests.application.store import ADMIN, ORDERS, SETTINGS, VOLUME, open_store
from tests.entrypoints.support.server import serving

OLD, NEW = (0, 50, 100), (150, 200)
PINNED = some_id(50)


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "var"


@pytest.fixture
def filled(folder: Path) -> Path:
    """Three that are months old, one of which an incident holds, and two of today."""

    async def fill() -> None:
        async with open_store("embedded", folder) as store:
            old = [some_report(number) for number in OLD]
            await store.use_cases.put_evidence(store.container.sieve().here(old), by=ADMIN)
            await store.use_cases.register_dataset(DatasetReport(ORDERS, SETTINGS), by=ADMIN)
            late = ("LATE_DATA:processed_at",)
            report = IncidentReport(ORDERS, (VOLUME,), late, "SEV_1", evidence_sample=(PINNED,))
            await store.use_cases.open_incident(report, by=ADMIN)
            store.clock.at = datetime.now(UTC)
            new = [some_report(number, created_at=store.clock.at) for number in NEW]
            await store.use_cases.put_evidence(store.container.sieve().here(new), by=ADMIN)

    asyncio.run(fill())
    return folder


def run(*words: str, **more: str) -> Result:
    return CliRunner().invoke(app, [*words], env=more)


def answer(*words: str) -> dict[str, Any]:
    ended = run(*words, "--json")
    assert ended.exit_code == 0, ended.stderr
    told: dict[str, Any] = json.loads(ended.stdout)
    return told


def found(folder: Path, where: str) -> Collection[EvidenceId]:
    """What the archive or the cache has of all that was sent, today."""

    async def look() -> Collection[EvidenceId]:
        async with open_store("embedded", folder) as store:
            store.clock.at = datetime.now(UTC)
            there = getattr(store.container, where)()
            return set(await there.named([some_id(number) for number in OLD + NEW]))

    return asyncio.run(look())


def test_batches_are_sorted_on_request_and_counted(filled: Path) -> None:
    before = answer("evidence", "stats")
    assert (before["items"], before["batches"], before["segments"]) == (5, 2, 0)
    assert before["oldest"] == "2026-01-16T12:00:00.000Z"
    assert answer("evidence", "compact")["after"]["batches"] == 0
    after = answer("evidence", "stats")
    assert (after["items"], after["batches"], after["segments"]) == (5, 0, 2)
    assert "items: 5" in run("evidence", "stats").stdout


def test_the_cache_is_filled_from_the_archive_and_pins_are_kept(filled: Path) -> None:
    (filled / "evidence-cache.db").unlink()
    told = answer("rebuild", "evidence")
    assert (told["items"], told["pinned"], told["missing"]) == (2, 1, 0)
    assert found(filled, "evidence_cache") == {PINNED, *(some_id(number) for number in NEW)}
    assert run("rebuild", "evidence", "signal-state").exit_code == 2


def test_the_archive_is_read_and_the_cache_compared_with_it(filled: Path) -> None:
    answer("rebuild", "evidence")
    told = answer("verify", "evidence")
    assert told["sound"]
    assert (told["archive"]["items"], told["compared"], told["counts"]) == (5, 3, {})
    lines = run("verify", "evidence").stdout
    assert "archive: 2 objects, 5 items, nothing is wrong" in lines
    assert "cache: 3 items compared, nothing is wrong" in lines
    together = run("verify", "evidence", "signal-state")
    assert together.exit_code == 2
    assert "by itself" in together.stderr
    assert "signal-state, " in run("verify", "nothing").stderr


def lose_newest_segment(folder: Path) -> None:
    """In which the two of today are, by the order of hours."""
    segments = sorted((folder / "evidence" / "segments").rglob("*.blob"))
    segments[-1].unlink()


def test_what_the_archive_lacks_is_listed_and_dropped_only_on_request(filled: Path) -> None:
    answer("rebuild", "evidence")
    answer("evidence", "compact")
    lose_newest_segment(filled)
    lacking = [some_id(number) for number in NEW]
    for words in (("verify", "evidence"), ("verify", "evidence", "--repair")):
        ended = run(*words)
        assert ended.exit_code == 1
        for name in lacking:
            assert f"{name}: in the cache and missing in the archive" in ended.stdout
        assert "2 items in the cache and missing in the archive" in ended.stdout
        assert "`statestore rebuild evidence --accept-loss`" in ended.stdout
    refused = run("rebuild", "evidence")
    assert refused.exit_code == 1
    assert "it lacks 2 items that the cache shows; nothing was dropped" in refused.stderr
    assert found(filled, "evidence_cache") == {PINNED, *lacking}
    assert answer("rebuild", "evidence", "--accept-loss")["items"] == 0
    assert found(filled, "evidence_cache") == {PINNED}


def test_an_archive_that_was_lost_altogether_is_not_taken_for_an_empty_one(filled: Path) -> None:
    answer("rebuild", "evidence")
    (filled / "evidence").rename(filled / "elsewhere")
    for words in (("rebuild", "evidence"), ("rebuild", "evidence", "--accept-loss")):
        refused = run(*words)
        assert refused.exit_code == 1
        assert "it is empty although there is a cache" in refused.stderr
    assert len(found(filled, "evidence_cache")) == 3


def test_a_damaged_cache_is_mended_on_request_and_hinders_no_sweep(filled: Path) -> None:
    (filled / "evidence-cache.db").write_bytes(b"no database" * 1_000)
    assert run("tables", "sweep").exit_code == 0
    ended = run("verify", "evidence")
    assert ended.exit_code == 1
    assert "the cache is damaged: file is not a database" in ended.stdout
    assert answer("verify", "evidence", "--repair")["repaired"]
    assert answer("verify", "evidence")["sound"]


def test_only_the_loss_of_evidence_can_be_accepted(filled: Path) -> None:
    refused = run("rebuild", "signal-state", "--accept-loss")
    assert refused.exit_code == 2
    assert "about evidence alone" in refused.stderr


def test_damage_is_named_and_nothing_is_dropped(filled: Path) -> None:
    answer("rebuild", "evidence")
    blob = next((filled / "evidence" / "batches").rglob("*.blob"))
    whole = blob.read_bytes()
    blob.write_bytes(whole[:-1])
    for words in (("verify", "evidence"), ("verify", "evidence", "--repair")):
        ended = run(*words, "--json")
        assert ended.exit_code == 1
        told = json.loads(ended.stdout)
        (fault,) = told["archive"]["faults"]
        assert fault["object"].endswith(blob.name.removesuffix(".blob"))
        assert not told["sound"]
        assert not told["repaired"]
    assert "mend the archive first" in run("verify", "evidence").stdout
    assert answer("evidence", "stats")["items"] == 5
    assert len(found(filled, "evidence_cache")) == 3
    blob.write_bytes(whole)
    assert answer("verify", "evidence")["sound"]


def test_what_is_old_is_forgotten_but_not_what_an_incident_holds(filled: Path) -> None:
    answer("evidence", "compact")
    told = answer("evidence", "purge", "--older-than", "90d", "--yes")
    assert (told["items"], told["spared"]) == (2, 1)
    kept = {PINNED, *(some_id(number) for number in NEW)}
    assert found(filled, "evidence_archive") == kept


def test_what_was_sent_lately_is_forgotten_when_it_is_not_at_hand_any_more(filled: Path) -> None:
    """However old it is: else it would be shown by its id, and be missing in lists."""
    late = some_id(250)

    async def send() -> None:
        async with open_store("embedded", filled) as store:
            store.clock.at = datetime.now(UTC)
            await store.use_cases.put_evidence(
                store.container.sieve().here([some_report(250)]), by=ADMIN
            )

    asyncio.run(send())
    told = answer("evidence", "purge", "--older-than", "90d", "--yes")
    assert (told["items"], told["spared"]) == (2, 2)
    kept = {PINNED, *(some_id(number) for number in NEW)}
    assert found(filled, "evidence_archive") == kept

    async def read() -> Collection[EvidenceId]:
        async with open_store("embedded", filled) as store:
            store.clock.at = datetime.now(UTC)
            return [*await store.use_cases.read_evidence([late], by=ADMIN)]

    assert asyncio.run(read()) == [late]


def test_nothing_is_forgotten_unasked_or_while_it_is_at_hand(filled: Path) -> None:
    assert run("evidence", "purge", "--older-than", "90d").exit_code == 1
    too_early = run("evidence", "purge", "--older-than", "24h", "--yes")
    assert too_early.exit_code == 2
    assert "at least 25 hours" in too_early.stderr
    assert run("evidence", "purge", "--older-than", "soon", "--yes").exit_code == 2
    assert len(found(filled, "evidence_archive")) == 5


def test_without_a_store_it_says_so(folder: Path) -> None:
    for words in (
        ("evidence", "stats"),
        ("evidence", "compact"),
        ("rebuild", "evidence"),
        ("verify", "evidence"),
    ):
        ended = run(*words)
        assert ended.exit_code == 1
        assert "there is no store" in ended.stderr


def test_a_server_that_owns_the_folder_does_it(filled: Path) -> None:
    with serving(filled) as server:
        port = {"STATESTORE_HTTP_PORT": str(server.port)}
        compacted = run("evidence", "compact", "--json", **port)
        assert json.loads(compacted.stdout)["after"]["items"] == 5
        replayed = run("rebuild", "evidence", "--json", **port)
        assert json.loads(replayed.stdout)["items"] == 2
        verified = run("verify", "evidence", "--repair", "--json", **port)
        assert json.loads(verified.stdout)["sound"]
        forgotten = run("evidence", "purge", "--older-than", "90d", "--yes", "--json", **port)
        assert json.loads(forgotten.stdout)["items"] == 2
        stock = run("evidence", "stats", "--json", **port)
        assert json.loads(stock.stdout)["items"] == 3
        refused = run("evidence", "purge", "--older-than", "1h", "--yes", **port)
        assert refused.exit_code == 1
        assert "refused" in refused.stderr
        lose_newest_segment(filled)
        refused = run("rebuild", "evidence", **port)
        assert "--accept-loss" in refused.stderr
        accepted = run("rebuild", "evidence", "--accept-loss", "--json", **port)
        assert json.loads(accepted.stdout)["items"] == 0

"""One writer with group commit, readers beside it."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import apsw
import pytest

from adapters.sqlite.connection.connections import SqliteTooOld, refuse_unsafe_library
from adapters.sqlite.connection.database import Database
from application.errors import Unavailable
from tests.adapters.sqlite.jobs import keep, kept
from tests.adapters.sqlite.writer_control import held
from tests.support.event_loop_turns import others_go_on


def keep_and_fail(connection: apsw.Connection) -> None:
    keep("half")(connection)
    raise LookupError("changed its mind")


# Safety.


@pytest.mark.parametrize("version", ["3.7.0", "3.40.1", "3.51.2"])
def test_a_library_that_may_corrupt_the_file_is_refused(version: str) -> None:
    with pytest.raises(SqliteTooOld, match=rf"SQLite {version} .* 3\.51\.3 or newer"):
        refuse_unsafe_library(version)


@pytest.mark.parametrize("version", ["3.51.3", "3.52.0", "4.0.0"])
def test_a_safe_library_is_accepted(version: str) -> None:
    refuse_unsafe_library(version)


def test_opening_asks_the_library_for_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.40.1")
    with pytest.raises(SqliteTooOld):
        Database.open(tmp_path / "test.db")
    monkeypatch.undo()
    Database.open(tmp_path / "test.db").close()


def test_every_commit_is_durable(tmp_path: Path) -> None:
    def settings(connection: apsw.Connection) -> tuple[Any, Any]:
        return connection.pragma("journal_mode"), connection.pragma("synchronous")

    with Database.open(tmp_path / "test.db") as database:
        assert database.submit(settings).result() == ("wal", 2)


def test_closing_leaves_one_file(tmp_path: Path) -> None:
    with Database.open(tmp_path / "test.db") as database:
        database.submit(lambda c: c.execute("CREATE TABLE kept (value)")).result()
        kept(database)

    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", "test.db"]


def test_a_file_that_is_no_database_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "test.db").write_text("a letter to my aunt, in some length" * 100)

    with pytest.raises(Unavailable, match="not a database"):
        Database.open(tmp_path / "test.db")


def test_a_folder_that_cannot_be_made_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")

    with pytest.raises(Unavailable, match="exists"):
        Database.open(tmp_path / "data" / "test.db")


# Writing.


def test_a_job_answers_when_it_is_stored(database: Database) -> None:
    assert database.submit(keep(1)).result() == 1
    assert kept(database) == [1]


def test_a_job_may_be_awaited(database: Database) -> None:
    assert asyncio.run(database.write(keep(1))) == 1
    assert kept(database) == [1]


def test_jobs_run_in_the_order_they_came(database: Database) -> None:
    with held(database):
        futures = [database.submit(keep(number)) for number in range(600)]
    assert [future.result() for future in futures] == list(range(600))
    assert kept(database) == list(range(600))


def test_jobs_that_wait_share_one_transaction(database: Database) -> None:
    commits = []

    def count() -> bool:
        commits.append(1)
        return False

    database.submit(lambda c: c.set_commit_hook(count)).result()
    with held(database):
        futures = [database.submit(keep(number)) for number in range(100)]
        del commits[:]
    for future in futures:
        future.result()
    assert len(commits) == 2, "the one that held the writer, and the hundred together"


def test_a_job_is_not_seen_before_it_is_committed(tmp_path: Path) -> None:
    with Database.open(tmp_path / "test.db") as file:

        def keep_and_look(connection: apsw.Connection) -> list[Any]:
            keep(1)(connection)
            return kept(file)

        file.submit(lambda c: c.execute("CREATE TABLE kept (value)")).result()
        assert file.submit(keep_and_look).result() == []
        assert kept(file) == [1]


def test_a_job_that_raises_fails_alone(database: Database) -> None:
    with held(database):
        before, failing, after = (
            database.submit(job) for job in (keep("a"), keep_and_fail, keep("b"))
        )
    with pytest.raises(LookupError, match="changed its mind"):
        failing.result()
    assert (before.result(), after.result()) == ("a", "b")
    assert kept(database) == ["a", "b"]


def test_the_first_job_of_a_group_fails_alone_too(database: Database) -> None:
    with held(database):
        failing, after = database.submit(keep_and_fail), database.submit(keep("b"))
    assert isinstance(failing.exception(), LookupError)
    assert after.result() == "b"
    assert kept(database) == ["b"]


def test_a_mistake_in_a_statement_is_the_jobs_own(database: Database) -> None:
    with pytest.raises(apsw.SQLError, match="no such table"):
        database.submit(lambda c: c.execute("INSERT INTO nowhere VALUES (1)")).result()


def test_a_job_that_ends_its_thread_does_not_end_the_writer(database: Database) -> None:
    def leave(connection: apsw.Connection) -> None:
        raise SystemExit

    assert isinstance(database.submit(leave).exception(), SystemExit)
    assert database.submit(keep(1)).result() == 1


# Items written together.


def test_neighbours_are_written_together(database: Database) -> None:
    calls: list[list[int]] = []

    def run(connection: apsw.Connection, items: Any) -> list[int]:
        calls.append(list(items))
        return [item * 10 for item in items]

    with held(database):
        futures = [database.submit_together(run, item) for item in (1, 2)]
        database.submit(keep("between"))
        futures.append(database.submit_together(run, 3))
    assert [future.result() for future in futures] == [10, 20, 30]
    assert calls == [[1, 2], [3]]


def test_an_item_that_breaks_its_neighbours_is_tried_alone(database: Database) -> None:
    def run(connection: apsw.Connection, items: Any) -> list[object]:
        return [keep(1 // item)(connection) for item in items]

    with held(database):
        futures = [database.submit_together(run, item) for item in (1, 0, 1)]
    assert [isinstance(f.exception(), ZeroDivisionError) for f in futures] == [False, True, False]
    assert kept(database) == [1, 1]


def test_a_run_that_forgets_an_outcome_fails_its_group(database: Database) -> None:
    with pytest.raises(Unavailable):
        database.submit_together(lambda connection, items: [], 1).result()
    assert database.submit(keep(1)).result() == 1


# Waiting.


class CountingLoop(asyncio.SelectorEventLoop):
    """Counts how often another thread wakes it."""

    woken = 0

    def call_soon_threadsafe(  # type: ignore[override]
        self, *args: Any, **kwargs: Any
    ) -> asyncio.Handle:
        self.woken += 1
        return super().call_soon_threadsafe(*args, **kwargs)


def test_a_loop_is_woken_once_for_a_whole_group(database: Database) -> None:
    async def scenario() -> None:
        with held(database):
            writes = [asyncio.create_task(database.write(keep(n))) for n in range(64)]
            await others_go_on()
        await asyncio.gather(*writes)

    with asyncio.Runner(loop_factory=CountingLoop) as runner:
        runner.run(scenario())
        loop = runner.get_loop()
        assert isinstance(loop, CountingLoop)
        assert loop.woken == 1


def test_callers_of_several_loops_are_all_told(database: Database) -> None:
    async def writes(start: int) -> list[object]:
        return await asyncio.gather(*(database.write(keep(start + n)) for n in range(20)))

    async def scenario() -> list[list[object]]:
        loops = (asyncio.to_thread(asyncio.run, writes(start)) for start in (0, 100, 200))
        return await asyncio.gather(*loops)

    assert asyncio.run(scenario()) == [list(range(s, s + 20)) for s in (0, 100, 200)]


def test_who_leaves_while_waiting_breaks_nothing(database: Database) -> None:
    async def scenario() -> None:
        with held(database):
            leaving = asyncio.create_task(database.write(keep("unknown")))
            staying = asyncio.create_task(database.write(keep("known")))
            await others_go_on()
        leaving.cancel()
        assert await staying == "known"
        with pytest.raises(asyncio.CancelledError):
            await leaving

    asyncio.run(scenario())
    assert "known" in kept(database)


def test_who_left_before_the_job_began_has_it_left_out(database: Database) -> None:
    async def scenario() -> None:
        with held(database):
            leaving = asyncio.create_task(database.write(keep("gone")))
            await others_go_on()
            leaving.cancel()
            await asyncio.gather(leaving, return_exceptions=True)
            assert database.submit(keep("gone")).cancel()
            staying = database.submit(keep("stays"))
        staying.result()

    asyncio.run(scenario())
    assert kept(database) == ["stays"]


def test_a_loop_that_has_ended_breaks_nothing(database: Database) -> None:
    async def leave() -> None:
        asyncio.get_running_loop().stop()
        await database.write(keep("unheard"))

    loop = asyncio.new_event_loop()
    with held(database):
        task = loop.create_task(leave())
        loop.run_forever()
        loop.close()
        staying = database.submit(keep("stays"))
    assert staying.result() == "stays"
    assert not task.done()
    # The loop is gone and cannot end the task; say that this is meant.
    task._log_destroy_pending = False  # type: ignore[attr-defined]


# Reading.


def test_a_reader_cannot_write(database: Database) -> None:
    with pytest.raises(apsw.ReadOnlyError):
        database.reader().execute("INSERT INTO kept VALUES (1)")


def test_each_thread_has_its_own_reader(database: Database) -> None:
    async def scenario() -> apsw.Connection:
        return await asyncio.to_thread(database.reader)

    assert database.reader() is database.reader()
    assert asyncio.run(scenario()) is not database.reader()


def test_readers_of_ended_threads_are_closed(database: Database) -> None:
    before = len(apsw.connections())
    for _ in range(5):
        thread = threading.Thread(target=database.rows, args=("SELECT 1",))
        thread.start()
        thread.join()
    assert len(apsw.connections()) == before


# Sharing and closing.


def test_users_of_one_file_share_its_writer(tmp_path: Path) -> None:
    one, two = Database.open(tmp_path / "test.db"), Database.open(f"file:{tmp_path}/test.db")
    assert (
        one.submit(lambda _: threading.get_ident()).result()
        == two.submit(lambda _: threading.get_ident()).result()
    )

    one.close()
    two.submit(lambda c: c.execute("CREATE TABLE kept (value)")).result()
    assert kept(two) == []
    two.close()


def test_closing_twice_counts_once(tmp_path: Path) -> None:
    one, two = Database.open(tmp_path / "test.db"), Database.open(tmp_path / "test.db")
    one.close()
    one.close()

    assert two.rows("SELECT 1") == [(1,)]
    two.close()


def test_closing_stores_what_waits(tmp_path: Path) -> None:
    with Database.open(tmp_path / "test.db") as database:
        database.submit(lambda c: c.execute("CREATE TABLE kept (value)")).result()
        futures = [database.submit(keep(number)) for number in range(1000)]
    assert [future.result(timeout=0) for future in futures] == list(range(1000))

    with Database.open(tmp_path / "test.db") as database:
        assert len(kept(database)) == 1000


def test_closing_stores_what_a_loop_wrote_in_the_same_turn(tmp_path: Path) -> None:
    async def write_and_close(database: Database) -> object:
        writing = asyncio.create_task(database.write(keep("last")))
        await others_go_on()
        database.close()
        return await writing

    database = Database.open(tmp_path / "test.db")
    database.submit(lambda c: c.execute("CREATE TABLE kept (value)")).result()
    assert asyncio.run(write_and_close(database)) == "last"

    with Database.open(tmp_path / "test.db") as database:
        assert kept(database) == ["last"]


def test_closing_ends_the_thread(tmp_path: Path) -> None:
    with Database.open(tmp_path / "test.db") as database:
        assert database.submit(lambda _: threading.current_thread()).result().is_alive()
        thread = database.submit(lambda _: threading.current_thread()).result()
    assert not thread.is_alive()


def test_a_closed_database_is_unavailable(database: Database) -> None:
    database.close()

    with pytest.raises(Unavailable, match="it is closed"):
        database.submit(keep(1)).result()
    with pytest.raises(Unavailable, match="it is closed"):
        asyncio.run(database.write(keep(1)))
    with pytest.raises(Unavailable, match="it is closed"):
        database.rows("SELECT 1")


def test_private_databases_in_memory_do_not_meet() -> None:
    with Database.open(":memory:") as one, Database.open(":memory:") as two:
        one.submit(lambda c: c.execute("CREATE TABLE kept (value)")).result()
        assert two.rows("SELECT count(*) FROM sqlite_schema") == [(0,)]

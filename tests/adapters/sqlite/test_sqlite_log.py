"""What the log in a SQLite file promises beyond the contract of every log."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from adapters.eventstore.appending.stream_heads import StreamHeads
from adapters.eventstore.log import Append, NewEvent, Receipt, StreamConflict
from adapters.sqlite.connection.database import Database
from adapters.sqlite.log.log import SqliteLog
from application.errors import Unavailable
from tests.adapters.eventstore.engines import Clock
from tests.adapters.eventstore.log.appends import append, event, guarded
from tests.adapters.sqlite.writer_control import held, refuse_next_commit, traced
from tests.support.event_loop_turns import others_go_on


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(tmp_path / "log.db", busy_timeout=0.01) as database:
        yield database


@pytest.fixture
def log(database: Database, clock: Clock) -> SqliteLog:
    return SqliteLog(database, now=clock)


def store(log: SqliteLog, stream: str, *versions: int) -> Receipt:
    return log.submit(append(stream, *versions)).result()


def last_version(log: SqliteLog, stream: str) -> int | None:
    return asyncio.run(log.last_version(stream))


# Sharing a file.


def test_logs_of_different_names_do_not_meet(database: Database) -> None:
    one, two = SqliteLog(database, "one"), SqliteLog(database, "two")
    store(one, "a-1", 1, 2)

    assert store(two, "a-1", 1).first == 1
    assert [last_version(log, "a-1") for log in (one, two)] == [2, 1]
    assert [log.head_now() for log in (one, two)] == [2, 1]


def test_logs_of_one_name_share_what_they_know(tmp_path: Path) -> None:
    with Database.open(tmp_path / "log.db") as first, Database.open(tmp_path / "log.db") as second:
        one, two = SqliteLog(first), SqliteLog(second)
        store(one, "a-1", 1)
        assert store(two, "a-1", 2).first == 2
        with pytest.raises(StreamConflict):
            store(one, "a-1", 2)
        assert last_version(one, "a-1") == last_version(two, "a-1") == 2


def test_an_append_through_one_log_wakes_who_waits_at_another(database: Database) -> None:
    one, two = SqliteLog(database), SqliteLog(database)

    async def scenario() -> bool:
        waiting = asyncio.create_task(one.beyond(0, timeout=30))
        await others_go_on()
        await two.append(append("a-1", 1))
        return await waiting

    assert asyncio.run(scenario())


def test_a_log_lives_in_memory_too() -> None:
    with Database.open(":memory:") as database:
        log = SqliteLog(database)
        store(log, "a-1", 1)
        assert last_version(log, "a-1") == 1


def test_a_log_that_must_exist_and_does_not_is_unavailable(database: Database) -> None:
    with pytest.raises(Unavailable, match="the log of new is unavailable"):
        SqliteLog(database, "new", create=False)
    SqliteLog(database, "new")
    SqliteLog(database, "new", create=False)
    with pytest.raises(Unavailable, match="the log of newer is unavailable"):
        SqliteLog(database, "newer", create=False)


# Starting again.


def test_a_restart_continues_positions_versions_and_time(tmp_path: Path, clock: Clock) -> None:
    with Database.open(tmp_path / "log.db") as database:
        before = store(SqliteLog(database, now=clock), "a-1", 1, 2)
    clock.move(days=-1)
    with Database.open(tmp_path / "log.db") as database:
        log = SqliteLog(database, now=clock)
        assert log.head_now() == 2
        assert last_version(log, "a-1") == 2
        assert store(log, "a-1", 3) == Receipt(3, 3, before.recorded_at)


APPENDER = """
import sys
from adapters.sqlite.connection.database import Database
from adapters.sqlite.log.log import SqliteLog
from tests.adapters.eventstore.log.appends import append

log = SqliteLog(Database.open(sys.argv[1]))
for version in range(1, 1_000_000):
    print(log.submit(append("a-1", version)).result().last, flush=True)
"""


def test_nothing_that_was_acknowledged_is_lost_in_a_kill(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", APPENDER, str(tmp_path / "log.db")],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    ) as process:
        assert process.stdout
        while process.stdout.readline() != "100\n":
            pass
        process.kill()
        acknowledged = max(map(int, process.stdout.read().split()), default=100)

    with Database.open(tmp_path / "log.db") as database:
        log = SqliteLog(database)
        assert log.head_now() in (acknowledged, acknowledged + 1)
        assert store(log, "a-1", log.head_now() + 1).first == log.head_now()


# Many streams.


def test_more_streams_than_are_kept_hot(database: Database) -> None:
    log = SqliteLog(database, hot_streams=3)
    for version in (1, 2, 3):
        for number in range(10):
            store(log, f"a-{number}", version)

    assert [last_version(log, f"a-{number}") for number in range(10)] == [3] * 10
    with pytest.raises(StreamConflict):
        store(log, "a-0", 3)


def test_as_many_streams_are_kept_hot_as_were_asked_for() -> None:
    heads = StreamHeads(capacity=2)
    heads.remember({"a-1": 1, "b-1": 1})
    heads.forget({"a-1": 1})
    heads.remember({"a-1": 2, "c-1": 1})

    assert [heads.get(stream) for stream in ("a-1", "b-1", "c-1")] == [2, None, 1]


def test_where_the_log_ends_is_known_before_anything_is_written(tmp_path: Path) -> None:
    with Database.open(tmp_path / "log.db") as database:
        store(SqliteLog(database), "a-1", 1, 2)
    with Database.open(tmp_path / "log.db") as database:
        log = SqliteLog(database)
        queries = traced(database.reader())
        assert (log.head_now(), queries) == (2, [])


def test_the_last_version_of_a_hot_stream_needs_no_query(log: SqliteLog) -> None:
    store(log, "a-1", 1)
    queries = traced(log.database.reader())

    assert last_version(log, "a-1") == 1
    assert log.head_now() == 1
    assert queries == []


# Groups.


def test_a_group_of_appends_needs_no_savepoint(database: Database, log: SqliteLog) -> None:
    for number in range(3):
        store(log, f"a-{number}", 1)
    statements = database.submit(traced).result()
    with held(database):
        futures = [log.submit(append(f"a-{number}", 2)) for number in range(3)]
    for future in futures:
        future.result()
    words = [statement.split()[0] for statement in statements]
    assert words == ["COMMIT", "BEGIN", "COMMIT", "BEGIN", *["INSERT"] * 3, "COMMIT"]


def test_an_event_that_cannot_be_stored_fails_alone(database: Database, log: SqliteLog) -> None:
    poison = Append([event("a-2", 1), NewEvent("a-3", 1, "broken \ud800 name", b"")])
    with held(database):
        futures = [log.submit(one) for one in (append("a-1", 1), poison, append("a-4", 1))]
    assert [type(f.exception()) for f in futures] == [type(None), UnicodeEncodeError, type(None)]
    assert [futures[0].result().first, futures[2].result().first] == [1, 2]
    assert [last_version(log, f"a-{n}") for n in (1, 2, 3, 4)] == [1, None, None, 1]


def test_data_of_the_wrong_type_is_refused(log: SqliteLog) -> None:
    wrong = NewEvent("a-1", 1, "thing.happened", "text")  # type: ignore[arg-type]
    with pytest.raises(apsw.ConstraintError):
        log.submit(Append([wrong])).result()
    assert store(log, "a-1", 1).first == 1


def test_a_job_and_an_append_are_stored_together_or_not_at_all(
    database: Database, log: SqliteLog
) -> None:
    def job(connection: apsw.Connection) -> None:
        connection.execute("CREATE TABLE IF NOT EXISTS mine (value UNIQUE)")
        connection.execute("INSERT INTO mine VALUES (?)", (value,))

    value = 1
    assert log.submit_after(job, append("a-1", 1)).result().first == 1
    with pytest.raises(apsw.ConstraintError):
        log.submit_after(job, append("a-1", 2)).result()
    value = 2
    with pytest.raises(StreamConflict):
        log.submit_after(job, append("a-1", 1)).result()
    assert database.rows("SELECT value FROM mine") == [(1,)]
    assert log.submit_after(job, append("a-1", 2)).result().first == 2


# Faults.


def test_a_group_that_is_rolled_back_leaves_no_trace(database: Database, log: SqliteLog) -> None:
    store(log, "a-1", 1)
    with held(database):
        database.submit(refuse_next_commit)
        lost = [log.submit(append("a-1", 2)), log.submit(append("b-1", 1))]
        conflict = log.submit(append("a-1", 2))
    for future in (*lost, conflict):
        with pytest.raises(Unavailable):
            future.result()
    assert (last_version(log, "a-1"), last_version(log, "b-1")) == (1, None)
    assert log.head_now() == 1
    assert store(log, "a-1", 2).first == 2
    assert store(log, "b-1", 1).first == 3


def write_past_the_log(connection: apsw.Connection) -> None:
    connection.execute("""
        INSERT INTO events_1
        SELECT max(position) + 1, 0, 'past-1', 1, 'thing.happened', x'', x'', x'' FROM events_1
    """)


def test_what_a_lost_transaction_looked_up_is_forgotten(database: Database, log: SqliteLog) -> None:
    store(log, "a-1", 1)
    with held(database):
        database.submit(refuse_next_commit)
        log.submit(append("a-1", 2))
        database.submit(write_past_the_log)
        makes_it_look_again = log.submit(append("c-1", 1))
        database.submit(lambda _: "keeps its neighbours apart")
        sees_it = log.submit(guarded("b-1", 1, ("a-1", 2)))
    assert isinstance(makes_it_look_again.exception(), Unavailable)
    assert isinstance(sees_it.exception(), Unavailable)
    assert last_version(log, "a-1") == 1
    assert store(log, "a-1", 2).first == 2


def test_a_full_disk_is_survived(database: Database, log: SqliteLog) -> None:
    def fill(connection: apsw.Connection) -> None:
        connection.pragma("max_page_count", connection.pragma("page_count") + 2)

    store(log, "a-1", 1)
    database.submit(fill).result()
    with pytest.raises(Unavailable, match="full"):
        log.submit(Append([event("a-1", 2, bytes(100_000))])).result()
    assert last_version(log, "a-1") == 1
    assert store(log, "a-1", 2).first == 2
    database.submit(lambda c: c.pragma("max_page_count", 1_000_000)).result()
    assert log.submit(Append([event("a-1", 3, bytes(100_000))])).result().first == 3


def test_a_locked_file_is_survived(tmp_path: Path, log: SqliteLog) -> None:
    store(log, "a-1", 1)
    other = apsw.Connection(str(tmp_path / "log.db"))
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Unavailable, match="locked"):
        asyncio.run(log.append(append("a-1", 2)))
    assert last_version(log, "a-1") == 1
    other.execute("ROLLBACK")
    other.close()
    assert store(log, "a-1", 2).first == 2


def test_what_was_written_past_the_log_is_noticed(database: Database, log: SqliteLog) -> None:
    store(log, "a-1", 1)
    database.submit(write_past_the_log).result()
    with pytest.raises(apsw.ConstraintError):
        store(log, "b-1", 1)
    with pytest.raises(StreamConflict):
        store(log, "past-1", 1)
    assert store(log, "b-1", 1).first == 3


def test_a_closed_log_is_unavailable(database: Database, log: SqliteLog) -> None:
    store(log, "a-1", 1)
    database.close()

    with pytest.raises(Unavailable):
        store(log, "a-1", 2)
    with pytest.raises(Unavailable):
        asyncio.run(log.read(0, 10))


# Never stale.


def test_what_others_may_have_seen_is_never_denied(database: Database, log: SqliteLog) -> None:
    """While a commit becomes visible the remembered versions are not trusted."""
    store(log, "a-1", 1)
    trusted: list[tuple[int | None, int | None]] = []

    def look_during_commit() -> bool:
        trusted.append((log.writer.heads.get("a-1"), log.writer.head))
        return False

    database.submit(lambda c: c.set_commit_hook(look_during_commit)).result()
    store(log, "a-1", 2)
    assert trusted[-1] == (None, None)
    assert last_version(log, "a-1") == 2

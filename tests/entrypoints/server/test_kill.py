"""
`kill -9` of a serving process under concurrent writes, again and again.

Every acknowledged append is there once, none is torn, the log is gapless, and the read models
catch up by themselves at the next start.
"""

import asyncio
import http.client
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from threading import Event, Thread

from attrs import define, field

from adapters.eventstore.log import LogEntry
from adapters.sqlite.connection.database import Database
from adapters.sqlite.log.log import SqliteLog
from tests.entrypoints.support.reports import dataset, report
from tests.entrypoints.support.server import Server, ask, serving
from tests.support.scale import scaled

KILLS = scaled(3, 20)
WRITERS = 6
URN = "urn:dp:orders:order_created:v1"


@define
class Writer:
    """Reports window after window on a signal of its own and notes what was acknowledged."""

    number: int
    acknowledged: list[str] = field(factory=list)
    sent: int = 0

    @property
    def path(self) -> str:
        return f"/api/v1/datasets/{URN}/signals/CUSTOM_W{self.number}"

    def write(self, server: Server, enough: int, reached: Event) -> None:
        """Write until the server dies. Every append has two events: the fact and its key."""
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        try:
            while True:
                key = f"w{self.number}-{self.sent}"
                body = report(self.sent, -1)
                self.sent += 1
                answer = ask(
                    connection, server.token, "PUT", self.path, body, {"Idempotency-Key": key}
                )
                assert answer.status == 200, answer
                self.acknowledged.append(body["window_end"])
                if len(self.acknowledged) >= enough:
                    reached.set()
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()


def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    dice = random.Random(20261116)
    folder = tmp_path / "var"
    writers = [Writer(number) for number in range(WRITERS)]
    with serving(folder) as server:
        assert server.ask("POST", "/api/v1/datasets", dataset(URN)).status == 201
    for _ in range(KILLS):
        with serving(folder) as server:
            write_until_killed(server, writers, dice.randint(1, 40))
    with serving(folder, STATESTORE_READ_WAIT_SECONDS="60") as server:
        settle(server)
        shown = {writer.number: versions(server, writer) for writer in writers}
        assert server.stop() == 0
    entries = whole_log(folder)
    must_be_gapless(entries)
    must_not_be_torn(entries)
    for writer in writers:
        windows = Counter(
            entry.data.split(b'"window_end":"')[1][:24].decode()
            for entry in entries
            if entry.name == "signal.evaluated"
            and entry.stream.endswith(f"/CUSTOM_W{writer.number}")
        )
        assert set(windows.values()) <= {1}
        assert set(writer.acknowledged) <= set(windows)
        assert shown[writer.number] == len(windows)


def write_until_killed(server: Server, writers: Sequence[Writer], more: int) -> None:
    reached = Event()
    enough = max(len(writer.acknowledged) for writer in writers) + more
    threads = [
        Thread(target=writer.write, args=(server, enough, reached), daemon=True)
        for writer in writers
    ]
    for thread in threads:
        thread.start()
    assert reached.wait(60)
    server.process.kill()
    for thread in threads:
        thread.join(60)


def settle(server: Server) -> None:
    """A write, and a read that waits for it: then the read models are up with the log."""
    put = server.ask("PUT", f"/api/v1/datasets/{URN}/signals/VOLUME", report(0, -1))
    assert put.status == 200
    assert server.ask("GET", f"/api/v1/datasets/{URN}/signals/VOLUME").status == 200


def versions(server: Server, writer: Writer) -> int:
    version: int = server.ask("GET", writer.path).body["version"]
    return version


def whole_log(folder: Path) -> Sequence[LogEntry]:
    with Database.open(folder / "statestore.db") as database:
        return asyncio.run(SqliteLog(database).read(0, 10**9))


def must_be_gapless(entries: Sequence[LogEntry]) -> None:
    assert [entry.position for entry in entries] == list(range(1, len(entries) + 1))
    moments = [entry.recorded_at for entry in entries]
    assert moments == sorted(moments)
    last: Counter[str] = Counter()
    for entry in entries:
        last[entry.stream] += 1
        assert entry.version == last[entry.stream]


def must_not_be_torn(entries: Sequence[LogEntry]) -> None:
    keyed = [entry for entry in entries if "/CUSTOM_W" in entry.stream]
    following = {entry.position: entries[entry.position].name for entry in keyed}
    for entry in keyed:
        if entry.name == "signal.evaluated":
            assert following[entry.position] == "request.answered"

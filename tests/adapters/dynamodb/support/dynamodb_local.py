"""
AWS's own DynamoDB, run for tests.

One server per process, started when it is first asked for; each test has tables of its own.
"""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import count
from pathlib import Path

import pytest

HOME = Path(__file__).resolve().parents[4] / ".tools" / "dynamodb-local"
START_SECONDS = 30
STOP_SECONDS = 10

# It lives for minutes: compiling it thoroughly took as much of the processor as all that it did.
_JAVA_OPTIONS = ("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")

# The server ends with whoever started it, also one that is killed: its end of the pipe closes then.
_END_TOGETHER = """
exec 3<&0
"$@" </dev/null 3<&- & server=$!
{ read -r _ <&3; kill "$server"; } &
wait "$server"
"""
WATCHED = ("sh", "-c", _END_TOGETHER, "watched")

_running = ExitStack()
_numbers = count(1)


@cache
def endpoint() -> str:
    """The address of this process's server. `end` stops it."""
    return f"http://127.0.0.1:{_running.enter_context(dynamodb_local())}"


def end() -> None:
    _running.close()
    endpoint.cache_clear()


def unused_table(name: str = "table") -> str:
    """A name that no other test of this process uses."""
    return f"{name}-{next(_numbers)}"


@contextmanager
def dynamodb_local() -> Iterator[int]:
    """Run DynamoDB Local in memory; yields its port."""
    port = free_port()
    run_jar = [
        *(java(), *_JAVA_OPTIONS),
        *("-Djava.library.path=DynamoDBLocal_lib", "-jar", jar().name),
    ]
    server = subprocess.Popen(
        [*WATCHED, *run_jar, "-inMemory", "-sharedDb", "-disableTelemetry", "-port", str(port)],
        cwd=HOME,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_until_open(port, server)
        yield port
    finally:
        stop(server)


def jar() -> Path:
    found = HOME / "DynamoDBLocal.jar"
    if not found.exists():
        pytest.fail("DynamoDB Local is not here: `make test` fetches it", pytrace=False)
    return found


def java() -> str:
    return shutil.which("java") or pytest.fail("DynamoDB Local needs Java 17", pytrace=False)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def wait_until_open(port: int, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert server.poll() is None, f"DynamoDB Local ended with code {server.returncode}"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            # Another program's start can only be asked about, again and again.
            time.sleep(0.05)
        else:
            return
    pytest.fail(f"DynamoDB Local did not listen within {START_SECONDS} s")


def stop(server: subprocess.Popen[bytes]) -> None:
    try:
        server.communicate(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait(STOP_SECONDS)

"""AWS's own DynamoDB runs here: the ground that the DynamoDB engine's tests stand on."""

import json
import socket
import subprocess
import sys
from http.client import HTTPConnection

from tests.adapters.dynamodb.support.dynamodb_local import HOME, START_SECONDS, dynamodb_local


def test_dynamodb_local_answers() -> None:
    with dynamodb_local() as port:
        status, body = ask(port)
    assert status == 400
    assert "MissingAuthenticationToken" in json.loads(body)["__type"]


def test_dynamodb_local_ends_with_whoever_started_it() -> None:
    command = [sys.executable, "-c", OWNER]
    with subprocess.Popen(command, cwd=HOME.parents[1], stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        port = int(owner.stdout.readline())
        with socket.create_connection(("127.0.0.1", port), timeout=START_SECONDS) as connection:
            owner.kill()
            assert is_closed(connection)


OWNER = """
from threading import Event
from tests.adapters.dynamodb.support.dynamodb_local import dynamodb_local
with dynamodb_local() as port:
    print(port, flush=True)
    Event().wait()
"""


def is_closed(connection: socket.socket) -> bool:
    """Wait until the other side closes, in whatever way."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def ask(port: int) -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=START_SECONDS)
    try:
        connection.request("GET", "/")
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()

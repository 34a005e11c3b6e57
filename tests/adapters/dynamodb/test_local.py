"""AWS's own DynamoDB runs here: the ground that the DynamoDB engine's tests stand on."""

import json
from http.client import HTTPConnection

from tests.adapters.dynamodb.local import START_SECONDS, dynamodb_local


def test_dynamodb_local_answers() -> None:
    with dynamodb_local() as port:
        status, body = ask(port)
    assert status == 400
    assert "MissingAuthenticationToken" in json.loads(body)["__type"]


def ask(port: int) -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=START_SECONDS)
    try:
        connection.request("GET", "/")
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()

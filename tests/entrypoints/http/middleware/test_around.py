"""What every request has: an id, a log line, an answer that is compressed and not stored."""

from typing import Any

from structlog.testing import capture_logs

from application.errors import Unavailable
from tests.entrypoints.http.api import ORDERS_DATASET, Api, update

DATASETS = "/api/v1/datasets"


def test_request_ids_are_kept_or_made(api: Api) -> None:
    assert api.get("/livez", headers={"X-Request-Id": "abc-1.2_3"}).headers["x-request-id"] == (
        "abc-1.2_3"
    )
    for unusable in ("", "a b", "x" * 129, "a/b"):
        made = api.get("/livez", headers={"X-Request-Id": unusable}).headers["x-request-id"]
        assert made != unusable
        assert len(made) == 26


def test_the_request_id_is_kept_with_the_facts(api: Api) -> None:
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    headers = {"X-Request-Id": "made-by-me", "traceparent": trace}
    api.post(DATASETS, ORDERS_DATASET, headers=headers)
    recorded = api.loop.run(api.container.feed().read(0, 1))[0]
    assert recorded.correlation_id == "made-by-me"
    assert recorded.trace == trace
    assert recorded.by == "jane@company.example"


def test_a_log_line_per_request(api: Api) -> None:
    path = api.registered()
    with capture_logs() as logs:
        api.get(path)
        api.get("/nothing")
        api.get("/livez")
    told = [(line["log_level"], line["method"], line["path"], line["status"]) for line in logs]
    assert told == [
        ("info", "GET", "/api/v1/datasets/{urn}", 200),
        ("info", "GET", "(no such path)", 404),
        ("debug", "GET", "/livez", 200),
    ]
    assert all(line["duration_ms"] >= 0 for line in logs)


def test_long_answers_are_compressed(api: Api) -> None:
    for number in range(3):
        api.registered(dataset_urn=f"urn:dp:o:n{number}:v1")
    assert api.get(DATASETS).headers["content-encoding"] == "gzip"
    assert "content-encoding" not in api.get("/livez").headers
    plain = api.get(DATASETS, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers


def test_answers_are_not_stored(api: Api) -> None:
    path = api.registered()
    for answer in (api.get(path), api.get(f"{path}/nothing"), api.put(path, {})):
        assert answer.headers["cache-control"] == "no-store"


def test_head_is_get_without_the_body(api: Api) -> None:
    path = api.registered()
    answer = api.ask("HEAD", path)
    assert answer.status_code == 200
    assert answer.content == b""
    assert answer.headers["etag"] == '"1"'
    assert answer.headers["content-length"] == api.get(path).headers["content-length"]


def test_the_server_knows_that_it_was_head(api: Api) -> None:
    """Servers expect as many bytes as Content-Length says, unless the method is HEAD."""
    methods = []
    scope = {"type": "http", "method": "HEAD", "path": "/livez", "headers": []}

    async def send(_: Any) -> None:
        methods.append(scope["method"])

    async def receive() -> Any:
        raise AssertionError("there is no body")

    api.loop.run(api.app(scope, receive, send))
    assert methods == ["HEAD", "HEAD"]


def test_an_update_while_the_read_models_stand_still(api: Api) -> None:
    """A write that is recorded is a success, whatever the read models do."""
    api.container.own_writes().patience = 0.01
    with api.failing("read_dataset", Unavailable("the read model", "it is being moved")):
        answer = api.post(DATASETS, ORDERS_DATASET)
    assert answer.status_code == 201
    assert answer.json()["config_version"] == 1
    assert answer.json()["created_at"] is None
    path = answer.headers["location"]
    assert api.put(f"{path}/signals/VOLUME", update(0)).status_code == 200

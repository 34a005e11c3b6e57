"""A server that is killed while evidence comes in has all that it accepted, and once."""

import http.client
import json
import signal
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlencode

from domain.timestamps import stamp
from tests.entrypoints.http.api import ORDERS
from tests.entrypoints.support.sample_evidence import evidence, named
from tests.entrypoints.support.server import PATIENCE, Server, ask, serving

SENDERS, CALL, ENOUGH, MOST = 3, 10, 100, 40


def send(server: Server, sender: int, accepted: list[str], enough: threading.Event) -> None:
    """Send calls one after the other until there is no answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    now = stamp(datetime.now(UTC))
    try:
        for call in range(MOST):
            first = (sender * MOST + call) * CALL
            sent = [evidence(first + n, created_at=now) for n in range(CALL)]
            answer = ask(connection, server.token, "POST", "/api/v1/evidence", sent)
            accepted += [
                one["evidence_id"] for one in answer.body["results"] if one["outcome"] == "STORED"
            ]
            if len(accepted) >= ENOUGH:
                enough.set()
    except (OSError, http.client.HTTPException, json.JSONDecodeError):
        pass
    finally:
        enough.set()
        connection.close()


def listed(server: Server) -> list[str]:
    since = stamp(datetime.now(UTC) - timedelta(hours=1))
    path, names, asked = f"/api/v1/datasets/{ORDERS}/evidence", list[str](), {"page_size": "500"}
    while True:
        query = urlencode({"created_since": since, **asked})
        body = server.ask("GET", f"{path}?{query}").body
        names += [one["evidence_id"] for one in body["evidence"]]
        if not body.get("next_page_token"):
            return names
        asked["page_token"] = body["next_page_token"]


def test_what_was_accepted_before_a_kill_is_there_after_it_and_once(tmp_path: Path) -> None:
    accepted, enough = list[str](), threading.Event()
    with serving(tmp_path / "var") as server:
        senders = [
            threading.Thread(target=send, args=(server, number, accepted, enough))
            for number in range(SENDERS)
        ]
        for sender in senders:
            sender.start()
        assert enough.wait(PATIENCE)
        server.stop(signal.SIGKILL)
        for sender in senders:
            sender.join(PATIENCE)
    # The cache may have lost anything.
    (tmp_path / "var" / "evidence-cache.db").unlink()
    with serving(tmp_path / "var") as server:
        names = listed(server)
        assert len(accepted) >= ENOUGH
        assert len(names) == len(set(names))
        assert set(accepted) <= set(names) <= {named(n) for n in range(SENDERS * MOST * CALL)}
        assert server.ask("GET", f"/api/v1/evidence/{accepted[0]}").status == 200
        assert server.stop() == 0

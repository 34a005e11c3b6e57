"""A receiver of webhooks beside a real server."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Thread
from typing import Any

from attrs import define, field

PATIENCE = 60.0


@define
class Receiver:
    """Answers with its status, whatever comes."""

    status: int
    url: str = ""
    events: list[dict[str, Any]] = field(factory=list)
    _came: Condition = field(factory=Condition)

    def take(self, event: dict[str, Any]) -> None:
        with self._came:
            self.events.append(event)
            self._came.notify_all()

    def heard_of(self, count: int) -> bool:
        """Whether so many different events come within a while."""
        with self._came:
            return self._came.wait_for(lambda: len(self.ids) >= count, PATIENCE)

    @property
    def ids(self) -> set[str]:
        return {event["event_id"] for event in self.events}


@contextmanager
def receiving(status: int = 204) -> Iterator[Receiver]:
    receiver = Receiver(status)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            receiver.take(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(receiver.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        receiver.url = f"http://127.0.0.1:{server.server_port}/"
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join()

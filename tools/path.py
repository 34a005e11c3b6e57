"""
The path of one signal: the product files that an update, its projection and a read enter.

`make path` counts them on the embedded engine, by `sys.setprofile` in every thread. The requests
reach the application as ASGI calls, without a network. A first update and read come before, so
that only what each request does is counted.
"""

import asyncio
import json
import sys
import threading
from collections.abc import Awaitable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from attrs import define, field
from fastapi import FastAPI

from application.caller import Caller
from domain.dataset.settings import Settings
from domain.dataset.settings_validation import DatasetReport
from domain.dataset.tier import Tier
from domain.ids import DatasetUrn
from entrypoints.container import Container, build
from entrypoints.http.app import create_app
from entrypoints.settings.loading import load
from entrypoints.wiring.opening import close, open_tables

ROOT = Path(__file__).parent.parent
PACKAGES = tuple(f"{ROOT / name}/" for name in ("domain", "application", "adapters", "entrypoints"))

DATASET = DatasetUrn("urn:dp:orders:order_created:v1")
SIGNAL = f"/api/v1/datasets/{DATASET}/signals/VOLUME"
TOKEN = "path-of-one-signal-0123456789abcdef"


@define
class EnteredFiles:
    """Notes the files of the product whose functions are called while it records."""

    files: set[str] = field(factory=set)
    is_recording: bool = False

    def profile(self, frame: FrameType, event: str, _: object) -> None:
        if self.is_recording and event == "call":
            self.files.add(frame.f_code.co_filename)

    async def during(self, action: Awaitable[object]) -> list[str]:
        self.files.clear()
        self.is_recording = True
        try:
            await action
        finally:
            self.is_recording = False
        entered = (name for name in self.files if name.startswith(PACKAGES))
        return sorted(str(Path(name).relative_to(ROOT)) for name in entered)


@define
class Store:
    app: FastAPI
    container: Container

    async def put(self, version: int) -> None:
        await self._call("PUT", json.dumps(_update(version)).encode())

    async def project(self) -> None:
        await self.container.runner().catch_up()

    async def get(self) -> None:
        await self._call("GET", b"")

    async def _call(self, method: str, body: bytes) -> None:
        request = {"type": "http.request", "body": body, "more_body": False}
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return request

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(_scope(method, len(body)), receive, send)
        if sent[0]["status"] != 200:
            raise RuntimeError(f"{method} answered {sent}")


def _scope(method: str, size: int) -> dict[str, Any]:
    headers = {
        "host": "localhost",
        "authorization": f"Bearer {TOKEN}",
        "content-type": "application/json",
        "content-length": str(size),
    }
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": SIGNAL,
        "raw_path": SIGNAL.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8080),
    }


def _update(version: int) -> dict[str, Any]:
    return {
        "state": "CRITICAL",
        "score": 0.5,
        "window_start": f"2026-01-15T12:{5 * version:02}:00.000Z",
        "window_end": f"2026-01-15T12:{5 * version + 5:02}:00.000Z",
        "metrics": {"evidence_count": 10, "pass_count": 5, "fail_count": 5},
        "failure_signature": "LATE_DATA:processed_at",
        "top_producer": {"producer_id": "svc", "version": "v1", "confidence": "HIGH"},
        "evidence_sample": ["evd-01HQXY8MNP4QR7ST9VW2XYZ456"],
        "expected_version": version,
    }


async def _paths(entered: EnteredFiles, folder: str) -> dict[str, list[str]]:
    given = {"STATESTORE_DATA_DIR": folder, "STATESTORE_ADMIN_TOKEN": TOKEN}
    container = build(load(given, Path("none")))
    try:
        await open_tables(container)
        store = Store(create_app(container), container)
        settings = Settings(display_name="Orders", tier=Tier.TIER_1, owner_team="orders")
        by = Caller("path", roles=frozenset({"admin"}))
        await container.use_cases().register_dataset(DatasetReport(DATASET, settings), by=by)
        await store.put(0)
        await store.project()
        await store.get()
        return {
            "PUT of a signal": await entered.during(store.put(1)),
            "its projection": await entered.during(store.project()),
            "GET of the signal": await entered.during(store.get()),
        }
    finally:
        await close(container)


def main() -> None:
    entered = EnteredFiles()
    threading.setprofile(entered.profile)
    sys.setprofile(entered.profile)
    with TemporaryDirectory() as folder:
        paths = asyncio.run(_paths(entered, folder))
    sys.setprofile(None)
    for step, files in paths.items():
        print(f"{step}: {len(files)} files", *files, "", sep="\n  ")
    print(", ".join(f"{step} {len(files)}" for step, files in paths.items()))


if __name__ == "__main__":
    main()

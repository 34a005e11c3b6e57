"""A receiver of webhooks, on a port of its own."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from attrs import define, field, frozen

from tests.support.event_loop_turns import others_go_on


@frozen
class Request:
    headers: Mapping[str, str]
    body: bytes


@define
class Receiver:
    """Answers with the statuses it is told, then always with 204; 0 never answers."""

    url: str
    statuses: list[int] = field(factory=list)
    requests: list[Request] = field(factory=list)
    at_once: int = 0
    most_at_once: int = 0
    pace: Callable[[], Any] = others_go_on

    async def take(self, request: web.Request) -> web.Response:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            self.requests.append(Request(dict(request.headers), await request.read()))
            await self.pace()
            return await self._answer()
        finally:
            self.at_once -= 1

    async def _answer(self) -> web.Response:
        status = self.statuses.pop(0) if self.statuses else 204
        if status == 0:
            await asyncio.Event().wait()
        headers = {"Location": "/elsewhere"} if 300 <= status < 400 else {}
        return web.Response(status=status, headers=headers)


@asynccontextmanager
async def receiving(*statuses: int) -> AsyncIterator[Receiver]:
    receiver = Receiver("", list(statuses))
    app = web.Application()
    app.router.add_route("*", "/{anything:.*}", receiver.take)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    receiver.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook?of=events"
    try:
        yield receiver
    finally:
        await runner.cleanup()

"""
Events posted to a webhook, one request each, signed.

    2xx                                    taken
    3xx, 4xx                               refused for good: redirects are not followed
    408, 425, 5xx, no answer in time       refused for now
    429, 502, 503, 504, no connection      the receiver is away
"""

import asyncio
from collections.abc import Sequence

import aiohttp
import orjson
from attrs import define, field

from adapters.webhooks.configuration import Webhook
from adapters.webhooks.signature import EVENT_ID, EVENT_TYPE, SIGNATURE, TIMESTAMP, signature
from application.delivery.event import Event
from application.delivery.sink import Answer, Away, Refusal
from application.ports.clock import Clock

AT_ONCE = 8

_AWAY = frozenset({429, 502, 503, 504})
_LATER = frozenset({408, 425})
_UNREACHED = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)


@define
class WebhookSink:
    webhook: Webhook
    clock: Clock
    timeout: float = 10.0
    _session: aiohttp.ClientSession | None = None
    _turns: asyncio.Semaphore = field(factory=lambda: asyncio.Semaphore(AT_ONCE))

    @property
    def name(self) -> str:
        return f"webhook-{self.webhook.name}"

    async def send(self, events: Sequence[Event]) -> Sequence[Answer]:
        return await asyncio.gather(*map(self._in_turn, events))

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _in_turn(self, event: Event) -> Answer:
        async with self._turns:
            return await self._post(event)

    async def _post(self, event: Event) -> Answer:
        body = orjson.dumps(event.document())
        try:
            async with self._open().post(
                self.webhook.url,
                data=body,
                headers=self._headers(event, body),
                allow_redirects=False,
            ) as response:
                return _answer(response.status)
        except _UNREACHED as error:
            return Away(f"no connection ({type(error).__name__})")
        except TimeoutError:
            return Refusal(f"no answer within {self.timeout:g} s")
        except aiohttp.ClientError as error:
            return Refusal(f"the connection broke ({type(error).__name__})")

    def _headers(self, event: Event, body: bytes) -> dict[str, str]:
        timestamp = str(int(self.clock.now().timestamp()))
        return {
            "Content-Type": "application/json",
            EVENT_ID: event.event_id,
            EVENT_TYPE: event.event_type.value,
            TIMESTAMP: timestamp,
            SIGNATURE: signature(self.webhook.secret, timestamp, body),
        }

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                timeout=aiohttp.ClientTimeout(total=self.timeout, sock_connect=self.timeout / 2),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": "statestore"},
            )
        return self._session


def _answer(status: int) -> Answer:
    if 200 <= status < 300:
        return None
    reason = f"it answered with {status}"
    if status in _AWAY:
        return Away(reason)
    return Refusal(reason, for_good=status < 500 and status not in _LATER)

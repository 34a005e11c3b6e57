"""
Credentials and region, found the way every AWS tool finds them.

botocore's chain is asked: environment, shared files and profiles, web identity, single sign-on,
the container's role (ECS, EKS pod identity), the machine's role (EC2) (S2-87). It may read files
and call other services, so it runs in a thread and never on the event loop.
"""

import asyncio
import os
import time
from collections.abc import Callable
from typing import Protocol

import boto3
import structlog
from attrs import define, field
from botocore.exceptions import BotoCoreError, ClientError

from adapters.dynamodb.transport.errors import Away
from adapters.dynamodb.transport.signing import Credentials

_log = structlog.get_logger()

LOOK_AGAIN_SECONDS = 60.0
"""How often the chain is asked again. botocore renews what ends within a quarter of an hour."""

LOOK_SECONDS = 10.0
"""How long a look may take: it may wait for another service."""


class CredentialSource(Protocol):
    async def current(self) -> Credentials:
        """The credentials to sign with.

        Raises:
            Away: There are none.
        """
        ...


def aws_session(*, region: str | None = None, profile: str | None = None) -> boto3.Session:
    """A session of the profile, or of the surroundings (S2-89). A region that is named counts
    before AWS_REGION, then AWS_DEFAULT_REGION, then the profile's.

    Raises:
        Away: There is no such profile, or nothing names a region.
    """
    try:
        wanted = region or os.environ.get("AWS_REGION") or None
        session = boto3.Session(region_name=wanted, profile_name=profile)
    except BotoCoreError as error:
        raise Away(str(error)) from error
    if not session.region_name:
        raise Away("no region is set: set AWS_REGION")
    return session


@define
class SessionCredentials:
    """What a session finds, held in memory and looked up again before it ends."""

    _open: Callable[[], boto3.Session]
    """Opens a new session: whatever the last one has remembered is forgotten."""
    _now: Callable[[], float] = time.monotonic
    _session: boto3.Session | None = None
    _held: Credentials | None = None
    _look_again_at: float = 0.0
    _refreshes: int = 0
    _alone: asyncio.Lock = field(factory=asyncio.Lock, init=False)
    _looking: asyncio.Task[None] | None = field(default=None, init=False)

    async def current(self) -> Credentials:
        held = self._held
        if held is None:
            return await self._first()
        if self._now() >= self._look_again_at:
            self._look_soon()
        return held

    async def refresh(self) -> None:
        """Resolve everything anew, for credentials that were refused.

        Many calls may find out at once: those that wait for a refresh share it.

        Raises:
            Away: There are none.
        """
        seen = self._refreshes
        async with self._alone:
            if seen == self._refreshes:
                self._session = None
                await self._look()
                self._refreshes += 1

    async def _first(self) -> Credentials:
        async with self._alone:
            return self._held or await self._look()

    def _look_soon(self) -> None:
        """Calls go on with what is held: it is good for many minutes yet."""
        self._look_again_at = self._now() + LOOK_AGAIN_SECONDS
        self._looking = asyncio.create_task(self._look_quietly())

    async def _look_quietly(self) -> None:
        try:
            async with self._alone:
                await self._look()
        except Away as error:
            _log.warning("credentials_renewal_failed", error=str(error))

    async def _look(self) -> Credentials:
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                self._held = await asyncio.to_thread(self._found)
        except TimeoutError as error:
            raise Away(f"no AWS credentials within {LOOK_SECONDS:g} s") from error
        self._look_again_at = self._now() + LOOK_AGAIN_SECONDS
        return self._held

    def _found(self) -> Credentials:
        try:
            self._session = self._session or self._open()
            found = self._session.get_credentials()
            if found is None:
                raise Away("no AWS credentials were found, neither set nor from a role")
            frozen = found.get_frozen_credentials()
        except (BotoCoreError, ClientError) as error:
            raise Away(f"no AWS credentials: {error}") from error
        return Credentials(frozen.access_key or "", frozen.secret_key or "", frozen.token)

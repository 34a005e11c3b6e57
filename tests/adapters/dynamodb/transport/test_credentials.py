"""Credentials come from the usual places, and are renewed in time (S2-87, S2-89)."""

import asyncio
from pathlib import Path

import boto3
import pytest
from attrs import define, field
from botocore.credentials import Credentials as BotoCredentials

from adapters.dynamodb.transport.credentials import (
    LOOK_AGAIN_SECONDS,
    SessionCredentials,
    aws_session,
)
from adapters.dynamodb.transport.errors import Away
from adapters.dynamodb.transport.signing import Credentials
from tests.adapters.dynamodb.support import no_credentials


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Nothing is set; returns the shared credentials file's path."""
    return no_credentials.empty(monkeypatch, tmp_path)


@define
class Sessions:
    """Opens sessions whose keys can be changed, and counts them."""

    key: str = "first"
    opened: list[str] = field(factory=list)

    def __call__(self) -> boto3.Session:
        self.opened.append(self.key)
        return boto3.Session(
            aws_access_key_id=self.key, aws_secret_access_key="s", region_name="eu-central-1"
        )


@define
class Seconds:
    at: float = 0.0

    def __call__(self) -> float:
        return self.at


def in_eu() -> boto3.Session:
    return aws_session(region="eu-central-1")


def test_the_environment_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_SESSION_TOKEN", "token")
    found = asyncio.run(SessionCredentials(in_eu).current())
    assert found == Credentials("key", "secret", "token")


def test_a_profile_is_asked(bare: Path) -> None:
    bare.write_text("[other]\naws_access_key_id=theirs\naws_secret_access_key=secret\n")
    source = SessionCredentials(lambda: aws_session(region="x-1", profile="other"))
    assert asyncio.run(source.current()).access_key == "theirs"


def test_no_credentials_are_said_so() -> None:
    with pytest.raises(Away, match="no AWS credentials"):
        asyncio.run(SessionCredentials(in_eu).current())


def test_a_profile_that_does_not_exist_is_named() -> None:
    with pytest.raises(Away, match="nobody"):
        aws_session(region="x-1", profile="nobody")


def test_the_region_that_is_named_counts_first(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Away, match="AWS_REGION"):
        aws_session()
    monkeypatch.setenv("AWS_DEFAULT_REGION", "third-1")
    assert aws_session().region_name == "third-1"
    monkeypatch.setenv("AWS_REGION", "second-1")
    assert aws_session().region_name == "second-1"
    assert aws_session(region="first-1").region_name == "first-1"


def test_a_refresh_finds_what_was_changed() -> None:
    async def scene() -> None:
        sessions = Sessions()
        source = SessionCredentials(sessions)
        await source.current()
        sessions.key = "second"
        assert (await source.current()).access_key == "first"
        await source.refresh()
        assert (await source.current()).access_key == "second"

    asyncio.run(scene())


def test_those_who_find_out_together_share_a_refresh() -> None:
    async def scene() -> None:
        sessions = Sessions()
        source = SessionCredentials(sessions)
        await source.current()
        await asyncio.gather(*(source.refresh() for _ in range(20)))
        assert len(sessions.opened) == 2

    asyncio.run(scene())


def test_the_chain_is_asked_again_before_credentials_end() -> None:
    async def scene() -> None:
        seconds, role = Seconds(), Role("first")
        source = SessionCredentials(role.session, now=seconds)
        await source.current()
        role.key = "second"
        seconds.at = LOOK_AGAIN_SECONDS
        assert (await source.current()).access_key == "first"
        await looked(source)
        assert (await source.current()).access_key == "second"

    asyncio.run(scene())


def test_a_failed_look_keeps_what_is_held() -> None:
    async def scene() -> None:
        seconds, role = Seconds(), Role("first")
        source = SessionCredentials(role.session, now=seconds)
        await source.current()
        role.key = None
        seconds.at = LOOK_AGAIN_SECONDS
        await source.current()
        await looked(source)
        assert (await source.current()).access_key == "first"

    asyncio.run(scene())


@define
class Role:
    """Gives credentials that end, so that a session finds others each time it is asked."""

    key: str | None

    def session(self) -> boto3.Session:
        return RoleSession(self)


class RoleSession(boto3.Session):
    def __init__(self, role: Role) -> None:
        super().__init__(region_name="eu-central-1")
        self._role = role

    def get_credentials(self) -> BotoCredentials | None:
        return BotoCredentials(self._role.key, "s") if self._role.key else None


async def looked(source: SessionCredentials) -> None:
    assert source._looking is not None
    await source._looking

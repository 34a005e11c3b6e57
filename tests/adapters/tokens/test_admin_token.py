"""The one token, and what it allows."""

import asyncio
import stat
from pathlib import Path

import pytest

from adapters.key_file.private_file import NotPrivate, write_private
from adapters.tokens.admin_token import AdminAccess, AdminToken, kept_token
from application.caller import Caller
from application.errors import Forbidden, Unavailable


def test_only_the_right_token_is_known() -> None:
    token = AdminToken("right", generated=True)
    known = token.identify("right")
    assert known is not None
    assert known.principal == "admin"
    for wrong in ("", "righ", "right ", "RIGHT", "rïght"):
        assert token.identify(wrong) is None


def test_a_made_token_is_kept_and_private(tmp_path: Path) -> None:
    path = tmp_path / "token"
    made = kept_token(path)
    assert len(made) >= 32
    assert kept_token(path) == made
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_token_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "token"
    kept_token(path)
    path.chmod(0o640)
    with pytest.raises(NotPrivate):
        kept_token(path)


@pytest.mark.parametrize("written", ["", "short", " " * 40, "é" * 40, "with a space" * 4])
def test_a_token_that_nobody_could_send_is_refused(tmp_path: Path, written: str) -> None:
    path = tmp_path / "token"
    write_private(path, written)
    with pytest.raises(Unavailable, match="the token"):
        kept_token(path)


def test_a_token_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir(mode=0o700)
    with pytest.raises(Unavailable):
        kept_token(tmp_path / "folder")


def test_access_needs_the_role() -> None:
    access = AdminAccess()
    asyncio.run(access.permit(Caller("a", frozenset({"admin"})), "x", "y"))
    with pytest.raises(Forbidden):
        asyncio.run(access.permit(Caller("a"), "x", "y"))

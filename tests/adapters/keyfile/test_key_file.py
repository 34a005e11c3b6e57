"""Personal keys on disk: private, durable, gone when destroyed."""

import base64
import stat
from pathlib import Path

import pytest

from adapters.keyfile.key_file import KeyFile
from adapters.keyfile.private_file import NotPrivate
from application.errors import Unavailable

JANE = "jane@company.example"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keys.json"


def test_only_the_owner_may_read_the_file(path: Path) -> None:
    KeyFile.open(path).key_of(JANE)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_others_may_read_is_refused(path: Path) -> None:
    KeyFile.open(path)
    path.chmod(0o644)
    with pytest.raises(NotPrivate, match="chmod 600"):
        KeyFile.open(path)


def test_a_key_is_found_again_after_a_restart(path: Path) -> None:
    key = KeyFile.open(path).key_of(JANE)
    again = KeyFile.open(path)
    assert again.key_of(f" {JANE.upper()}") == key
    assert again.key(key.key_id) == key


def test_people_have_different_keys(path: Path) -> None:
    ring = KeyFile.open(path)
    assert ring.key_of(JANE) != ring.key_of("joe@company.example")


def test_the_file_names_nobody(path: Path) -> None:
    KeyFile.open(path).key_of(JANE)
    assert "jane" not in path.read_text()


def test_a_destroyed_key_is_nowhere(path: Path) -> None:
    ring = KeyFile.open(path)
    key = ring.key_of(JANE)
    assert ring.destroy(JANE)
    assert not ring.destroy(JANE)
    assert ring.key(key.key_id) is None
    assert KeyFile.open(path).key(key.key_id) is None
    assert base64.b64encode(key.secret).decode() not in path.read_text()


def test_a_key_that_is_lost_is_not_taken_for_a_destroyed_one(path: Path) -> None:
    older = KeyFile.open(path)
    copy = path.read_text()
    key = older.key_of(JANE)
    path.write_text(copy)
    with pytest.raises(Unavailable, match="restore"):
        KeyFile.open(path).key(key.key_id)


@pytest.mark.parametrize("damaged", ["", "{", "{}", "[]", '{"salt": 1, "people": 2}', "\x00"])
def test_a_damaged_file_is_named(path: Path, damaged: str) -> None:
    KeyFile.open(path)
    path.write_text(damaged)
    with pytest.raises(Unavailable, match=r"keys\.json is damaged"):
        KeyFile.open(path)


def test_a_key_that_cannot_be_stored_is_not_used(path: Path) -> None:
    ring = KeyFile.open(path)
    draft = path.with_name(f".{path.name}.draft")
    draft.mkdir()
    with pytest.raises(Unavailable):
        ring.key_of(JANE)
    draft.rmdir()
    assert ring.key_of(JANE) == KeyFile.open(path).key_of(JANE)

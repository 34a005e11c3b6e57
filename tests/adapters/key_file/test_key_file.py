"""Personal keys on disk: private, durable, gone when destroyed."""

import base64
import stat
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from adapters.key_file.key_file import KeyFile
from adapters.key_file.private_file import NotPrivate
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


# Several processes.


def test_what_another_process_made_or_destroyed_is_found(path: Path) -> None:
    ours, theirs = KeyFile.open(path), KeyFile.open(path)
    made = theirs.key_of(JANE)
    assert ours.key(made.key_id) == made
    assert ours.key_of(JANE) == made
    ours.destroy(JANE)
    assert theirs.lost_some()
    assert ours.key(made.key_id) is theirs.key(made.key_id) is None


def test_nobody_is_brought_back_by_one_who_remembers(path: Path) -> None:
    """What is in memory may have been opened with the old key, until it is let go of."""
    ours, theirs = KeyFile.open(path), KeyFile.open(path)
    old = theirs.key_of(JANE)
    ours.destroy(JANE)
    ours.let_go()
    with pytest.raises(Unavailable, match="erased somebody"):
        theirs.key_of(JANE)
    assert theirs.key_of("somebody else") != old
    theirs.let_go()
    assert not theirs.lost_some()
    new = theirs.key_of(JANE)
    assert new != old
    assert ours.key_of(JANE) == new


def test_processes_that_begin_together_share_one_file(path: Path) -> None:
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(made_in_a_process, [path] * 8, range(8)))
    keys = KeyFile.open(path)
    assert len({jane for jane, _ in found}) == 1
    assert all(keys.key(own) for _, own in found)


def made_in_a_process(path: Path, number: int) -> tuple[str, str]:
    ring = KeyFile.open(path)
    return ring.key_of(JANE).key_id, ring.key_of(f"person-{number}").key_id


def test_a_file_that_is_gone_is_named(path: Path) -> None:
    ring = KeyFile.open(path)
    path.unlink()
    with pytest.raises(Unavailable):
        ring.key_of(JANE)

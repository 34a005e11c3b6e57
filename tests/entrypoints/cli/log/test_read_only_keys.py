"""Personal keys beside the process that owns their file."""

from pathlib import Path

import pytest

from adapters.eventstore.sealing.seals import CONFIDENTIAL, Seals
from adapters.key_file.key_file import KeyFile
from application.errors import Unavailable
from entrypoints.cli.log.read_only_keys import KeysBeside


def test_a_person_without_a_key_is_not_given_one(tmp_path: Path) -> None:
    """Whoever was erased while the log is folded beside it stays erased."""
    path = tmp_path / "keys.json"
    keys = KeyFile.open(path)
    keys.key_of("jane")
    beside = Seals(KeysBeside.open(path))
    assert beside.open(beside.seal("jane", "jane")) == "jane"
    keys.destroy("jane")
    before = path.read_bytes()
    with pytest.raises(Unavailable, match="erased meanwhile"):
        beside.seal("jane", "jane")
    assert path.read_bytes() == before


def test_what_is_nobodys_is_sealed_all_the_same(tmp_path: Path) -> None:
    beside = Seals(KeysBeside.open(tmp_path / "keys.json"))
    assert beside.open(beside.seal(CONFIDENTIAL, "PD-1")) == "PD-1"

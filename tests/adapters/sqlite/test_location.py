"""Names of databases, as people write them."""

from pathlib import Path

import pytest

from adapters.sqlite.connection.location import Location


def test_a_path_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert Location.of("log.db").file == tmp_path / "log.db"
    assert Location.of(Path("log.db")) == Location.of(str(tmp_path / "log.db"))


def test_a_uri_names_the_same_file_as_its_path(tmp_path: Path) -> None:
    assert Location.of(f"file:{tmp_path}/my%20log.db") == Location.of(tmp_path / "my log.db")


def test_links_lead_to_the_same_file(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")

    assert Location.of(tmp_path / "link" / "log.db") == Location.of(tmp_path / "real" / "log.db")


def test_memory_is_private() -> None:
    assert Location.of(":memory:").file is None
    assert Location.of(":memory:") != Location.of(":memory:")


def test_memory_with_a_name_is_shared() -> None:
    assert Location.of("file:one?mode=memory") == Location.of("file:one?mode=memory&cache=shared")
    assert Location.of("file:one?mode=memory") != Location.of("file:two?mode=memory")

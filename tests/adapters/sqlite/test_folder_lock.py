"""One process owns a folder."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from adapters.sqlite.connection.database import Database
from adapters.sqlite.connection.folder_lock import FolderInUse, FolderLock

OWNER = """
import sys
from pathlib import Path
from adapters.sqlite.connection.folder_lock import FolderLock
FolderLock.take(Path(sys.argv[1]))
print("owns it", flush=True)
sys.stdin.read()
"""


@contextmanager
def another_owner(folder: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "owns it\n"
        yield process
        process.kill()


def test_a_second_process_is_told_who_owns_the_folder(tmp_path: Path) -> None:
    with another_owner(tmp_path) as process:
        with pytest.raises(FolderInUse) as raised:
            FolderLock.take(tmp_path)
        assert raised.value.pid == process.pid
        assert str(raised.value).startswith(f"{tmp_path} is in use by process {process.pid}")


def test_a_killed_owner_leaves_no_lock(tmp_path: Path) -> None:
    with another_owner(tmp_path) as process:
        process.kill()
        process.wait()
        FolderLock.take(tmp_path).release()


def test_a_process_may_take_its_folder_again(tmp_path: Path) -> None:
    first, second = FolderLock.take(tmp_path), FolderLock.take(tmp_path)
    first.release()
    with pytest.raises(AssertionError), another_owner(tmp_path):
        pass
    second.release()
    with another_owner(tmp_path):
        pass


def test_a_database_owns_its_folder_while_it_is_open(tmp_path: Path) -> None:
    with another_owner(tmp_path), pytest.raises(FolderInUse):
        Database.open(tmp_path / "log.db")
    Database.open(tmp_path / "log.db").close()
    with another_owner(tmp_path):
        pass


def test_a_database_in_memory_owns_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Database.open(":memory:").close()

    assert list(tmp_path.iterdir()) == []

"""Benchmarks of a checkout run in its folder, with its interpreter, wherever they lie in it."""

import sys
from pathlib import Path

import pytest

from benchmarks.measuring import results
from benchmarks.measuring.checkouts import Checkout, NotMeasurable
from benchmarks.measuring.figures import Better, Figure, Section, lower
from benchmarks.measuring.results import Result

PRINTED = results.written(
    {"reads": Section("reads", "", [Figure("one", "1 µs", measures=(lower(1.0, "µs"),))])}, "quick"
)
MEASURES = (
    f"import sys\nassert sys.argv[1:] == ['--json', '--quick', 'reads']\nprint('''{PRINTED}''')\n"
)


def checkout(folder: Path, module: str, code: str = MEASURES) -> Checkout:
    python = folder / ".venv" / "bin" / "python"
    if not python.exists():
        python.parent.mkdir(parents=True)
        python.symlink_to(sys.executable)
    main = folder.joinpath(*module.split("."), "__main__.py")
    main.parent.mkdir(parents=True)
    main.write_text(code)
    return Checkout(folder)


@pytest.mark.parametrize("module", ["tests.bench", "benchmarks"])
def test_benchmarks_are_found_in_either_place(tmp_path: Path, module: str) -> None:
    found = checkout(tmp_path, module)
    assert found.entry == module
    assert found.measure("reads", quick=True) == {"reads.one": Result(1.0, "µs", Better.LOWER)}


def test_the_new_place_comes_first(tmp_path: Path) -> None:
    checkout(tmp_path, "tests.bench")
    assert checkout(tmp_path, "benchmarks").entry == "benchmarks"


def test_a_missed_target_is_still_measured(tmp_path: Path) -> None:
    missing = checkout(tmp_path, "benchmarks", f"print('''{PRINTED}''')\nraise SystemExit(1)\n")
    assert missing.measure("reads", quick=False).keys() == {"reads.one"}


def test_modules_of_the_measuring_process_are_not_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "elsewhere"))
    code = f"import os\nassert 'PYTHONPATH' not in os.environ\nprint('''{PRINTED}''')\n"
    assert checkout(tmp_path, "benchmarks", code).measure("reads", quick=True)


def test_a_failure_is_shown(tmp_path: Path) -> None:
    broken = checkout(tmp_path, "benchmarks", "raise SystemExit('reads is not among them')\n")
    with pytest.raises(NotMeasurable, match="reads is not among them"):
        broken.measure("reads", quick=True)


def test_a_folder_without_benchmarks_or_interpreter_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotMeasurable, match=r"no \.venv"):
        Checkout(tmp_path).measure("reads", quick=True)
    with pytest.raises(NotMeasurable, match="no benchmarks"):
        _ = Checkout(tmp_path).entry

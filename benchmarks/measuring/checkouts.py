"""
A checkout whose benchmarks run in processes of its own: its interpreter, its code, its input.

Nothing of it is imported here: its modules may have other names and places.
"""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from attrs import define, frozen

from benchmarks.measuring import results
from benchmarks.measuring.results import Result

ENTRIES = ("benchmarks", "tests.bench")
"""Where benchmarks are found, the first that is there."""
OF_THIS_PROCESS = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
_LINES_SHOWN = 15


@define
class NotMeasurable(Exception):
    """The checkout has no benchmarks, or they failed."""

    folder: Path
    why: str

    def __str__(self) -> str:
        return f"{self.folder}: {self.why}"


@frozen
class Checkout:
    folder: Path

    @property
    def python(self) -> Path:
        found = self.folder / ".venv" / "bin" / "python"
        if not found.exists():
            raise NotMeasurable(self.folder, "has no .venv/bin/python: run make there once")
        return found

    @property
    def entry(self) -> str:
        for module in ENTRIES:
            if self.folder.joinpath(*module.split("."), "__main__.py").is_file():
                return module
        raise NotMeasurable(self.folder, f"has no benchmarks, neither {' nor '.join(ENTRIES)}")

    def measure(self, name: str, *, quick: bool) -> Mapping[str, Result]:
        """What one section measured.

        Raises NotMeasurable if it failed, or does not know the section.
        """
        done = subprocess.run(
            [self.python, "-m", self.entry, "--json", *(["--quick"] if quick else []), name],
            cwd=self.folder,
            env={key: text for key, text in os.environ.items() if key not in OF_THIS_PROCESS},
            capture_output=True,
            text=True,
            check=False,
        )
        try:
            # Missing a target is an exit code of 1, too.
            return results.read(done.stdout)
        except ValueError:
            last = "\n".join(done.stderr.splitlines()[-_LINES_SHOWN:])
            raise NotMeasurable(
                self.folder, f"{name} ended with {done.returncode}:\n{last}"
            ) from None

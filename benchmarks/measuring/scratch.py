"""Where benchmarks keep their data: on a real disk, and only while they run."""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measuring.figures import percentile

IN_MEMORY = ("tmpfs", "ramfs")
_SYNCS = 100


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder that is gone afterwards, never in the repository."""
    with tempfile.TemporaryDirectory(prefix="statestore-bench-", dir=disk_folder()) as name:
        yield Path(name)


def disk_folder() -> Path:
    """The first usual place for temporary files whose file system is not memory."""
    places = [Path(tempfile.gettempdir()), Path("/var/tmp"), Path.home()]
    for place in places:
        if place.is_dir() and os.access(place, os.W_OK) and file_system(place) not in IN_MEMORY:
            return place
    raise RuntimeError("no temporary folder on a real disk: set TMPDIR to one")


def file_system(place: Path) -> str:
    """The kind of file system a path is on; empty where the machine does not say."""
    mounts = Path("/proc/mounts")
    if not mounts.exists():
        return ""
    kinds = {Path(line.split()[1]): line.split()[2] for line in mounts.read_text().splitlines()}
    place = place.resolve()
    return next((kinds[folder] for folder in (place, *place.parents) if folder in kinds), "")


def sync_times(folder: Path) -> tuple[float, float]:
    """P50 and P99 in seconds of making one page durable: what every commit waits for."""
    times = []
    with (folder / "sync").open("wb", buffering=0) as file:
        for _ in range(_SYNCS):
            file.write(bytes(4096))
            started = time.perf_counter()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - started)
    return percentile(times, 0.5), percentile(times, 0.99)

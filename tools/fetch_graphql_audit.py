"""Put the audit of GraphQL over HTTP into `.tools/graphql-http`, once.

The npm package `graphql-http` carries it; it needs nothing but node, which comes with npm.
"""

import sys
import tempfile
from pathlib import Path

from tools.npm_packages import TOOLS, Missing, NpmPackage, is_fetched, put

PACKAGE = NpmPackage(
    "graphql-http",
    "1.23.1",
    "87a01cca42fbfb1a76d90bce9cad1fbb578793d0191b59e017bd6b934646b86b"
    "a99e39b5caa5d116b67f78cbf843515309620b279a3a855031ceddd2f3fc0f1d",
)
HOME = TOOLS / "graphql-http"


def main() -> int:
    try:
        if not is_fetched(HOME, PACKAGE.sha512):
            fetch()
    except Missing as lack:
        print(f"The audit of GraphQL over HTTP: {lack}", file=sys.stderr)
        return 1
    return 0


def fetch() -> None:
    print(f"Fetching the audit of GraphQL over HTTP (npm package {PACKAGE.name})", flush=True)
    TOOLS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=TOOLS, prefix=".fetching-") as scratch:
        put(PACKAGE.unpacked(Path(scratch)), HOME, PACKAGE.sha512, Path(scratch))


if __name__ == "__main__":
    sys.exit(main())

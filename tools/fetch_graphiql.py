"""Put GraphiQL and what it needs into `.tools/graphiql`, once.

Three npm packages carry the files that a browser loads; only those are kept. The server serves
them itself, so that the page loads nothing from elsewhere.
"""

import hashlib
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tools.npm_packages import TOOLS, Missing, NpmPackage, is_fetched, put

FILES: Mapping[NpmPackage, tuple[str, ...]] = {
    NpmPackage(
        "graphiql",
        "4.1.2",
        "acd9734080339ba8b62815e655058180bbedd13968c45541d9dd7c6ee92f76cb"
        "e312e1431ec2b1e4854ea262f55b5a39596fad139e3e8a81dbd8010acced9c52",
    ): ("graphiql.min.js", "graphiql.min.css"),
    NpmPackage(
        "react",
        "18.3.1",
        "c12fa1020252851d0a844bcf240adfb8f54dd7e1f3d6dd18ea7e632eb1906e46"
        "f8bab80f13fd11bdefb590c075bffa16807826e1621c57e8bb176a53563fb689",
    ): ("umd/react.production.min.js",),
    NpmPackage(
        "react-dom",
        "18.3.1",
        "e66e2740aa7ead945bd3d2cd1f9f463380714e1f76e75ff295b2886e97bb4e91"
        "b17c9fbd92fe812e42c15c88e3b296e06e720136a948db7b519d3593d2c9d423",
    ): ("umd/react-dom.production.min.js",),
}
HOME = TOOLS / "graphiql"
MARK = hashlib.sha512("".join(one.sha512 for one in FILES).encode()).hexdigest()


def main() -> int:
    try:
        if not is_fetched(HOME, MARK):
            fetch()
    except Missing as lack:
        print(f"GraphiQL: {lack}", file=sys.stderr)
        return 1
    return 0


def fetch() -> None:
    print(f"Fetching GraphiQL (npm packages {', '.join(one.name for one in FILES)})", flush=True)
    TOOLS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=TOOLS, prefix=".fetching-") as name:
        scratch = Path(name)
        chosen = scratch / "chosen"
        chosen.mkdir()
        for package, files in FILES.items():
            unpacked = package.unpacked(scratch)
            for file in files:
                shutil.copyfile(unpacked / file, chosen / Path(file).name)
        put(chosen, HOME, MARK, scratch)


if __name__ == "__main__":
    sys.exit(main())

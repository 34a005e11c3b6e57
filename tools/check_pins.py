"""See that the pins can be installed from any ordinary package registry, by any Python 3.11.

Every package stands at one version with the hashes of its published files, and nothing says
where to fetch it from: an address or a path that works here would not work elsewhere. What a
package needs with an earlier Python 3.11 than this one is pinned, too; that can only be told of
what is installed as it is pinned.
"""

import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PIN = re.compile(r"[a-z0-9-]+==[^\s;\\]+(?: ; [^\\]+)?(?: --hash=sha256:[0-9a-f]{64})+")
FIRST = {"python_full_version": "3.11.0", "extra": ""}
ELSEWHERE = re.compile(r"://|^\s*--(?!hash=)|(?:^|\s)\.{0,2}/")


def main() -> int:
    wrong = [*complaints("requirements.txt"), *complaints("requirements-dev.txt")]
    print("\n".join(wrong) or "pins: exact, hashed, from nowhere in particular")
    return 1 if wrong else 0


def complaints(name: str) -> Iterator[str]:
    text = (ROOT / name).read_text()
    for entry in entries(text):
        if not PIN.fullmatch(entry):
            yield f"{name}: not a pin with hashes: {entry[:80]}"
    for number, line in enumerate(text.splitlines(), start=1):
        if ELSEWHERE.search(line):
            yield f"{name}:{number}: names a place: {line.strip()}"
    pins = filter(PIN.fullmatch, entries(text))
    pinned = dict(entry.split()[0].split("==") for entry in pins)
    for package in filter(lambda package: is_installed(package, pinned[package]), pinned):
        for needed in needed_first(package):
            if needed not in pinned:
                yield f"{name}: {package} needs {needed} with Python 3.11.0, which is not pinned"


def is_installed(package: str, pinned: str) -> bool:
    """Not yet, where pins were just made."""
    try:
        return version(package) == pinned
    except PackageNotFoundError:
        return False


def needed_first(package: str) -> Iterator[str]:
    """What an installed package needs with the first Python 3.11."""
    for line in requires(package) or ():
        one = Requirement(line)
        if one.marker is None or one.marker.evaluate(FIRST):
            yield canonicalize_name(one.name)


def entries(text: str) -> Iterator[str]:
    """Yield one line per package, without comments."""
    plain = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    joined = re.sub(r"\s*\\\n\s*", " ", plain)
    return (entry for entry in map(str.strip, joined.splitlines()) if entry)


if __name__ == "__main__":
    sys.exit(main())

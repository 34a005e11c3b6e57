"""How much is tried: a little in `make test`, all of it in `make soak`."""

import os

FULL = os.environ.get("TEST_SCALE") == "full"


def scaled(reduced: int, full: int) -> int:
    return full if FULL else reduced

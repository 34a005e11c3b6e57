"""Whether a process ends, whoever started it."""

import os
import select

PATIENCE = 30.0


def ended(pid: int) -> bool:
    """Waits for it; one that ended long ago has no handle any more."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], PATIENCE)[0])
    finally:
        os.close(handle)

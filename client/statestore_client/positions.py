"""
The position of a client's own writes, so that its reads show them on whichever process.

Callers hand tokens on and never read them. The client has to know which of two is the later one,
and reads what they are made of (epoch, lane, number) for nothing else. Of tokens that it does not
understand, the one that was told last counts.
"""

import base64
import binascii


class Positions:
    """Remembers the latest position that was told, unless nothing is to be remembered."""

    def __init__(self, remember: bool, latest: str | None) -> None:
        self._remember = remember
        self.latest = latest

    def told(self, token: str) -> None:
        if self._remember and token and _is_later(token, self.latest):
            self.latest = token


def _is_later(token: str, than: str | None) -> bool:
    if than is None:
        return True
    ours, theirs = _parts(token), _parts(than)
    if ours is None or theirs is None or ours[1] != theirs[1]:
        return True
    return (ours[0], ours[2]) > (theirs[0], theirs[2])


def _parts(token: str) -> tuple[int, int, int] | None:
    try:
        written = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode("ascii")
        epoch, lane, number = map(int, written.split("."))
    except (binascii.Error, ValueError):
        return None
    return epoch, lane, number

"""
The position of a client's own writes, so that its reads show them on whichever process.

Callers hand tokens on and never read them. The client has to know which of two is the later one,
and reads what they are made of (epoch, lane, number) for nothing else. Of tokens that it does not
understand, the one that was told last counts.
"""

import base64
import binascii

from statestore_client.errors import InvalidRequest

_NOT_OF_THIS_LOG = {"POSITION_BEYOND_END", "POSITION_OF_ANOTHER_LOG"}


class Positions:
    """Remembers the latest position that was told, unless nothing is to be remembered."""

    def __init__(self, remember: bool, latest: str | None) -> None:
        self._remember = remember
        self.set(latest)

    def set(self, token: str | None) -> None:
        """The caller says what reads must show: then a log without that is an error."""
        self.latest, self._is_own = token, False

    def told(self, token: str) -> None:
        if self._remember and token and _is_later(token, self.latest):
            self.latest, self._is_own = token, True

    def is_gone(self, token: str | None, refused: InvalidRequest) -> bool:
        """Whether the log has lost what this client wrote, as after a restore; it is forgotten.

        No read could ever show it, and the caller did not ask for it.
        """
        codes = {violation.code for violation in refused.violations}
        if token is None or not self._is_own or not codes & _NOT_OF_THIS_LOG:
            return False
        if token == self.latest:
            self.latest = None
        return True


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

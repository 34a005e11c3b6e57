"""One token that may do everything. It is given by setting, or made once and kept in a file."""

import hmac
import secrets
from pathlib import Path

from attrs import frozen

from adapters.key_file.private_file import read_private, write_private
from application.caller import Caller
from application.errors import Forbidden, Unavailable

ADMIN = "admin"
SHORTEST_TOKEN = 16
TOKEN_FILE = "admin-token"

_HOLDER = Caller(ADMIN, roles=frozenset({ADMIN}))


@frozen
class AdminToken:
    secret: str
    generated: bool

    def identify(self, token: str) -> Caller | None:
        """Who holds the token; nobody if it is not the right one."""
        if hmac.compare_digest(token.encode(), self.secret.encode()):
            return _HOLDER
        return None


def kept_token(path: Path) -> str:
    """The token in the file, made on the first call.

    Raises:
        NotPrivate: Others may read the file.
        Unavailable: The file cannot be used.
    """
    try:
        if not path.exists():
            write_private(path, secrets.token_urlsafe(32) + "\n")
        token = read_private(path).strip()
    except (OSError, UnicodeError) as error:
        raise Unavailable("the token file", f"{path}: {error}") from error
    if problem := token_problem(token):
        said = f"{path}: the token {problem}; delete the file to have a new one made"
        raise Unavailable("the token file", said)
    return token


def token_problem(token: str) -> str | None:
    """Why the token could never be sent, or be guessed; nothing if it is good."""
    if len(token) < SHORTEST_TOKEN:
        return f"must have at least {SHORTEST_TOKEN} characters"
    if not (token.isascii() and token.isprintable() and " " not in token):
        return "must consist of visible ASCII characters"
    return None


class AdminAccess:
    """Lets the admin role do everything, and nobody else anything."""

    async def permit(self, by: Caller, action: str, on: str) -> None:
        if ADMIN not in by.roles:
            raise Forbidden(by.principal, action, on)

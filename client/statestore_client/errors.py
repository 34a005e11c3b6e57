"""
What can go wrong with a call.

    StateStoreError
    ├── InvalidRequest     it breaks the contract; `violations` says where, all at once
    │   └── KeyReused      the idempotency key stands for another request
    ├── NotFound           there is no such thing
    ├── AlreadyExists      the name is taken
    ├── VersionConflict    it is at another version; read it and decide again
    ├── Impossible         not possible as it stands now, such as waking what does not sleep
    ├── Unauthenticated    no token, or not a good one
    ├── Forbidden          the caller may not do this
    ├── TooMuch            more than can be sent, stored or folded at once; ask for less
    ├── Unavailable        it does not work at the moment, or was closed; nothing was done
    │   ├── Overloaded     too much is on its way already
    │   ├── Contended      others were faster, again and again
    │   └── NotCaughtUp    what is read does not show the position yet
    ├── DeadlineExceeded   a read took too long
    ├── OutcomeUnknown     a write may or may not have been done; the same key again tells
    └── ServerError        the server failed, or is of a kind this client does not know

What can be tried again safely was tried again before any of these is raised.
"""

from collections.abc import Sequence

from statestore_client.models.answers import Violation


class StateStoreError(Exception):
    """`code` is stable and the same over every interface of the store; the text is for people."""

    def __init__(self, text: str, code: str = "") -> None:
        super().__init__(text)
        self.code = code


class InvalidRequest(StateStoreError):
    def __init__(
        self, text: str, code: str = "VALIDATION", violations: Sequence[Violation] = ()
    ) -> None:
        super().__init__(text, code)
        self.violations = tuple(violations)


class KeyReused(InvalidRequest):
    pass


class NotFound(StateStoreError):
    pass


class AlreadyExists(StateStoreError):
    def __init__(
        self, text: str, code: str = "ALREADY_EXISTS", current_version: int | None = None
    ) -> None:
        super().__init__(text, code)
        self.current_version = current_version


class VersionConflict(StateStoreError):
    def __init__(
        self, text: str, code: str = "VERSION_CONFLICT", current_version: int | None = None
    ) -> None:
        super().__init__(text, code)
        self.current_version = current_version


class Impossible(StateStoreError):
    pass


class Unauthenticated(StateStoreError):
    pass


class Forbidden(StateStoreError):
    pass


class TooMuch(StateStoreError):
    pass


class Unavailable(StateStoreError):
    pass


class Overloaded(Unavailable):
    pass


class Contended(Unavailable):
    pass


class NotCaughtUp(Unavailable):
    pass


class DeadlineExceeded(StateStoreError):
    pass


class OutcomeUnknown(StateStoreError):
    """Send it again with `idempotency_key`, if it has one, or look before writing again."""

    def __init__(
        self, text: str, code: str = "OUTCOME_UNKNOWN", idempotency_key: str | None = None
    ) -> None:
        super().__init__(text, code)
        self.idempotency_key = idempotency_key


class ServerError(StateStoreError):
    pass

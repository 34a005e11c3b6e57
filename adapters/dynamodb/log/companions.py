"""What is stored together with an append, outside the log, in the same transaction."""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen


@frozen
class Companion:
    """An action of the transaction, and the error that tells that its condition did not hold."""

    action: Mapping[str, Any]
    refusal: Callable[[], Exception]

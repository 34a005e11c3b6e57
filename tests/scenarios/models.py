"""What the typed client tells as JSON, named as in the messages."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from domain.timestamps import stamp
from statestore_client import SignalState
from tests.scenarios.answers import Told, plain


def in_json(model: Any) -> Told:
    match model:
        case datetime():
            return stamp(model)
        case Enum():
            return model.value
        case Mapping():
            return {name: in_json(value) for name, value in model.items()}
        case tuple() | list():
            return list(map(in_json, model))
        case _ if is_dataclass(model):
            return _fields(model)
        case _:
            return plain(model)


def _fields(model: Any) -> dict[str, Told]:
    """Without what HTTP says in headers."""
    names = [one.name for one in fields(model) if one.name != "answer"]
    called = {"evaluation": "state"} if isinstance(model, SignalState) else {}
    return {called.get(name, name): in_json(getattr(model, name)) for name in names}

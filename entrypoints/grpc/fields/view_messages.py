"""Messages filled from the attributes of views, by the names of their fields."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from attrs import frozen
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from entrypoints.grpc.fields.timestamps import timestamp

Render = Callable[[Any], Any]

_TIMESTAMP = Timestamp.DESCRIPTOR.full_name


@frozen
class FieldsOf:
    """Reads the value of every field of a message off a view: what has no attribute fails."""

    fields: tuple[tuple[str, Render | None], ...]
    values: Callable[[Any], tuple[Any, ...]]

    @classmethod
    def message(
        cls,
        kind: type[Message],
        *,
        called: Mapping[str, str],
        rendered: Mapping[str, Render],
        apart: tuple[str, ...] = (),
    ) -> "FieldsOf":
        """`called` names the attributes of fields with other names, `apart` are not of the view."""
        fields = [field for field in kind.DESCRIPTOR.fields if field.name not in apart]
        return cls(
            tuple((field.name, rendered.get(field.name, _plain(field))) for field in fields),
            attrgetter(*(called.get(field.name, field.name) for field in fields)),
        )

    def read(self, view: object) -> dict[str, Any]:
        """The fields that say something."""
        return {
            name: value if render is None else render(value)
            for (name, render), value in zip(self.fields, self.values(view), strict=True)
            if value is not None
        }


def _plain(field: Any) -> Render | None:
    kind = field.message_type
    return timestamp if kind is not None and kind.full_name == _TIMESTAMP else None

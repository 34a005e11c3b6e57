"""Responses that read the attributes of a view: nothing is copied field by field."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from application.reads.position import Position


class ViewResponse(BaseModel):
    """`model_validate(view)` reads the attributes that the fields are called after.

    A field with another name than the attribute has a `validation_alias`. No field has a default,
    so that a renamed attribute fails instead of turning null.
    """

    model_config = ConfigDict(from_attributes=True, populate_by_name=True)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        # The names of attributes are ours: the schema that callers read has those of the fields.
        return handler(_without_aliases(core_schema))


def _without_aliases(schema: Any) -> Any:
    fields = schema["schema"]["fields"]
    named = {
        name: {key: value for key, value in field.items() if key != "validation_alias"}
        for name, field in fields.items()
    }
    return {**schema, "schema": {**schema["schema"], "fields": named}}


def _token(position: object) -> object:
    return Position(position).token() if isinstance(position, int) else position


PositionToken = Annotated[str, BeforeValidator(_token)]

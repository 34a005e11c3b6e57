"""Erasing people."""

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field

from application.violations import refuse_any
from domain.validation import text
from entrypoints.http.authentication import By
from entrypoints.http.dependencies import Use
from entrypoints.http.description.examples import ERASURE
from entrypoints.http.description.responses import answers, takes
from entrypoints.http.validation.json_body import reader
from entrypoints.http.validation.models import Body, Read
from entrypoints.http.validation.names import API

router = APIRouter(prefix=API, tags=["people"])


class ErasureRequest(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [ERASURE]})

    required = ("person",)

    person: str | None = Field(
        None,
        description="The name or address, as it was written.",
        json_schema_extra={"minLength": 1, "maxLength": 254},
    )


class ErasureResponse(BaseModel):
    erased: bool = Field(description="Whether anything was known of the person.")


@router.post(
    "/people/erasure",
    operation_id="erasePerson",
    summary="Make a person's data unreadable for ever",
    responses=answers(body=True),
    openapi_extra=takes(ErasureRequest),
)
async def erase(
    by: By,
    sent: Annotated[Read[ErasureRequest], Depends(reader(ErasureRequest))],
    use: Use,
) -> ErasureResponse:
    person = sent.body.person or ""
    refuse_any(sent.found, text("person", person, most=254))
    return ErasureResponse(erased=await use.erase_person(person, by=by))

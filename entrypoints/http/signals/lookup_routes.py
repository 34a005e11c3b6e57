"""Many signals in one read, of any datasets."""

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field

from application.violations import refuse_any
from domain.errors import Violation
from entrypoints.http.authentication import By
from entrypoints.http.datasets.requests import Urn
from entrypoints.http.dependencies import Use
from entrypoints.http.description.examples import SIGNAL_LOOKUP
from entrypoints.http.description.responses import read_of_many, takes
from entrypoints.http.signals.responses import SignalState
from entrypoints.http.validation.consistency import At
from entrypoints.http.validation.json_body import reader
from entrypoints.http.validation.models import Body, Read
from entrypoints.http.validation.names import API, SIGNAL_TYPE_SCHEMA
from entrypoints.interfaces.names import MOST_NAMES, signals_named

router = APIRouter(prefix=API, tags=["signals"])


class SignalKey(Body):
    required = ("dataset_urn", "signal_type")

    dataset_urn: Urn | None = None
    signal_type: Annotated[str, Field(json_schema_extra=SIGNAL_TYPE_SCHEMA)] | None = None


class SignalLookupRequest(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [SIGNAL_LOOKUP]})

    required = ("signals",)

    signals: list[SignalKey] | None = Field(None, json_schema_extra={"maxItems": MOST_NAMES})


class SignalLookupResponse(BaseModel):
    signals: list[SignalState | None] = Field(
        description="In the order of the names; null where a signal was never evaluated."
    )


@router.post(
    "/signals/lookup",
    operation_id="lookupSignals",
    summary="Get many signals",
    description=f"At most {MOST_NAMES}, of any datasets, in one read.",
    responses=read_of_many(),
    openapi_extra=takes(SignalLookupRequest),
)
async def lookup(
    by: By,
    sent: Annotated[Read[SignalLookupRequest], Depends(reader(SignalLookupRequest))],
    use: Use,
    at: At,
) -> SignalLookupResponse:
    wrong: list[Violation] = []
    said = [(one.dataset_urn or "", one.signal_type or "") for one in sent.body.signals or ()]
    names = signals_named(said, wrong)
    refuse_any([*at.violations, *sent.found], wrong)
    cards = at.of(await use.read_signals(names, demand=at.demand, by=by))
    return SignalLookupResponse(
        signals=[None if card is None else SignalState.model_validate(card) for card in cards]
    )

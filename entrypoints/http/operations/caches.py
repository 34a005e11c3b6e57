"""The caches before the read models: how they do, and forgetting what is in them."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from application.caches.ports import CacheStatus
from entrypoints.http.authentication import By
from entrypoints.http.dependencies import Use
from entrypoints.http.description.responses import answers
from entrypoints.http.validation.names import API

router = APIRouter(prefix=API, tags=["caches"])


class CacheLayer(BaseModel):
    layer: str = Field(
        description="`l1` in this process, `l2` shared, `store` the table itself, `stale` copies "
        "shown because the table did not answer.",
        examples=["l1"],
    )
    table: str = Field(examples=["observability-signal-state"])
    asked: int
    hits: int
    hit_rate: float | None = Field(description="null if nothing was asked.")
    p50_milliseconds: float | None = Field(description="Of the last 1000 reads.")
    p99_milliseconds: float | None


class SharedCache(BaseModel):
    entries: int | None = Field(description="null if it does not answer.")
    error: str | None = Field(description="Why it is not used now, if it is not.")


class CachesResponse(BaseModel):
    """Since this process started, and of what was asked of this process."""

    local_entries: int
    local_capacity: int = Field(
        description="How many entries this process may keep; 0 if it keeps none, as before the "
        "embedded tables unless the settings say otherwise."
    )
    shared: SharedCache | None = Field(description="null if there is none.")
    layers: list[CacheLayer]

    @classmethod
    def of(cls, status: CacheStatus) -> "CachesResponse":
        shared = status.shared
        return cls(
            local_entries=status.local_entries,
            local_capacity=status.local_capacity,
            shared=None
            if shared is None
            else SharedCache(entries=shared.entries, error=shared.trouble),
            layers=[
                CacheLayer(
                    layer=one.layer,
                    table=one.table,
                    asked=one.asked,
                    hits=one.hits,
                    hit_rate=one.hit_rate,
                    p50_milliseconds=_millis(one.p50_seconds),
                    p99_milliseconds=_millis(one.p99_seconds),
                )
                for one in status.tallies
            ],
        )


class ClearCachesResponse(BaseModel):
    local: int = Field(description="How many entries this process forgot.")
    shared: int | None = Field(
        description="How many the shared cache forgot; null if there is none, or no answer."
    )
    error: str | None = Field(
        description="Why the shared cache was not cleared, if it was not: clear it again when it "
        "answers. Until then others may be shown what lies there."
    )


@router.get(
    "/caches",
    operation_id="getCaches",
    summary="Tell hit rates, sizes and latencies of the caches",
    responses=answers(),
)
async def read(by: By, use: Use) -> CachesResponse:
    return CachesResponse.of(await use.read_caches(by=by))


@router.delete(
    "/caches",
    operation_id="clearCaches",
    summary="Forget what is in the caches",
    description="Of this process, and what is shared. It is read again when it is asked for.",
    responses=answers(),
)
async def clear(by: By, use: Use) -> ClearCachesResponse:
    cleared = await use.clear_caches(by=by)
    return ClearCachesResponse(local=cleared.local, shared=cleared.shared, error=cleared.trouble)


def _millis(seconds: float | None) -> float | None:
    return None if seconds is None else seconds * 1000

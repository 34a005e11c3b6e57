"""What became of updates, as engines see it."""

from collections.abc import Sequence

from pydantic import BaseModel, Field

from application.errors import ApplicationError
from application.reads.position import Position
from application.signals.commands import SignalUpdated
from domain.errors import DomainError
from domain.signal.evaluation import SignalStateEnum
from domain.timestamps import stamp
from entrypoints.http.errors import trouble
from entrypoints.http.problems import Violation
from entrypoints.http.signals.responses import StandingAnswer


class SignalUpdateResponse(StandingAnswer):
    """How the signal stands after the update."""

    version: int
    is_current: bool = Field(description="Whether the update is about the latest window.")
    position: str = Field(description="Where the log stood; an opaque token.")

    @classmethod
    def of(cls, updated: SignalUpdated) -> "SignalUpdateResponse":
        standing = updated.standing
        return cls(
            dataset_urn=updated.dataset,
            signal_type=updated.signal_type,
            version=updated.version,
            state=standing.state,
            previous_state=standing.previous_state,
            state_changed_at=stamp(standing.changed_at),
            breach_start=stamp(standing.breach_start) if standing.breach_start else None,
            is_current=updated.is_current,
            position=Position(updated.position).token(),
        )


class SignalBatchResult(BaseModel):
    """What became of one update of a batch."""

    success: bool
    dataset_urn: str | None
    signal_type: str | None
    new_version: int | None = None
    state: SignalStateEnum | None = None
    is_current: bool | None = None
    error_code: str | None = Field(None, examples=["VERSION_CONFLICT"])
    error_message: str | None = None
    violations: list[Violation] = []
    current_version: int | None = None

    @classmethod
    def of(
        cls,
        outcome: SignalUpdated | DomainError | ApplicationError,
        dataset_urn: str | None,
        signal_type: str | None,
    ) -> "SignalBatchResult":
        if isinstance(outcome, SignalUpdated):
            return cls(
                success=True,
                dataset_urn=dataset_urn,
                signal_type=signal_type,
                new_version=outcome.version,
                state=outcome.standing.state,
                is_current=outcome.is_current,
            )
        told = trouble(outcome)
        return cls(
            success=False,
            dataset_urn=dataset_urn,
            signal_type=signal_type,
            error_code=told.code,
            error_message=told.detail,
            violations=[Violation.of(one) for one in told.violations],
            current_version=told.data.get("current_version"),
        )


class SignalBatchResponse(BaseModel):
    """The results in the order of the updates."""

    results: list[SignalBatchResult]
    success_count: int
    failure_count: int

    @classmethod
    def of(cls, results: Sequence[SignalBatchResult]) -> "SignalBatchResponse":
        succeeded = sum(result.success for result in results)
        return cls(
            results=list(results),
            success_count=succeeded,
            failure_count=len(results) - succeeded,
        )

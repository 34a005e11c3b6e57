"""For how long things count and are kept."""

from datetime import timedelta

from pydantic import Field, ValidationInfo, field_validator

from domain.retention import KEPT_FOR, KeptFor
from entrypoints.settings.topic import Topic


class Keeping(Topic):
    """Signals, incidents, evidence and lineage."""

    signal_allowed_lateness_hours: float = Field(
        24, gt=0, le=24 * 366, description="How far back windows can still move a signal's state."
    )
    reopen_window_hours: float = Field(
        168, gt=0, le=24 * 365, description="How long a resolved incident can be opened again."
    )
    signal_retention_days: int = Field(
        KEPT_FOR.signals.days,
        ge=1,
        le=3650,
        description="How long signals are shown after their dataset was retired. Those of a "
        "dataset in service never expire.",
    )
    incident_retention_days: int = Field(
        KEPT_FOR.incidents.days,
        ge=1,
        le=3650,
        description="How long incidents are shown after they were resolved; not shorter than they "
        "can be opened again.",
    )
    evidence_retention_hours: int = Field(
        KEPT_FOR.evidence // timedelta(hours=1),
        ge=1,
        le=24 * 366,
        description="How long evidence is at hand after it was recorded; then it is read from the "
        "archive.",
    )
    evidence_pass_rate: float = Field(
        0.01,
        ge=0,
        le=1,
        description="The share of the evidence that passed which is kept. All that failed is.",
    )
    evidence_queue_size: int = Field(
        50_000,
        ge=1,
        le=10_000_000,
        description="How much evidence may wait to be stored in the archive; more is told to come "
        "later.",
    )
    evidence_worker_process: bool = Field(
        True,
        description="Whether large batches of evidence are read and checked by a process of their "
        "own beside the server, which is started when the first of them comes.",
    )
    evidence_archive: str | None = Field(
        None,
        min_length=1,
        description="Where evidence is kept for good: a folder, or `s3://bucket/prefix`; "
        "`evidence` in the data folder if nothing is said. Processes that share a log must share "
        "it, too.",
    )
    lineage_retention_days: int = Field(
        KEPT_FOR.lineage.days,
        ge=1,
        le=3650,
        description="How long a lineage spec holds that does not say so itself.",
    )

    @field_validator("incident_retention_days")
    @classmethod
    def _must_outlast_reopening(cls, days: int, others: ValidationInfo) -> int:
        hours = others.data.get("reopen_window_hours", 0)
        if days * 24 < hours:
            raise ValueError(
                f"must be at least the {hours} hours of STATESTORE_REOPEN_WINDOW_HOURS"
            )
        return days

    @property
    def kept_for(self) -> KeptFor:
        return KeptFor(
            signals=timedelta(days=self.signal_retention_days),
            incidents=timedelta(days=self.incident_retention_days),
            evidence=timedelta(hours=self.evidence_retention_hours),
            lineage=timedelta(days=self.lineage_retention_days),
        )

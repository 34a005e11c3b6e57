"""What signal engines send."""

from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, ConfigDict, Field

from domain.errors import Violation
from domain.signal.evaluation import Confidence, SignalStateEnum
from domain.signal.report import SignalReport
from entrypoints.http.datasets.requests import Urn
from entrypoints.http.datasets.settings_models import Word
from entrypoints.http.description.examples import SIGNAL_BATCH, SIGNAL_UPDATE
from entrypoints.http.validation.models import Body
from entrypoints.http.validation.names import SIGNAL_TYPE_SCHEMA
from entrypoints.http.validation.timestamps import Moment

MOST_UPDATES = 500

Share = Annotated[float, Field(json_schema_extra={"minimum": 0, "maximum": 1})]
Count = Annotated[int, Field(json_schema_extra={"minimum": 0, "maximum": 2**53 - 1})]
Version = Annotated[int, Field(ge=-1, le=2**53 - 1)]
EvidenceName = Annotated[
    str, Field(json_schema_extra={"pattern": "^evd-[0-7][0-9A-HJKMNP-TV-Z]{25}$"})
]
Said = Annotated[str, Field(json_schema_extra={"enum": [str(one) for one in Confidence]})]


class SignalMetricsRequest(Body):
    required = ("evidence_count", "pass_count", "fail_count")

    evidence_count: Count | None = None
    pass_count: Count | None = None
    fail_count: Count | None = None


class ProducerInfo(Body):
    required = ("producer_id",)

    producer_id: str | None = Field(None, json_schema_extra={"minLength": 1, "maxLength": 200})
    version: str | None = Field(None, json_schema_extra={"maxLength": 100})
    confidence: Said | None = None


def _producer(value: object) -> object:
    return {"producer_id": value} if isinstance(value, str) else value


class SignalUpdate(Body):
    """An evaluation of one window of a signal."""

    model_config = ConfigDict(json_schema_extra={"examples": [SIGNAL_UPDATE]})

    required: ClassVar[tuple[str, ...]] = (
        "state",
        "score",
        "window_start",
        "window_end",
        "metrics",
    )

    state: (
        Annotated[str, Field(json_schema_extra={"enum": [str(one) for one in SignalStateEnum]})]
        | None
    ) = None
    score: Share | None = None
    slo_threshold: Share | None = None
    breach_start: Any = Field(None, description="Ignored: it follows from the windows seen.")
    incident_id: Any = Field(None, description="Ignored: incidents are linked by themselves.")
    window_start: Moment | None = None
    window_end: Moment | None = None
    window_type: Word | None = Field(None, examples=["TUMBLING_5MIN"])
    metrics: SignalMetricsRequest | None = None
    failure_signature: str | None = Field(
        None, description="REASON_CODE:field. Required when WARNING or CRITICAL."
    )
    top_producer: (
        Annotated[
            ProducerInfo, BeforeValidator(_producer, json_schema_input_type=str | ProducerInfo)
        ]
        | None
    ) = Field(None, description="Required unless OK.")
    top_producer_version: str | None = Field(
        None, description="For a `top_producer` that is a text."
    )
    top_producer_confidence: Said | None = None
    evidence_sample: list[EvidenceName] | None = Field(
        None, description="Required unless OK.", json_schema_extra={"maxItems": 10}
    )
    evaluated_at: Moment | None = Field(
        None, description="When the verdict was reached; of two on one window the later counts."
    )
    expected_version: Version | None = Field(
        None, description="0: the first one, n: after version n, -1: any. Or send If-Match."
    )
    dataset_urn: str | None = Field(None, description="If sent, the one in the path.")
    signal_type: str | None = Field(None, description="If sent, the one in the path.")

    def report(
        self,
        dataset_urn: str,
        signal_type: str,
        expected_version: int | None,
        unreadable: tuple[Violation, ...],
    ) -> SignalReport:
        metrics, producer = self.metrics or _NO_METRICS, self.top_producer or _NO_PRODUCER
        return SignalReport(
            dataset_urn=dataset_urn,
            signal_type=signal_type,
            state=self.state,
            score=self.score,
            slo_threshold=self.slo_threshold,
            window_start=self.window_start,
            window_end=self.window_end,
            window_type=self.window_type,
            evidence_count=metrics.evidence_count,
            pass_count=metrics.pass_count,
            fail_count=metrics.fail_count,
            failure_signature=self.failure_signature,
            producer_id=producer.producer_id,
            producer_version=producer.version or self.top_producer_version,
            confidence=producer.confidence or self.top_producer_confidence,
            evidence_sample=tuple(self.evidence_sample or ()),
            evaluated_at=self.evaluated_at,
            expected_version=expected_version,
            unreadable=unreadable,
        )


_NO_METRICS, _NO_PRODUCER = SignalMetricsRequest(), ProducerInfo()


class SignalBatchItem(SignalUpdate):
    """An update that says itself which signal it is about."""

    model_config = ConfigDict(json_schema_extra={"examples": SIGNAL_BATCH["updates"]})

    required = ("dataset_urn", "signal_type", *SignalUpdate.required, "expected_version")

    dataset_urn: Urn | None = None
    signal_type: Annotated[str, Field(json_schema_extra=SIGNAL_TYPE_SCHEMA)] | None = None


def _as_it_is(item: object) -> object:
    return item


class SignalBatchRequest(Body):
    """Updates that succeed or fail one by one. Those of one signal are taken in the order given."""

    model_config = ConfigDict(json_schema_extra={"examples": [SIGNAL_BATCH]})

    required = ("updates",)

    # Items are read one by one: what is wrong with one is not what is wrong with all.
    updates: (
        list[Annotated[Any, BeforeValidator(_as_it_is, json_schema_input_type=SignalBatchItem)]]
        | None
    ) = Field(None, json_schema_extra={"maxItems": MOST_UPDATES})

"""Datasets as dashboards see them."""

from datetime import datetime

import strawberry
from strawberry import UNSET

from application.datasets.read_model import DatasetView
from domain.ids import DatasetUrn
from entrypoints.graphql.answer_info import AnswerInfo
from entrypoints.graphql.consistency import Found
from entrypoints.graphql.context import Info
from entrypoints.graphql.datasets.evidence_page import evidence_page
from entrypoints.graphql.datasets.settings_types import (
    ContractBinding,
    IncidentPolicy,
    PiiPolicy,
    SchemaBinding,
    SloConfig,
    Source,
)
from entrypoints.graphql.enums import DatasetStatus, Tier
from entrypoints.graphql.evidence.types import EvidencePage
from entrypoints.graphql.optional import told
from entrypoints.interfaces.evidence_input import USUAL_HOURS, USUAL_PAGE


@strawberry.type(description="A dataset and everything that is agreed about it.")
class Dataset:
    found: strawberry.Private[Found[DatasetView]]
    dataset_urn: str
    status: DatasetStatus
    display_name: str
    description: str | None
    tier: Tier
    owner_team: str
    owner_email: str | None
    oncall_rotation: str | None
    retention_days: int | None
    config_version: int
    created_at: datetime
    updated_at: datetime
    updated_by: str
    retired_at: datetime | None
    source: Source | None
    schema_binding: SchemaBinding | None
    contract_binding: ContractBinding | None
    slos: SloConfig | None
    pii_policy: PiiPolicy | None
    incident_policy: IncidentPolicy | None

    @strawberry.field(description="What the answer is about.")
    def answer(self) -> AnswerInfo:
        return AnswerInfo.of(self.found.answer)

    @strawberry.field(
        description="Evidence that was created from `since` on and before `until`, the last first; "
        f"of the last {USUAL_HOURS} hours, if `since` is not said. What is older is read from the "
        "archive, which takes longer."
    )
    async def evidence(
        self,
        info: Info,
        since: datetime | None = UNSET,
        until: datetime | None = UNSET,
        first: int | None = USUAL_PAGE,
        after: str | None = UNSET,
    ) -> EvidencePage:
        dataset = DatasetUrn(self.dataset_urn)
        return await evidence_page(info, dataset, since, until, first, after)

    @classmethod
    def of(cls, found: Found[DatasetView]) -> "Dataset":
        card, agreed = found.what, found.what.settings
        return cls(
            found=found,
            dataset_urn=card.dataset,
            status=DatasetStatus(card.status),
            display_name=agreed.display_name,
            description=agreed.description,
            tier=agreed.tier,
            owner_team=agreed.owner_team,
            owner_email=agreed.owner_email,
            oncall_rotation=agreed.oncall_rotation,
            retention_days=agreed.retention_days,
            config_version=card.config_version,
            created_at=card.created_at,
            updated_at=card.updated_at,
            updated_by=card.updated_by,
            retired_at=card.retired_at,
            source=told(agreed.source, Source.of),
            schema_binding=told(agreed.schema_binding, SchemaBinding.of),
            contract_binding=told(agreed.contract_binding, ContractBinding.of),
            slos=told(agreed.slos, SloConfig.of),
            pii_policy=told(agreed.pii_policy, PiiPolicy.of),
            incident_policy=told(agreed.incident_policy, IncidentPolicy.of),
        )

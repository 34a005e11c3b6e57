"""The datasets of the platform: forty in six domains. Nothing here depends on chance or time."""

from collections.abc import Iterator
from functools import cache

from attrs import frozen

from domain.ids import SIGNAL_TYPES
from entrypoints.cli.running_server import Answer

WAREHOUSE, STREAM = "SNOWFLAKE", "KAFKA"

_PERSONAL = ("email", "phone", "address", "card_token")

# domain: (name, tier, columns, events in five minutes; 0 for tables that jobs build)
_DATASETS = {
    "orders": [
        ("order_created", 1, "order_id customer_id total_amount currency created_at", 1200),
        ("order_updated", 1, "order_id status updated_at", 2100),
        ("order_items", 1, "order_id sku quantity price", 3400),
        ("order_cancelled", 2, "order_id reason cancelled_at", 90),
        ("order_returns", 2, "order_id sku reason returned_at", 60),
        ("cart_events", 3, "cart_id session_id sku event_at", 8000),
        ("order_facts", 1, "order_id customer_id total_amount day", 0),
        ("order_funnel", 3, "day step carts orders", 0),
    ],
    "payments": [
        ("payment_processed", 1, "payment_id order_id customer_id amount processed_at", 1100),
        ("payment_refunded", 1, "payment_id amount refunded_at", 70),
        ("payment_disputes", 2, "payment_id reason opened_at", 12),
        ("card_tokens", 2, "customer_id card_token stored_at", 240),
        ("ledger_entries", 1, "entry_id payment_id amount booked_at", 2300),
        ("fraud_scores", 1, "order_id customer_id score scored_at", 0),
        ("settlement_batches", 2, "batch_id amount settled_at", 0),
    ],
    "customers": [
        ("customer_profile", 1, "customer_id email phone updated_at", 300),
        ("customer_consent", 1, "customer_id purpose granted_at", 120),
        ("customer_addresses", 2, "customer_id address updated_at", 180),
        ("support_tickets", 3, "ticket_id customer_id topic opened_at", 40),
        ("customer_360", 2, "customer_id orders lifetime_value email", 0),
        ("loyalty_points", 2, "customer_id points updated_at", 0),
        ("churn_scores", 3, "customer_id score day", 0),
    ],
    "logistics": [
        ("shipment_created", 1, "shipment_id order_id carrier created_at", 1000),
        ("shipment_tracking", 2, "shipment_id place seen_at", 5200),
        ("stock_levels", 1, "sku warehouse quantity counted_at", 1500),
        ("warehouse_moves", 2, "sku from_shelf to_shelf moved_at", 900),
        ("carrier_rates", 3, "carrier zone price valid_from", 4),
        ("delivery_promises", 2, "order_id promised_at probability", 0),
    ],
    "marketing": [
        ("campaign_clicks", 3, "campaign_id session_id clicked_at", 6400),
        ("campaign_spend", 3, "campaign_id cost day", 20),
        ("email_sends", 3, "campaign_id email sent_at", 700),
        ("audience_segments", 2, "customer_id segment day", 0),
        ("recommendations", 2, "customer_id sku rank", 0),
        ("attribution", 3, "order_id campaign_id share", 0),
    ],
    "finance": [
        ("invoices", 1, "invoice_id order_id amount issued_at", 950),
        ("revenue_daily", 1, "day currency revenue orders", 0),
        ("tax_reports", 2, "day country tax", 0),
        ("cost_allocation", 3, "day team cost", 0),
        ("kpi_board", 2, "day name value", 0),
        ("forecast", 3, "day revenue low high", 0),
    ],
}

_OWN_SIGNALS = {
    "payments:fraud_scores": "CUSTOM_SCORE_DRIFT",
    "finance:forecast": "CUSTOM_FORECAST_ERROR",
}


@frozen
class Dataset:
    domain: str
    name: str
    tier: int
    columns: tuple[str, ...]
    events: int

    @property
    def short(self) -> str:
        return f"{self.domain}:{self.name}"

    @property
    def urn(self) -> str:
        return f"urn:dp:{self.short}:v1"

    @property
    def topic(self) -> str | None:
        return f"raw.{self.domain}.{self.name}" if self.events else None

    @property
    def personal(self) -> tuple[str, ...]:
        return tuple(column for column in self.columns if column in _PERSONAL)

    @property
    def signals(self) -> tuple[str, ...]:
        """The more a dataset matters, the more is looked at."""
        fresh, volume, contract, schema, pii, latency = SIGNAL_TYPES
        looked_at = [fresh, volume]
        looked_at += [contract] if self.tier <= 2 else []
        looked_at += [schema] if self.tier == 1 else []
        looked_at += [latency] if self.tier == 1 and self.events else []
        looked_at += [pii] if self.personal else []
        looked_at += [_OWN_SIGNALS[self.short]] if self.short in _OWN_SIGNALS else []
        return tuple(looked_at)

    def registration(self) -> Answer:
        """What is agreed about it, as it is registered."""
        words = self.name.replace("_", " ").title()
        compliance = {"contract_compliance": {"min_compliance_rate": 0.95}}
        return {
            "dataset_urn": self.urn,
            "display_name": f"{self.domain.title()} - {words}",
            "tier": f"TIER_{self.tier}",
            "owner_team": f"{self.domain}-platform",
            "oncall_rotation": f"{self.domain}-oncall",
            "source": {"type": STREAM if self.events else WAREHOUSE, "topic": self.topic},
            "schema_binding": {"registry": "GLUE", "schema_name": f"{self.domain}.{self.name}"},
            "contract_binding": {
                "contract_id": f"dc:{self.domain}.{self.name}:1",
                "required_fields": list(self.columns[:2]),
            },
            "slos": {
                "freshness": {"max_delay_seconds": 120 if self.events else 3600},
                "volume": {"min_events_per_window": self.events // 2},
                **(compliance if self.tier <= 2 else {}),
            },
            "pii_policy": {
                "scan_enabled": bool(self.personal),
                "fields_to_scan": list(self.personal),
            },
        }

    def rules(self) -> Iterator[Answer]:
        """Its own topic, and its share of the domain's topic for everything."""
        if self.topic:
            yield {"topic_pattern": self.topic, "resolution_type": "EXACT"}
            yield {
                "name": "by-event-type",
                "topic_pattern": f"raw.{self.domain}.events",
                "resolution_type": "CONDITIONAL",
                "conditions": [
                    {
                        "field": "$.event_type",
                        "operator": "EQUALS",
                        "value": self.name,
                        "dataset_urn": self.urn,
                    }
                ],
            }


@cache
def datasets() -> dict[str, Dataset]:
    """All of them by their short names."""
    every = (
        Dataset(domain, name, tier, tuple(columns.split()), events)
        for domain, rows in _DATASETS.items()
        for name, tier, columns, events in rows
    )
    return {dataset.short: dataset for dataset in every}

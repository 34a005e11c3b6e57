"""Who writes and reads what on the platform: services, jobs, lambdas and notebooks, by column."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import frozen

from domain.timestamps import stamp
from entrypoints.cli.demo.platform import datasets
from entrypoints.cli.running_server import Answer

Columns = Mapping[str, str]
"""Columns of datasets by their short names; all columns where none is named."""


@frozen
class Flow:
    """An entity that reads some datasets and writes others. It declares that itself."""

    kind: str
    name: str
    reads: Columns
    writes: Columns

    @property
    def entity(self) -> str:
        return f"{self.kind.lower()}:{self.name}"

    def spec_id(self, commit: str) -> str:
        return f"lspec:{self.entity}:git:{commit}"

    def spec(self, commit: str, at: datetime, *, without: Sequence[str] = ()) -> Answer:
        """The spec of a commit; `without` names columns that it no longer writes."""
        return {
            "column_reads": self._entries(self.reads),
            "column_writes": self._entries(self.writes, without),
            "confidence": "HIGH",
            "commit": commit,
            "updated_at": stamp(at),
        }

    def _entries(self, columns: Columns, without: Sequence[str] = ()) -> list[Answer]:
        who = {"entity_id": self.entity, "entity_name": self.name, "entity_type": self.kind}
        return [
            {"column_urn": f"urn:col:{datasets()[short].urn}:{column}", **who}
            for short, named in columns.items()
            for column in named.split() or datasets()[short].columns
            if column not in without
        ]


def _service(name: str, reads: Columns, *writes: str) -> Flow:
    return Flow("SERVICE", name, reads, dict.fromkeys(writes, ""))


def _job(name: str, reads: Columns, *writes: str) -> Flow:
    return Flow("JOB", name, reads, dict.fromkeys(writes, ""))


ORDERS = _service(
    "orders-svc",
    {"logistics:stock_levels": "sku quantity"},
    "orders:order_created",
    "orders:order_updated",
    "orders:order_items",
    "orders:order_cancelled",
    "orders:order_returns",
)

FLOWS: Sequence[Flow] = (
    ORDERS,
    _service("storefront", {"marketing:recommendations": ""}, "orders:cart_events"),
    _service(
        "payments-svc",
        {"orders:order_created": "order_id customer_id total_amount", "payments:fraud_scores": ""},
        "payments:payment_processed",
        "payments:payment_refunded",
        "payments:payment_disputes",
        "payments:card_tokens",
    ),
    _service(
        "fraud-scorer",
        {"orders:order_created": "order_id customer_id", "payments:card_tokens": "customer_id"},
        "payments:fraud_scores",
    ),
    _service("ledger-svc", {"payments:payment_processed": ""}, "payments:ledger_entries"),
    _service(
        "accounts-svc",
        {},
        "customers:customer_profile",
        "customers:customer_consent",
        "customers:customer_addresses",
    ),
    _service("helpdesk", {"customers:customer_profile": "email"}, "customers:support_tickets"),
    _service(
        "shipping-svc",
        {"orders:order_created": "order_id", "customers:customer_addresses": "address"},
        "logistics:shipment_created",
        "logistics:shipment_tracking",
    ),
    _service("warehouse-svc", {}, "logistics:stock_levels", "logistics:warehouse_moves"),
    Flow("LAMBDA", "carrier-rates-import", {}, {"logistics:carrier_rates": ""}),
    _service(
        "invoicing", {"orders:order_items": "", "orders:order_created": ""}, "finance:invoices"
    ),
    _service("campaigns", {"marketing:audience_segments": ""}, "marketing:email_sends"),
    Flow("LAMBDA", "click-collector", {}, {"marketing:campaign_clicks": ""}),
    Flow("LAMBDA", "ad-spend-import", {}, {"marketing:campaign_spend": ""}),
    _job(
        "order-facts",
        {"orders:order_created": "", "orders:order_items": "order_id price"},
        "orders:order_facts",
    ),
    _job(
        "order-funnel", {"orders:cart_events": "", "orders:order_facts": ""}, "orders:order_funnel"
    ),
    _job("settlement", {"payments:ledger_entries": ""}, "payments:settlement_batches"),
    _job(
        "customer-360",
        {
            "orders:order_created": "customer_id total_amount",
            "customers:customer_profile": "",
            "customers:support_tickets": "customer_id",
        },
        "customers:customer_360",
    ),
    _job(
        "loyalty", {"payments:payment_processed": "customer_id amount"}, "customers:loyalty_points"
    ),
    _job("churn-model", {"customers:customer_360": ""}, "customers:churn_scores"),
    _job(
        "delivery-promises",
        {"logistics:shipment_tracking": "", "logistics:stock_levels": ""},
        "logistics:delivery_promises",
    ),
    _job("segment-builder", {"customers:customer_360": ""}, "marketing:audience_segments"),
    _job(
        "recommender",
        {"orders:order_facts": "customer_id", "customers:customer_360": "customer_id"},
        "marketing:recommendations",
    ),
    _job(
        "attribution",
        {"marketing:campaign_clicks": "", "orders:order_facts": "order_id customer_id"},
        "marketing:attribution",
    ),
    _job("revenue", {"orders:order_facts": "", "finance:invoices": ""}, "finance:revenue_daily"),
    _job("tax", {"finance:invoices": ""}, "finance:tax_reports"),
    _job("cost-allocation", {"marketing:campaign_spend": ""}, "finance:cost_allocation"),
    _job(
        "kpi-board",
        {"finance:revenue_daily": "", "orders:order_funnel": ""},
        "finance:kpi_board",
    ),
    Flow("NOTEBOOK", "forecast", {"finance:revenue_daily": ""}, {"finance:forecast": ""}),
)

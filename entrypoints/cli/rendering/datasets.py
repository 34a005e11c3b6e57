"""Datasets as the terminal shows them."""

from rich.console import Group, RenderableType
from rich.text import Text

from entrypoints.cli.rendering.screen import Screen, coloured, facts, listing, table
from entrypoints.cli.rendering.signals import signals_table
from entrypoints.cli.running_server import Answer


def drawn_datasets(answer: Answer, screen: Screen) -> RenderableType:
    wide = [] if screen.tight else ["NAME", "SOURCE"]
    drawn = table("DATASET", "TIER", "OWNER", "VERSION", *wide)
    for one in answer["datasets"]:
        drawn.add_row(
            screen.urn(one["dataset_urn"]),
            one["tier"],
            one["owner_team"],
            str(one["config_version"]),
            *([] if screen.tight else [one["display_name"], _source(one)]),
        )
    more = answer["next_page_token"] is not None
    return listing(drawn, empty="No dataset is registered.", more=more)


def drawn_dataset(answer: Answer, _: Screen) -> RenderableType:
    contract = answer["contract_binding"] or {}
    return facts(
        [
            ("dataset", answer["dataset_urn"]),
            ("name", answer["display_name"]),
            ("description", answer["description"]),
            ("status", answer["status"]),
            ("tier", answer["tier"]),
            ("owner", answer["owner_team"]),
            ("email", answer["owner_email"]),
            ("on call", answer["oncall_rotation"]),
            ("source", _source(answer)),
            ("schema", (answer["schema_binding"] or {}).get("schema_name")),
            ("contract", contract.get("contract_id")),
            ("required", ", ".join(contract.get("required_fields") or [])),
            *_promises(answer["slos"] or {}),
            ("scanned", ", ".join((answer["pii_policy"] or {}).get("fields_to_scan") or [])),
            ("version", f"{answer['config_version']}, {answer['updated_at']}"),
        ]
    )


def _promises(slos: Answer) -> list[tuple[str, RenderableType | None]]:
    fresh, volume = slos.get("freshness"), slos.get("volume")
    compliance = slos.get("contract_compliance")
    return [
        ("fresh within", f"{fresh['max_delay_seconds']} s" if fresh else None),
        ("at least", f"{volume['min_events_per_window']} a window" if volume else None),
        ("compliance", f"{compliance['min_compliance_rate']:g}" if compliance else None),
    ]


def _source(dataset: Answer) -> str:
    source = dataset["source"] or {}
    return " ".join(filter(None, [source.get("type"), source.get("topic")]))


def drawn_health(answer: Answer, screen: Screen) -> RenderableType:
    open_now = [f"{one['incident_id']} ({one['severity']})" for one in answer["incidents"]]
    return Group(
        facts(
            [
                ("state", coloured(answer["state"])),
                ("dataset", answer["dataset_urn"]),
                ("owner", f"{answer['owner_team']}, {answer['tier']}, {answer['status']}"),
                ("open", ", ".join(open_now)),
            ]
        ),
        signals_table(answer["signals"], screen),
    )


def drawn_resolution(answer: Answer, _: Screen) -> RenderableType:
    drawn = table("RULE", "OF", "PATTERN", "TYPE", "PRIORITY", "SAYS", "REASON")
    for step in answer["steps"]:
        drawn.add_row(
            step["rule"],
            step["owner_urn"],
            step["topic_pattern"],
            step["resolution_type"],
            str(step["priority"]),
            step["dataset_urn"] or "",
            step["reason"],
        )
    broken = [f"{one['field']} {one['message']}" for one in answer["contract_violations"]]
    found = [Text(answer["dataset_urn"] or "No rule names a dataset.")]
    return Group(*found, *map(Text, broken), *([drawn] if drawn.row_count else []))

"""Tables as the terminal shows them."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from adapters.row_layouts.catalogue import Billing, Table
from domain.retention import KeptFor
from entrypoints.cli.plurals import counted
from entrypoints.cli.rendering.screen import facts, table
from entrypoints.cli.tables.inventory import Entry, kept_seconds

_UNITS = ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB"))
_BAD, _GOOD = "bold red", "green"


def drawn_list(entries: Sequence[Entry], kept_for: KeptFor, *, local: bool) -> RenderableType:
    """What is about DynamoDB alone is left out where the tables are in a local file."""
    elsewhere = [] if local else ["BILLING"]
    drawn = table("TABLE", "STATUS", "ROWS", "SIZE", "KEY", "INDEXES", "KEPT", *elsewhere)
    for entry in entries:
        drawn.add_row(
            entry.table.name,
            _status(entry),
            _count(entry),
            _size(entry),
            key(entry.table),
            str(len(entry.table.indexes) or ""),
            kept(entry.table, kept_for),
            *([] if local else [billing(entry.table)]),
        )
    return drawn


def drawn_table(entry: Entry, kept_for: KeptFor, *, local: bool) -> RenderableType:
    declared, stocked = entry.table, entry.stocked
    return Group(
        Text(declared.name, style="bold"),
        facts(
            [
                ("  status", _status(entry)),
                ("  generation", str(entry.generation) if entry.generation > 1 else None),
                ("  rows", f"{_count(entry)}, {_size(entry)}" if stocked else None),
                ("  key", key(declared)),
                *(
                    ("  index", f"{one.name}: {one.hash}, {one.range}, {one.projection}")
                    for one in declared.indexes
                ),
                ("  rows end by", declared.ttl or "nothing: they are kept"),
                ("  kept", kept(declared, kept_for)),
                ("  data", declared.classification.value),
                *([] if local else _elsewhere(entry)),
                *(("  differs", Text(one, style=_BAD)) for one in entry.differences),
            ]
        ),
        Text(""),
    )


def _elsewhere(entry: Entry) -> list[tuple[str, RenderableType | None]]:
    declared, found = entry.table, {} if entry.stocked is None else entry.stocked.more
    return [
        ("  billing", billing(declared)),
        ("  recovery", _recovery(declared)),
        ("  stream", declared.stream or "none"),
        ("  arn", found.get("arn")),
    ]


def key(declared: Table) -> str:
    return " + ".join(declared.keys)


def kept(declared: Table, kept_for: KeptFor) -> str:
    seconds = kept_seconds(declared, kept_for)
    if seconds is None:
        return ""
    days, hours = divmod(seconds // 3_600, 24)
    return counted(days * 24 + hours, "hour") if hours else counted(days, "day")


def billing(declared: Table) -> str:
    if declared.billing is Billing.ON_DEMAND:
        return "on demand"
    return f"provisioned, {declared.throughput.read} read, {declared.throughput.write} write"


def size(count: int) -> str:
    for unit, name in _UNITS:
        if count >= unit:
            return f"{count / unit:.1f} {name}"
    return f"{count} B"


def _status(entry: Entry) -> Text:
    if entry.stocked is None:
        return Text("✖ MISSING", style=_BAD)
    if entry.differences:
        return Text(f"▲ {entry.stocked.status}, DIFFERS", style=_BAD)
    return Text(f"✔ {entry.stocked.status}", style=_GOOD)


def _count(entry: Entry) -> str:
    if entry.stocked is None:
        return ""
    return f"{'~' if entry.stocked.estimated else ''}{entry.stocked.rows:,}"


def _size(entry: Entry) -> str:
    return "" if entry.stocked is None else size(entry.stocked.bytes)


def _recovery(declared: Table) -> str:
    return "any moment of 35 days" if declared.restorable else "none: what it holds is made anew"

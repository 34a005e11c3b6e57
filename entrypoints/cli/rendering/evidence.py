"""Evidence as the terminal shows it."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from entrypoints.cli.rendering.screen import Screen, coloured, facts, listing, table
from entrypoints.cli.running_server import Answer


def drawn_evidence(answer: Answer, screen: Screen) -> RenderableType:
    return facts(list(_facts(answer, screen)))


def _facts(one: Answer, screen: Screen) -> Iterator[tuple[str, RenderableType]]:
    checked = one["validation"]
    yield "evidence", one["evidence_id"]
    yield "dataset", one["dataset_urn"]
    yield "result", coloured(checked["result"])
    yield "reasons", Text(", ".join(checked["reason_codes"]) or "none")
    yield "failed gates", Text(", ".join(checked["failed_gates"]) or "none")
    yield "created", f"{one['created_at']} ({screen.since(one['created_at'])} ago)"
    yield "recorded", f"{one['recorded_at']}{' (from the archive)' if one['archived'] else ''}"
    if producer := one["producer"]:
        said = (producer["producer_id"], producer["version"], producer["confidence"])
        yield "producer", Text(" ".join(each for each in said if each))
    if source := one["source"]:
        yield "read from", Text(f"{source['topic']}[{source['partition']}]@{source['offset']}")
    for part in ("fingerprints", "otel"):
        for name, value in (one[part] or {}).items():
            if value:
                yield name.replace("_", " "), value
    if one["payload_ref"]:
        yield "payload", Text(one["payload_ref"])
    if one["payload_size_bytes"] is not None:
        yield "payload size", f"{one['payload_size_bytes']:,} bytes"


def drawn_evidence_list(answer: Answer, screen: Screen) -> RenderableType:
    drawn = table("EVIDENCE", "CREATED", "RESULT", "REASONS", "PRODUCER", "")
    for one in answer["evidence"]:
        producer = one["producer"] or {}
        drawn.add_row(
            one["evidence_id"],
            screen.since(one["created_at"]),
            coloured(one["validation"]["result"]),
            Text(", ".join(one["validation"]["reason_codes"])),
            Text(producer.get("producer_id", "")),
            "archived" if one["archived"] else "",
        )
    more = answer["next_page_token"] is not None
    return listing(drawn, empty="There is no evidence of that time.", more=more)

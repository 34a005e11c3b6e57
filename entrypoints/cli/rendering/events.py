"""Events and dead letters as the terminal shows them."""

from rich.console import RenderableType
from rich.text import Text

from entrypoints.cli.rendering.screen import Screen, coloured, facts, listing, table
from entrypoints.cli.running_server import Answer


def event_line(event: Answer, screen: Screen) -> Text:
    """When, what, where, and what is different now."""
    said = Text.assemble(
        (event["timestamp"], "dim"),
        f"  {event['event_type']:<22}  {screen.urn(event['dataset_urn'])}  ",
    )
    return said.append_text(_change(event))


def _change(event: Answer) -> Text:
    match event["event_type"]:
        case "SIGNAL_STATE_CHANGED":
            before, now = coloured(event["previous_state"]), coloured(event["new_state"])
            why = event["failure_signature"] or ""
            return Text.assemble(event["signal_type"], "  ", before, " → ", now, f"  {why}")
        case "INCIDENT_CREATED":
            signals = ", ".join(event["signal_types"])
            severity = coloured(event["severity"])
            return Text.assemble(event["incident_id"], "  ", severity, f"  {signals}")
        case "INCIDENT_RESOLVED":
            into = f" (merged into {event['merged_into']})" if "merged_into" in event else ""
            return Text(f"{event['incident_id']}  {event['reason']}{into}")
        case "INCIDENT_UPDATED":
            return Text(f"{event['incident_id']}  {_fields(event)}")
        case _:
            return Text(f"version {event['config_version']}  {_fields(event)}")


def _fields(event: Answer) -> str:
    return ", ".join(
        f"{name}: {event[name]}" if name in event else name for name in event["changed_fields"]
    )


def drawn_letters(answer: Answer, screen: Screen) -> RenderableType:
    drawn = table("SINK", "EVENT", "TYPE", "RECORDED", "ATTEMPTS", "REASON")
    for one in answer["dead_letters"]:
        drawn.add_row(
            one["sink"],
            one["event_id"],
            one["event_type"],
            screen.since(one["dead_lettered_at"]),
            str(one["attempts"]),
            Text(one["reason"]),
        )
    more = answer["next_page_token"] is not None
    return listing(drawn, empty="No event was set aside.", more=more)


def drawn_letter(answer: Answer, _: Screen) -> RenderableType:
    event = answer["event"]
    return facts(
        [
            ("sink", answer["sink"]),
            ("reason", Text(answer["reason"])),
            ("attempts", str(answer["attempts"])),
            *((name, _said(value)) for name, value in event.items()),
        ]
    )


def _said(value: object) -> Text:
    return Text(", ".join(map(str, value)) if isinstance(value, list) else str(value))

"""Incidents as the terminal shows them."""

from datetime import timedelta

from rich.console import Group, RenderableType
from rich.text import Text

from domain.root_cause.durations import span
from entrypoints.cli.rendering.screen import Screen, coloured, facts, listing, table
from entrypoints.cli.running_server import Answer


def drawn_list(answer: Answer, screen: Screen) -> RenderableType:
    wide = [] if screen.narrow else ["OWNER", "ON CALL", "AFFECTS"]
    drawn = table("STATUS", "SEVERITY", "INCIDENT", "TITLE", "AGE", *wide)
    for one in answer["incidents"]:
        drawn.add_row(
            _status(one),
            coloured(one["severity"]),
            one["incident_id"],
            one["title"],
            screen.since(one["created_at"]),
            *([] if screen.narrow else _wide(one)),
        )
    more = answer["next_page_token"] is not None
    return listing(drawn, empty="There is no such incident.", more=more)


def _status(one: Answer) -> Text:
    """Whoever is on call need not look at what is snoozed."""
    snoozed = Text(" (snoozed)", style="dim") if one["snoozed_until"] else Text()
    return coloured(one["status"]) + snoozed


def _wide(one: Answer) -> list[str]:
    return [one["owner_team"], one["oncall_user"] or "", _radius(one["blast_radius"])]


def drawn_incident(answer: Answer, screen: Screen) -> RenderableType:
    return Group(_details(answer["incident"], screen), _timeline(answer))


def _details(one: Answer, screen: Screen) -> RenderableType:
    resolution, producer = one["resolution"] or {}, one["implicated_producer"] or {}
    return facts(
        [
            ("incident", one["incident_id"]),
            ("title", one["title"]),
            ("status", coloured(one["status"])),
            ("severity", coloured(one["severity"])),
            ("opened", f"{one['created_at']} ({screen.since(one['created_at'])})"),
            ("dataset", one["primary_dataset_urn"]),
            ("signals", ", ".join(one["signal_types"])),
            ("failures", ", ".join(one["failure_signatures"])),
            ("producer", _words(producer, "producer_id", "version", "confidence")),
            ("affects", _radius(one["blast_radius"])),
            ("owner", one["owner_team"]),
            ("on call", one["oncall_user"]),
            ("causes", one["rca_summary"]),
            ("snoozed until", one["snoozed_until"]),
            ("merged into", one["merged_into"]),
            ("merged with it", _names(one["merged_incidents"])),
            ("also about", _related(one["related"])),
            ("talked about in", _words(one["notification_state"], *one["notification_state"])),
            ("noticed in", _seconds(one["mtta_seconds"])),
            ("resolved in", _seconds(one["mttr_seconds"])),
            ("because of", resolution.get("root_cause")),
            ("ended as", _words(resolution, "reason", "mitigation")),
            ("resolved by", resolution.get("resolved_by")),
        ]
    )


def _names(merged: list[Answer]) -> str:
    return ", ".join(one["incident_id"] for one in merged)


def _related(concerns: list[Answer]) -> str:
    return ", ".join(
        " ".join([one["dataset_urn"], *one["signal_types"], *one["failure_signatures"]])
        for one in concerns
    )


def _words(said: Answer, *names: str) -> str:
    return ", ".join(str(said[name]) for name in names if said.get(name))


def _seconds(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    return span(timedelta(seconds=seconds)) if seconds >= 1 else "less than 1 s"


def _timeline(answer: Answer) -> RenderableType:
    drawn = table("AT", "BY", "WHAT", "DETAILS", title="Timeline")
    for entry in answer["timeline"]:
        drawn.add_row(entry["at"], entry["actor"], entry["event_type"], _said(entry["details"]))
    return drawn


_LEFT_OUT = {
    "at",
    "title",
    "primary_dataset_urn",
    "owner_team",
    "blast_radius",
    "evidence_sample",
    "primary_evidence_id",
}
"""What the opening says and is told above, or of no use to the eye; `--json` has it all."""


def _said(details: Answer) -> str:
    left_out = _LEFT_OUT if "title" in details else ()
    told = ((name, _plain(value)) for name, value in details.items() if name not in left_out)
    return ", ".join(f"{name}={value}" for name, value in told if value)


def _plain(value: object) -> str:
    match value:
        case list():
            return " ".join(map(_plain, value))
        case dict():
            return " ".join(_plain(one) for one in value.values() if one)
        case None | False:
            return ""
        case _:
            return str(value)


def _radius(radius: Answer | None) -> str:
    if radius is None:
        return ""
    return f"{radius['downstream_count']} downstream, {radius['estimated_impact']}"


def drawn_impact(answer: Answer, _: Screen) -> RenderableType:
    drawn = table("", "DOWNSTREAM", "IMPACT", "WHO")
    for when in ("then", "now"):
        if radius := answer[when]:
            drawn.add_row(
                when,
                str(radius["downstream_count"]),
                coloured(radius["estimated_impact"]),
                ", ".join(radius["downstream_services"]),
            )
    return Group(Text(f"{answer['incident_id']} on {answer['primary_dataset_urn']}"), drawn)


def changed(answer: Answer, _: Screen) -> RenderableType:
    """An incident after it was changed, in a line."""
    told = [
        f", {answer['oncall_user']} is on call" if answer["oncall_user"] else "",
        f", snoozed until {answer['snoozed_until']}" if answer["snoozed_until"] else "",
        f", merged into {answer['merged_into']}" if answer["merged_into"] else "",
    ]
    return Text.assemble(
        f"{answer['incident_id']} is ",
        coloured(answer["status"]),
        f" ({answer['severity']}, version {answer['version']}){''.join(told)}",
    )

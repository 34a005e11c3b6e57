"""Signals as the terminal shows them."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table

from entrypoints.cli.rendering.screen import Screen, coloured, facts, listing, table
from entrypoints.cli.running_server import Answer


def drawn_signals(answer: Answer, screen: Screen) -> RenderableType:
    more = answer.get("next_page_token") is not None
    return listing(signals_table(answer["signals"], screen), empty="Nothing to show.", more=more)


def signals_table(signals: Sequence[Answer], screen: Screen) -> Table:
    return _stacked(signals, screen) if screen.tight else _flat(signals, screen)


def _flat(signals: Sequence[Answer], screen: Screen) -> Table:
    wide = [] if screen.narrow else ["TIER", "OWNER"]
    drawn = table("STATE", "DATASET", "SIGNAL", "SCORE", "FOR", *wide, "FAILURE", "INCIDENT")
    for one in signals:
        drawn.add_row(
            coloured(one["state"]),
            screen.urn(one["dataset_urn"]),
            one["signal_type"],
            f"{one['score']:.3f}",
            screen.since(one["state_changed_at"]),
            *([] if screen.narrow else [one["tier"], one["owner_team"]]),
            one["failure_signature"] or "",
            one["incident_id"] or "",
        )
    return drawn


def _stacked(signals: Sequence[Answer], screen: Screen) -> Table:
    """Two lines for a signal."""
    drawn = table("STATE", "DATASET, SIGNAL", "FOR", "FAILURE, INCIDENT")
    for one in signals:
        drawn.add_row(
            coloured(one["state"]),
            f"{screen.urn(one['dataset_urn'])}\n{one['signal_type']}",
            f"{screen.since(one['state_changed_at'])}\n{one['score']:.3f}",
            f"{one['failure_signature'] or ''}\n{one['incident_id'] or ''}",
        )
    return drawn


def drawn_signal(answer: Answer, screen: Screen) -> RenderableType:
    metrics, threshold = answer["metrics"], answer["slo_threshold"]
    producer = answer["top_producer"] and " ".join(
        filter(None, [answer["top_producer"], answer["top_producer_version"]])
    )
    return facts(
        [
            ("state", coloured(answer["state"])),
            ("before", answer["previous_state"]),
            ("since", f"{answer['state_changed_at']} ({screen.since(answer['state_changed_at'])})"),
            ("breach since", answer["breach_start"]),
            ("dataset", answer["dataset_urn"]),
            ("signal", answer["signal_type"]),
            ("score", f"{answer['score']:g}" + (f" of {threshold:g}" if threshold else "")),
            ("window", f"{answer['window_start']} – {answer['window_end']}"),
            ("evidence", f"{metrics['fail_count']} of {metrics['evidence_count']} failed"),
            ("failure", answer["failure_signature"]),
            ("producer", producer),
            ("incident", answer["incident_id"]),
            ("owner", f"{answer['owner_team']}, {answer['tier']}"),
            ("version", str(answer["version"])),
        ]
    )


def drawn_history(answer: Answer, screen: Screen) -> RenderableType:
    drawn = table("WINDOW END", "STATE", "SCORE", "FAILED", "OF", "FAILURE", "PRODUCER")
    for one in answer["evaluations"]:
        drawn.add_row(
            one["window_end"],
            coloured(one["state"]),
            f"{one['score']:.3f}",
            str(one["metrics"]["fail_count"]),
            str(one["metrics"]["evidence_count"]),
            one["failure_signature"] or "",
            " ".join(filter(None, [one["top_producer"], one["top_producer_version"]])),
        )
    return listing(drawn, empty="No window ended within this time.", more=False)

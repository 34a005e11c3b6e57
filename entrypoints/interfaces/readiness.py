"""Whether the process can be asked."""

from application.projections.progress import Progress

FAR_BEHIND = 1_000
"""Events by which a projection may lag and still be asked."""


def behind(progress: Progress, head: int) -> str | None:
    """Why the read models are too old to be asked, if they are."""
    if progress.trouble is not None:
        return f"not all read models follow the log: {progress.trouble}"
    reached = progress.all()
    if not reached:
        return "the projections have not started"
    slowest = min(reached, key=lambda name: reached[name].position)
    lag = head - reached[slowest].position
    return f"{slowest} is {lag} events behind" if lag > FAR_BEHIND else None

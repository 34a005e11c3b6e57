"""Headers that every successful write has."""

from fastapi import Response

from application.reads.position import Position


def written(response: Response, position: int, *, replayed: bool = False) -> None:
    response.headers["Statestore-Position"] = Position(position).token()
    if replayed:
        response.headers["Idempotent-Replay"] = "true"

"""One log on DynamoDB Local: four processes that write it, against one."""

from pathlib import Path

from benchmarks.load.local_dynamodb import dynamodb
from benchmarks.measuring.contest import Turn, latency_figure
from benchmarks.measuring.figures import Effort, Section, Target, compared
from tests.adapters.dynamodb.support import dynamodb_local
from tests.adapters.dynamodb.trials.log_processes import together

WRITERS, CALLERS = 4, 32


def run(folder: Path, effort: Effort) -> Section:
    turns: tuple[list[Turn], list[Turn]] = ([], [])
    with dynamodb():
        # The server's Java gets faster while it runs: the first turn does not count.
        _turn(1, 2 * effort.seconds)
        for _ in range(effort.rounds):
            for writers, taken in zip((WRITERS, 1), turns, strict=True):
                taken.append(_turn(writers, 2 * effort.seconds))
    rates = [turn.rate for turn in turns[0]], [turn.rate for turn in turns[1]]
    what = f"{WRITERS} processes of {CALLERS} callers"
    figures = [
        compared(what, *rates, unit="appends/s", target=Target(0.8)),
        latency_figure(*turns),
    ]
    return Section("dynamodb-processes: one log", f"one process of {CALLERS}", figures)


def _turn(writers: int, seconds: float) -> Turn:
    """What was acknowledged within the time; what began in it may end later."""
    log = dynamodb_local.unused_table("processes")
    done = together(log, writers, callers=CALLERS, seconds=seconds)
    failed = [one.outcome for one in done if not one.acknowledged]
    assert not failed, f"{len(failed)} appends failed: {failed[0]}"
    turn = Turn("processes", writers * CALLERS, seconds)
    turn.started = min(one.began for one in done) / 1e9
    turn.ended = turn.started + seconds
    ended = [(one.began / 1e9, one.ended / 1e9) for one in done if one.ended is not None]
    turn.latencies = [end - began for began, end in ended if end <= turn.ended]
    return turn

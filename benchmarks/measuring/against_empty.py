"""Single calls against empty ones of the same server class, in turns: what is ours of a call."""

from collections.abc import Callable, Sequence
from statistics import median

from attrs import define, field

from benchmarks.load.loads import Load, Taken
from benchmarks.load.serving import EMPTY
from benchmarks.load.stocked import Bench, busy_figure
from benchmarks.measuring.figures import Effort, Figure, Measure, Target, compared, lower


@define
class _Turns:
    taken: list[Taken] = field(factory=list)
    costs: list[float] = field(factory=list)
    """Microseconds of the server's process per call."""

    def add(self, ground: Bench, load: Load) -> None:
        spent = ground.server.cpu()
        (taken,) = ground.take(load)
        ground.caught_up()
        self.taken.append(taken)
        self.costs.append((ground.server.cpu() - spent) / len(taken.latencies) * 1e6)

    @property
    def rates(self) -> Sequence[float]:
        return [one.rate for one in self.taken]

    @property
    def latency(self) -> str:
        return "P50 {:.1f}, P99 {:.1f} ms".format(*(one.value for one in self.latency_measures))

    @property
    def latency_measures(self) -> Sequence[Measure]:
        p50, p99 = (median(one.ms(share) for one in self.taken) for share in (0.5, 0.99))
        return (lower(p50, "ms", "p50"), lower(p99, "ms", "p99"))

    @property
    def cost(self) -> float:
        return median(self.costs)


def _told(cost: float) -> str:
    return f"{cost:,.0f} µs"


def against_empty(
    ground: Bench, load: Callable[[], Load], effort: Effort, target: Target
) -> Sequence[Figure]:
    """The empty calls are as many and as large as the others."""
    ours, empty = _Turns(), _Turns()
    for _ in range(effort.rounds):
        once = load()
        ours.add(ground, once)
        empty.add(ground, Load("empty", EMPTY, once.requests, effort.seconds, empty=True))
    return [
        compared(
            f"{ours.taken[0].what}, against empty calls",
            ours.rates,
            empty.rates,
            unit="/s",
            target=target,
        ),
        Figure("… latency", ours.latency, empty.latency, measures=ours.latency_measures),
        Figure(
            "… processor time of a call",
            _told(ours.cost),
            _told(empty.cost),
            measures=(lower(ours.cost, "µs"),),
        ),
        busy_figure(*ours.taken, *empty.taken),
    ]

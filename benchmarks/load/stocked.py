"""A store with what the served benchmarks ask about, and a server and a client that are up."""

import http.client
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter, sleep

import uvloop
from attrs import evolve, frozen

from benchmarks.load.load_client import carry_out
from benchmarks.load.loads import Load, Taken
from benchmarks.load.prepared import KINDS, MOVING, STILL
from benchmarks.load.reports import BREACH_EVERY, dataset_urn, report
from benchmarks.load.serving import Places, Served, served
from benchmarks.load.store import ENGINE, PATIENCE, caught_up, each, running
from benchmarks.measuring import varied
from benchmarks.measuring.figures import Figure, lower
from benchmarks.measuring.processes import START, answer, process
from domain.dataset.settings_validation import DatasetReport
from domain.ids import DatasetUrn
from domain.incident.report import IncidentReport
from domain.signal.report import SignalReport
from domain.versions import ANY_VERSION
from entrypoints.container import Container

LOOK_AGAIN = 0.05


@frozen
class Bench:
    """A server and a client, each in its process."""

    server: Served
    client: Connection

    @property
    def places(self) -> Places:
        return self.server.places

    def take(self, *loads: Load) -> Sequence[Taken]:
        """Carry them out at the same time.

        Raises RuntimeError if the server refused anything: a refusal is quick.
        """
        self.client.send(loads)
        taken: Sequence[Taken] = answer(self.client, max(load.seconds for load in loads) + PATIENCE)
        for one in taken:
            if one.refused or not one.latencies:
                raise RuntimeError(f"{one.what}: {one.refused} of {len(one.latencies)} refused")
        return taken

    def caught_up(self) -> float:
        """Wait until projections and policies have heeded all; the seconds that took."""
        since = perf_counter()
        while self._lag() > 0:
            if perf_counter() - since > PATIENCE:
                raise RuntimeError("the projections do not catch up")
            # A server in another process can only be asked, and asking often costs it time.
            sleep(LOOK_AGAIN)
        return perf_counter() - since

    def _lag(self) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.places.http, timeout=PATIENCE)
        try:
            connection.request("GET", "/health")
            told = json.loads(connection.getresponse().read())
        finally:
            connection.close()
        followers = [*told["projections"].values(), *told["policies"].values()]
        return max((int(one["lag_events"]) for one in followers), default=0)


@contextmanager
def bench(folder: Path) -> Iterator[Bench]:
    uvloop.run(stocked(folder))
    with served(folder) as server, process(carry_out, server.places) as client:
        answer(client, START)
        yield Bench(server, client)


async def stocked(folder: Path) -> None:
    async with running(folder) as container:
        await each([*MOVING, *STILL], lambda number: _dataset(container, number))
        await each(STILL, lambda number: _incident(container, number))
        await caught_up(container)


async def _dataset(container: Container, number: int) -> None:
    """Those that are only read are in breach; the others are well."""
    urn, settings = DatasetUrn(dataset_urn(number)), varied.settings(number)
    await container.register_dataset()(DatasetReport(urn, settings), by=ENGINE)
    for kind in KINDS:
        breach = kind == KINDS[0] and number in STILL
        told = _breach(number) if breach else report(dataset_urn(number), kind, 0)
        await container.update_signal()(evolve(told, expected_version=ANY_VERSION), by=ENGINE)


def _breach(number: int) -> SignalReport:
    """Critical: the dashboard shows no others."""
    return evolve(report(dataset_urn(number), KINDS[0], BREACH_EVERY - 1), state="CRITICAL")


async def _incident(container: Container, number: int) -> None:
    told = _breach(number)
    said = IncidentReport(
        told.dataset_urn,
        (told.signal_type,),
        (told.failure_signature or "",),
        varied.severity(number),
        title=varied.sentence(number, 3, 15),
    )
    await container.open_incident()(said, by=ENGINE)


def busy_figure(*taken: Taken) -> Figure:
    """How busy the client was at most: near 100 % it is the client that was measured."""
    return Figure("… the client's share of a core", f"{max(one.busy for one in taken):.0%}")


@frozen
class Spending:
    """What the server's process spends from now on."""

    server: Served
    cpu: float
    waited: float
    began: float

    @classmethod
    def of(cls, server: Served) -> "Spending":
        return cls(server, server.cpu(), server.waited(), perf_counter())

    def figures(self, of: str, *taken: Taken) -> Sequence[Figure]:
        """With all that follows from the calls; and for how long others kept it from running."""
        things = sum(len(one.latencies) * one.each for one in taken)
        took = perf_counter() - self.began
        cpu, waited = self.server.cpu() - self.cpu, self.server.waited() - self.waited
        return [
            Figure(
                f"… processor time of {of}",
                f"{cpu / things * 1e6:,.0f} µs",
                measures=(lower(cpu / things * 1e6, "µs"),),
            ),
            Figure(
                "… the server's share of a core",
                f"{cpu / took:.0%}",
                f"waited {waited / took:.0%} for a core",
            ),
        ]

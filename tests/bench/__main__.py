"""
`make bench`: measure what was promised and say whether it holds.

    make bench                          everything, about fifteen minutes
    make bench ARGS="replay --quick"    some of it, roughly

Data lies in a temporary folder that is removed. The exit code is 1 when a target is missed.
"""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rich.console import Console

from entrypoints.memory import let_what_is_loaded_be
from tests.bench import (
    as_of,
    cache,
    context,
    dynamodb_appends,
    dynamodb_growth,
    dynamodb_parts,
    dynamodb_processes,
    dynamodb_replay,
    evidence,
    evidence_units,
    graphql,
    grpc_parts,
    grpc_reads,
    grpc_updates,
    impact,
    incidents,
    machine,
    policies,
    projection,
    reads,
    rebuild,
    replay,
    server,
    together,
    transport,
    updates,
    write_units,
)
from tests.bench.figures import FULL, QUICK, Effort, Section
from tests.bench.scratch import scratch, sync_times
from tests.bench.table import console as wide_console
from tests.bench.table import show

BENCHMARKS: Mapping[str, Callable[[Path, Effort], Section]] = {
    "updates": updates.run,
    "replay": replay.run,
    "projection": projection.run,
    "rebuild": rebuild.run,
    "reads": reads.run,
    "cache": cache.run,
    "incidents": incidents.run,
    "impact": impact.run,
    "as-of": as_of.run,
    "context": context.run,
    "grpc-updates": grpc_updates.run,
    "grpc-reads": grpc_reads.run,
    "grpc-parts": grpc_parts.run,
    "policies": policies.run,
    "evidence": evidence.run,
    "evidence-reads": evidence.run_reads,
    "graphql": graphql.run,
    "together": together.run,
    "server": server.run,
    "transport": transport.run,
    "dynamodb-appends": dynamodb_appends.run,
    "dynamodb-parts": dynamodb_parts.run,
    "dynamodb-replay": dynamodb_replay.run,
    "dynamodb-growth": dynamodb_growth.run,
    "write-units": write_units.run,
    "evidence-units": evidence_units.run,
    "dynamodb-processes": dynamodb_processes.run,
}


def main(arguments: Sequence[str]) -> int:
    asked = _parser().parse_args(arguments)
    console = wide_console()
    let_what_is_loaded_be()
    with scratch() as folder:
        console.print(machine.python())
        _describe(folder, console)
        before = machine.Cores.now()
        sections = [
            _run(name, folder, QUICK if asked.quick else FULL, console)
            for name in dict.fromkeys(asked.names or BENCHMARKS)
        ]
        _describe(folder, console)
        stolen = machine.Cores.now().stolen_since(before)
        console.print(f"others on the same hardware took {stolen:.0%} of the cores")
    show(sections, console)
    return int(any(figure.missed for section in sections for figure in section.figures))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench",
        description="Measure what was promised. The exit code is 1 when a target is missed.",
    )
    among = ", ".join(BENCHMARKS)
    parser.add_argument("names", nargs="*", type=_known, metavar="NAME", help=f"among {among}")
    parser.add_argument("--quick", action="store_true", help="less exact, within a minute")
    return parser


def _known(name: str) -> str:
    if name not in BENCHMARKS:
        raise argparse.ArgumentTypeError(f"{name} is not among {', '.join(BENCHMARKS)}")
    return name


def _run(name: str, folder: Path, effort: Effort, console: Console) -> Section:
    with console.status(f"measuring {name}"):
        return BENCHMARKS[name](folder, effort)


def _describe(folder: Path, console: Console) -> None:
    """How busy the machine is: figures of a busy one mean less."""
    p50, p99 = sync_times(folder)
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    busy = " [yellow](busy: mistrust what follows)[/]" if load > cores else ""
    console.print(
        f"load {load:.1f} on {cores} cores{busy}, "
        f"fsync P50 {p50 * 1_000:.2f} ms, P99 {p99 * 1_000:.2f} ms"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""
`make bench`: measure what was promised and say whether it holds.

    make bench                          everything, about fifteen minutes
    make bench ARGS="replay --quick"    some of it, roughly
    make bench ARGS="--against ../before updates evidence"    beside another checkout

Data lies in a temporary folder that is removed. The exit code is 1 when a target is missed, or with
`--against` when a figure is worse here than there by more than the noise; and 2 when a section
could not be measured in both.
"""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from rich.console import Console

from benchmarks.dynamodb import (
    append_parts,
    appends,
    evidence_units,
    growth,
    processes,
    transport,
    write_units,
)
from benchmarks.dynamodb import replay as dynamodb_replay
from benchmarks.embedded import (
    as_of,
    cache,
    context,
    evidence,
    graphql,
    grpc_parts,
    grpc_reads,
    grpc_updates,
    impact,
    incidents,
    policies,
    projection,
    reads,
    rebuild,
    replay,
    server,
    together,
    updates,
)
from benchmarks.measuring import machine, results
from benchmarks.measuring.checkouts import Checkout, NotMeasurable
from benchmarks.measuring.comparison import (
    LEAST_TURNS,
    NOISE,
    Comparison,
    compare,
    show_comparison,
    show_verdict,
)
from benchmarks.measuring.figures import FULL, QUICK, Effort, Section
from benchmarks.measuring.scratch import scratch, sync_times
from benchmarks.measuring.table import console as wide_console
from benchmarks.measuring.table import show
from entrypoints.server.garbage_collection import let_what_is_loaded_be

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
    "dynamodb-appends": appends.run,
    "dynamodb-parts": append_parts.run,
    "dynamodb-replay": dynamodb_replay.run,
    "dynamodb-growth": growth.run,
    "write-units": write_units.run,
    "evidence-units": evidence_units.run,
    "dynamodb-processes": processes.run,
}


def main(arguments: Sequence[str]) -> int:
    asked = parser().parse_args(arguments)
    names = [*dict.fromkeys(asked.names or BENCHMARKS)]
    # With --json, the last line of the output is for programs, and the rest is not there.
    console = wide_console(errors=asked.json)
    if asked.against:
        return _against(asked, names, console)
    sections = _measured(names, QUICK if asked.quick else FULL, console)
    if asked.json:
        print(results.written(sections, "quick" if asked.quick else "full"))
    else:
        show([*sections.values()], console)
    return int(any(one.missed for section in sections.values() for one in section.figures))


def _measured(names: Sequence[str], effort: Effort, console: Console) -> Mapping[str, Section]:
    let_what_is_loaded_be()
    with scratch() as folder:
        console.print(machine.python())
        _describe(folder, console)
        before = machine.Cores.now()
        sections = {name: _run(name, folder, effort, console) for name in names}
        _describe(folder, console)
        stolen = machine.Cores.now().stolen_since(before)
        console.print(f"others on the same hardware took {stolen:.0%} of the cores")
    return sections


def _against(asked: argparse.Namespace, names: Sequence[str], console: Console) -> int:
    """This checkout, which is the current folder, and another one in turns."""
    here, there = Checkout(Path.cwd()), Checkout(asked.against.resolve())
    compared, failed = list[Comparison](), list[str]()
    for name in names:
        measures = [partial(one.measure, name, quick=asked.quick) for one in (here, there)]
        try:
            with console.status(f"measuring {name}, here and there in turns"):
                one = compare(name, *measures, turns=asked.turns, noise=asked.noise)
        except NotMeasurable as error:
            console.print(str(error), markup=False)
            failed.append(name)
        else:
            show_comparison(one, console)
            compared.append(one)
    return show_verdict(compared, failed, console)


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure what was promised. The exit code is 1 when a target is missed, "
        "or with --against when a figure is worse here than there by more than the noise, "
        "and 2 when a section could not be measured in both.",
    )
    among = ", ".join(BENCHMARKS)
    parser.add_argument("names", nargs="*", type=_known, metavar="NAME", help=f"among {among}")
    parser.add_argument("--quick", action="store_true", help="less exact, within a minute")
    output = parser.add_mutually_exclusive_group()
    output.add_argument(
        "--json", action="store_true", help="print the figures as one line of JSON, with their ids"
    )
    output.add_argument(
        "--against",
        type=Path,
        metavar="FOLDER",
        help="compare with another checkout, which runs its own benchmarks in alternating turns "
        "with those of the current folder; FOLDER needs its own .venv",
    )
    parser.add_argument(
        "--turns",
        type=_turns,
        default=LEAST_TURNS,
        help="of each checkout, at least %(default)s; only with --against",
    )
    parser.add_argument(
        "--noise",
        type=float,
        default=NOISE,
        metavar="SHARE",
        help="by which a figure may be worse, %(default)s if not given; more where turns of one "
        "checkout lie further apart; only with --against",
    )
    return parser


def _turns(text: str) -> int:
    if not text.isdigit() or int(text) < LEAST_TURNS:
        raise argparse.ArgumentTypeError(f"must be at least {LEAST_TURNS}")
    return int(text)


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

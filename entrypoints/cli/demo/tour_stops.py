"""Where the tour stops, what it tells there, and what a user would type."""

import json
import shlex
from collections.abc import Mapping
from itertools import chain

from attrs import frozen

from entrypoints.cli.demo.calls import Call, change
from entrypoints.cli.demo.platform import datasets
from entrypoints.cli.demo.signal_courses import BAD, GOOD, LOST, ORDERS, PRODUCER
from entrypoints.cli.demo.story import ONCALL, ROLLED_BACK
from entrypoints.cli.running_server import Query, api, with_query

URN = datasets()[ORDERS[0]].urn
COLUMN = f"urn:col:{URN}:{LOST}"


@frozen
class Look:
    """A command, and the requests that do the same. `{name}` stands for an incident."""

    words: tuple[str, ...]
    calls: tuple[Call, ...]

    def command(self, incidents: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(word.format_map(incidents) for word in self.words)

    def curls(self, incidents: Mapping[str, str]) -> list[str]:
        return [as_curl(call, incidents) for call in self.calls]


@frozen
class Stop:
    title: str
    text: str
    looks: tuple[Look, ...]


def as_curl(call: Call, incidents: Mapping[str, str]) -> str:
    """For a shell in which API and TOKEN are set."""
    path = call.path.format_map(incidents).removeprefix(api())
    how = "" if call.method == "GET" else f"-X {call.method} "
    what = f" -d {shlex.quote(json.dumps(call.body))}" if call.body else ""
    return f'curl -sS {how}"$API{path}" -H "Authorization: Bearer $TOKEN"{what}'


def _get(*parts: str, **query: str) -> Call:
    asked: Query = query
    # Names of incidents are filled in later, so that their braces must stay.
    path = with_query("/".join([api(), *parts]), asked)
    return Call("GET", path, {})


def _look(words: str, *calls: Call) -> Look:
    return Look(tuple(words.split()), calls)


def _resolve() -> Look:
    said = [("--" + name.replace("_", "-"), value) for name, value in ROLLED_BACK.items()]
    words = ("incidents", "resolve", "{orders}", *chain.from_iterable(said))
    return Look(words, (change("orders", {"status": "RESOLVED", "resolution": ROLLED_BACK}),))


_SHOW = _look(
    "incidents show {orders}",
    _get("incidents", "{orders}"),
    _get("incidents", "{orders}", "timeline", page_size="100"),
)

BEFORE = "before"

STOPS: Mapping[str, Stop] = {
    BEFORE: Stop(
        "An ordinary day",
        "Forty datasets in six domains report their health. A few are unwell, as ever: those are "
        "listed, the worst first.",
        (
            _look("signals", _get("signals")),
            _look("datasets --tier TIER_1", _get("datasets", tier="TIER_1")),
        ),
    ),
    "deployed": Stop(
        "A deployment",
        f"{PRODUCER} {BAD} goes out. Its lineage spec no longer says that it writes {LOST}. "
        "Who reads that column?",
        (_look(f"lineage readers {COLUMN}", _get("columns", COLUMN, "readers")),),
    ),
    "opened": Stop(
        "The incident opens",
        "Most records break their contract now. The alerting engine has opened an incident for the "
        "fault; whoever else notices it will join the same one.",
        (
            _look(f"signals show {URN} {ORDERS[1]}", _get("datasets", URN, "signals", ORDERS[1])),
            _SHOW,
        ),
    ),
    "spread": Stop(
        "It spreads",
        "Consumers suffer, and have incidents of their own. Lineage tells who is next. Somebody "
        "must look after the first cause: you do.",
        (
            _look("incidents --status OPEN", _get("incidents", status="OPEN")),
            _look(
                f"lineage impact {URN} --column {LOST}",
                _get("datasets", URN, "impact", field=LOST),
            ),
            _look("incidents ack {orders}", change("orders", {"status": "ACKNOWLEDGED"})),
            _look(
                f"incidents assign {{orders}} {ONCALL}", change("orders", {"oncall_user": ONCALL})
            ),
        ),
    ),
    "rolled back": Stop(
        "The rollback",
        f"The cause is written down and {PRODUCER} {GOOD} is back. What is left to heal?",
        (_look("signals --state CRITICAL", _get("signals", state="CRITICAL")),),
    ),
    "recovered": Stop(
        "It is over",
        "The contract is kept again. Resolving says why it is over, and frees its signals.",
        (_resolve(), _look(f"datasets health {URN}", _get("datasets", URN, "health"))),
    ),
    "healed": Stop(
        "What remains",
        "Everything has healed. Nothing is forgotten: the timeline tells who did what, when.",
        (_SHOW,),
    ),
}

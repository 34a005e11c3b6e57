"""The root-cause context of an incident as the terminal shows it: the most likely cause first."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime

from attrs import frozen
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from domain.root_cause.durations import beside_breach, beside_opening
from entrypoints.cli.rendering.screen import Screen, coloured
from entrypoints.cli.running_server import Answer

_EACH = 5
"""Of long lists; `--json` has it all."""


_Draw = Callable[[Answer], Iterable[str]]


def drawn_context(answer: Answer, screen: Screen) -> RenderableType:
    began = answer["breach"]["start"] if answer["breach"] else answer["opened_at"]
    return Group(*_Story(answer, screen, datetime.fromisoformat(began)).told())


@frozen
class _Story:
    answer: Answer
    screen: Screen
    began: datetime
    """The breach, or the incident where that is not known."""

    def told(self) -> Iterator[RenderableType]:
        yield from self._head()
        yield from _section("Most likely cause", self._cause())
        yield from self._part("signals", "How it came to fail", self._signals)
        yield from self._part("deploys", "Deployed around the breach", self._deploys)
        yield from self._part("config_changes", "Changed around the breach", self._changes)
        yield from self._part("evidence", "Evidence", self._evidence)
        yield from self._part("writers", "Written by", lambda part: _entities(part["datasets"]))
        yield from self._part("readers", "Read by", lambda part: _entities(part["datasets"]))
        yield from _section("Reaches", self._reach())
        yield from self._part("related", "Also open", self._related)
        yield from self._missing()

    def _head(self) -> Iterator[RenderableType]:
        one = self.answer["incident"]
        yield Text.assemble(
            (one["incident_id"], "bold"), "  ", coloured(one["status"]), "  ",
            coloured(one["severity"]), f"  {one['owner_team']}",
        )  # fmt: skip
        yield Text(one["title"])
        yield from (Text(line, style="dim") for line in self._beginning())
        if one["resolved_at"]:
            yield Text(f"resolved {self._when(one['resolved_at'])}", style="dim")

    def _beginning(self) -> Iterator[str]:
        """Nobody shall take the opening for the breach."""
        opened, breach = self.answer["opened_at"], self.answer["breach"]
        if breach:
            ago = self.screen.since(breach["start"])
            yield f"breach began {breach['start']} ({ago} ago)"
            yield f"opened {self._when(opened)}"
        else:
            yield "when the breach began is not known now: see at the end what did not answer"
            yield f"opened {opened} ({self.screen.since(opened)} ago)"

    def _cause(self) -> Iterator[str]:
        cause = self.answer["likely_cause"]
        yield cause["verdict"]
        for suspect in cause["suspects"][:3]:
            version = f" {suspect['version']}" if suspect["version"] else ""
            yield f"{suspect['weight']:>4}  {suspect['producer_id']}{version}"
            yield from (f"{one['weight']:>6}  {one['sentence']}" for one in suspect["reasons"])

    def _signals(self, part: Answer) -> Iterator[str]:
        for signal in part["signals"]:
            yield f"{signal['signal_type']} of {_short(signal['dataset_urn'])}"
            turns = list(_turns(signal["evaluations"]))
            for one in turns[:_EACH]:
                failed, count = one["metrics"]["fail_count"], one["metrics"]["evidence_count"]
                moment = self._when(one["window_start"])
                yield f"  {one['state']:<8}  window began {moment}, {failed} of {count} failed"
            yield from _more(turns)
            if signal["more"]:
                yield f"  only the first {len(signal['evaluations'])} evaluations are known here"

    def _deploys(self, part: Answer) -> Iterator[str]:
        for one in part["deploys"][-_EACH:]:
            yield f"{one['producer_id']} {one['commit']}, {self._when(one['at'])}"
            if one["stopped_writing"]:
                places = ", ".join(map(_short, one["stopped_writing"][:_EACH]))
                yield f"  no longer writes {places}"
        yield from _earlier(part["deploys"], part["more"])

    def _changes(self, part: Answer) -> Iterator[str]:
        for one in part["changes"][-_EACH:]:
            yield f"{one['actor']} {one['summary']}, {self._when(one['at'])}"
            yield f"  {_short(one['dataset_urn'])}"
        yield from _earlier(part["changes"], part["more"])

    def _evidence(self, part: Answer) -> Iterator[str]:
        found = part["evidence"]
        for one in found[:_EACH]:
            where = " (archive)" if one["archived"] else ""
            check, producer = one["validation"], one["producer"] or {}
            codes = ", ".join(check["reason_codes"])
            yield f"{check['result']}  {one['evidence_id']}{where}"
            who = " ".join(filter(None, (producer.get("producer_id"), producer.get("version"))))
            yield f"  {', '.join(filter(None, (codes, who, self._when(one['created_at']))))}"
            if one["dataset_urn"] not in self._datasets():
                yield f"  of another dataset: {_short(one['dataset_urn'])}"
        yield from _more(found)
        more = " more" if found else ""
        if part["missing_ids"]:
            yield f"{len(part['missing_ids'])}{more} named, but nowhere to be found"
        if part["unavailable_ids"]:
            yield f"{len(part['unavailable_ids'])}{more} named that could not be looked for"

    def _datasets(self) -> set[str]:
        """All that the incident is about."""
        one = self.answer["incident"]
        merged = (concern for each in one["merged_incidents"] for concern in each["concerns"])
        concerns = (concern["dataset_urn"] for concern in (*one["related"], *merged))
        return {one["primary_dataset_urn"], *concerns}

    def _reach(self) -> Iterator[str]:
        for name, word in (
            ("blast_radius_at_opening", "at opening"),
            ("blast_radius_current", "now"),
        ):
            if self.answer[name] is None:
                yield f"{word}: not known"
                continue
            for one in self.answer[name]["datasets"]:
                impact = one["estimated_impact"]
                count = f"{one['downstream_count']}{' or more' if one['truncated'] else ''}"
                yield f"{word}: {count} downstream of {_short(one['dataset_urn'])}, {impact}"

    def _related(self, part: Answer) -> Iterator[str]:
        for one in part["incidents"][:_EACH]:
            yield f"{one['incident_id']}  {one['severity']}  {', '.join(one['relations'])}"
            yield f"  {one['title']}"
        yield from _more(part["incidents"])
        if part["more"]:
            yield "there are so many open incidents that not all were looked at"

    def _missing(self) -> Iterator[RenderableType]:
        if self.answer["missing"]:
            lines = (f"{one['part']}: {one['reason']}" for one in self.answer["missing"])
            yield from _section("Not complete: these did not answer, or not in full", lines)

    def _part(self, name: str, title: str, draw: _Draw) -> Iterator[RenderableType]:
        if part := self.answer[name]:
            yield from _section(title, draw(part))

    def _when(self, at: str) -> str:
        """Counted from the breach: that is what one thinks of at night."""
        passed = datetime.fromisoformat(at) - self.began
        return beside_breach(passed) if self.answer["breach"] else beside_opening(passed)


def _section(title: str, lines: Iterable[str]) -> Iterator[RenderableType]:
    drawn = [_indented(Text(line, overflow="fold")) for line in lines]
    yield Text(f"\n{title}", style="bold")
    yield from drawn or [_indented(Text("nothing", style="dim"))]


def _indented(line: Text) -> Padding:
    """Without blanks at its end, for pipes and files."""
    return Padding(line, (0, 0, 0, 2), expand=False)


def _entities(datasets: Sequence[Answer]) -> Iterator[str]:
    for one in datasets:
        names = [entity["entity_id"] for entity in one["entities"]]
        count = f"{len(names)}{' or more' if one['more'] else ''}"
        shown = ", ".join(names[:_EACH]) + (", …" if len(names) > _EACH else "")
        who = f"{count} ({shown})" if names else "nobody is known"
        yield f"{_short(one['dataset_urn'])}: {who}"


def _turns(evaluations: Sequence[Answer]) -> Iterator[Answer]:
    """Where the state became another one, by the order of the windows."""
    state = None
    for one in sorted(evaluations, key=lambda one: (one["window_end"], one["evaluated_at"])):
        if one["state"] != state:
            yield one
        state = one["state"]


def _more(items: Sequence[Answer]) -> Iterator[str]:
    if len(items) > _EACH:
        yield f"and {len(items) - _EACH} more: --json shows them"


def _earlier(items: Sequence[Answer], more: bool) -> Iterator[str]:
    """The last ones are shown: they are the nearest to the opening."""
    if len(items) > _EACH:
        yield f"and {len(items) - _EACH} earlier: --json shows them"
    if more:
        yield "there may be earlier ones: there are too many to look at all"


def _short(urn: str) -> str:
    return urn.replace("urn:col:", "").replace("urn:dp:", "")

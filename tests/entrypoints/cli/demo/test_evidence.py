"""The demo's evidence: all that its signals and incidents name, and nothing that is refused."""

from datetime import UTC, datetime

from entrypoints.cli.demo.evidence import named_by
from entrypoints.cli.demo.history_phases import phases
from entrypoints.cli.demo.seeded_random import Dice
from entrypoints.cli.demo.story import Story
from entrypoints.http.evidence.requests import EvidenceRequest

NOW = datetime(2026, 1, 15, 12, tzinfo=UTC)


def test_everything_that_is_named_is_good_evidence() -> None:
    dice = Dice(7)
    calls = [call for phase in phases(dice, NOW) for call in phase.calls]
    calls += [call for beat in Story(dice, NOW, 1).beats() for call in beat.calls]
    items = [item for call in calls for some in named_by(call) for item in some]
    told = [one for call in calls for one in call.body.get("updates") or [call.body]]
    named = {name for one in told for name in one.get("evidence_sample", ())}
    assert {item["evidence_id"] for item in items} == named
    assert len(named) > 100
    for item in items:
        report = EvidenceRequest.model_validate(item).report()
        assert list(report.violations(at=NOW)) == []
        assert report.reason_codes

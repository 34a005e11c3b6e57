"""All there is about an incident in one GraphQL request, as HTTP tells it (S0-209)."""

from collections.abc import Iterator

import pytest

from tests.entrypoints.graphql.schema_client import Schema
from tests.entrypoints.http.api import EVIDENCE, Api, serving
from tests.entrypoints.http.incidents.test_context import ENOUGH, OTHER_EVIDENCE, told_of

CONTEXT = """query($id: ID!) { incidentContext(incidentId: $id) {
  complete missing { part code reason } parts { part source ageSeconds }
  likelyCause { verdict producerId without suspects {
    producerId version weight reasons { weight sentence } } }
  incident { incidentId dataset { tier } relatedSignals { state } }
  openedAt breachStart
  evidence { evidenceId result reasonCodes archived recordedAt producer { producerId version } }
  missingEvidenceIds unavailableEvidenceIds
  writers { datasetUrn entities { entityId } more } readers { datasetUrn entities { entityId } }
  blastRadiusAtOpening { datasetUrn truncated blastRadius { downstreamCount } }
  blastRadiusCurrent { datasetUrn truncated blastRadius { downstreamCount } }
  moreConfigChanges moreDeploys moreRelated
  signals { signalType evaluations { state windowEnd } }
  configChanges { at actor summary } deploys { producerId commit stoppedWriting }
  related { relations incident { incidentId dataset { tier } } }
  answer { position asOf }
} }"""


@pytest.fixture
def api() -> Iterator[Api]:
    with serving("memory", **ENOUGH) as served:
        yield served


def test_as_http_tells_it(api: Api) -> None:
    path = told_of(api)
    http = api.get(path).json()
    told = Schema(api).told(CONTEXT, id=http["incident_id"])
    assert (told["complete"], told["missing"]) == (True, [])
    assert told["likelyCause"]["verdict"] == http["likely_cause"]["verdict"]
    assert (
        told["likelyCause"]["suspects"][0]["reasons"]
        == (http["likely_cause"]["suspects"][0]["reasons"])
    )
    assert told["breachStart"] == http["breach"]["start"]
    assert [one["evidenceId"] for one in told["evidence"]] == [EVIDENCE]
    assert (told["missingEvidenceIds"], told["unavailableEvidenceIds"]) == ([OTHER_EVIDENCE], [])
    assert told["incident"]["dataset"] == {"tier": "TIER_1"}
    assert [one["commit"] for one in told["deploys"]] == ["good", "bad"]
    assert [one["summary"] for one in told["configChanges"]] == ["registered it"]
    assert told["blastRadiusAtOpening"][0]["truncated"] is None
    assert told["blastRadiusCurrent"][0]["truncated"] is False
    for name in ("moreConfigChanges", "moreDeploys", "moreRelated"):
        assert told[name] is False
    assert told["signals"][0]["evaluations"][0]["state"] == "CRITICAL"
    assert {one["part"] for one in told["parts"]} >= {"evidence", "writers", "related"}


def test_there_is_none(api: Api) -> None:
    assert Schema(api).told(CONTEXT, id="INC-404") is None

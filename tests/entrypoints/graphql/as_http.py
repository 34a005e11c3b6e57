"""What HTTP tells, in the words of the schema, and the questions that tell the same."""

from typing import Any

SIGNAL = """{
  datasetUrn signalType state previousState stateChangedAt breachStart score
  declaredSloThreshold windowStart windowEnd windowType
  metrics { evidenceCount passCount failCount }
  failureSignature topProducer { producerId version confidence deployedAt }
  evidenceSample incidentId tier ownerTeam lastUpdated version
}"""
INCIDENT = """{
  incidentId status severity title createdAt updatedAt acknowledgedAt resolvedAt
  primaryDatasetUrn signalTypes failureSignatures
  implicatedProducer { producerId version confidence deployedAt }
  blastRadius { downstreamCount downstreamServices estimatedImpact }
  notificationState { pagerdutyIncidentId slackThreadTs jiraTicket }
  primaryEvidenceId evidenceSample rcaSummary ownerTeam oncallUser
  resolution { rootCause mitigation resolvedBy falsePositive reason }
  snoozedUntil mergedInto mergedIncidents
  concerns { datasetUrn signalTypes failureSignatures }
  mttaSeconds mttrSeconds version
}"""
DATASET = """{
  datasetUrn status displayName description tier ownerTeam ownerEmail oncallRotation
  source { type topic cluster }
  schemaBinding { registry schemaName schemaId versionPolicy compatibility }
  contractBinding {
    contractId requiredFields fieldConstraints { field type min max pattern }
  }
  slos {
    freshness { maxDelaySeconds evaluationWindow }
    volume { minEventsPerWindow maxDeviationPercent baselineWindowDays }
    contractCompliance { minComplianceRate }
  }
  piiPolicy { scanEnabled fieldsToScan actionOnDetection }
  retentionDays
  incidentPolicy { autoResolve autoResolveWindows reopenOnRelapse endSnoozes }
  configVersion createdAt updatedAt updatedBy retiredAt
}"""
ENTRY = """{
  entityId entityName entityType confidence specId commit updatedAt expiresAt otherSpecIds
}"""


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


def renamed(body: Any) -> Any:
    match body:
        case dict():
            return {camel(name): renamed(value) for name, value in body.items()}
        case list():
            return list(map(renamed, body))
        case _:
            return body


def signal(body: dict[str, Any]) -> dict[str, Any]:
    said = renamed(body)
    producer = {
        "producerId": said.pop("topProducer"),
        "version": said.pop("topProducerVersion"),
        "confidence": said.pop("topProducerConfidence"),
        "deployedAt": None,
    }
    said.pop("ttl")
    threshold = said.pop("sloThreshold")
    return {
        **said,
        "topProducer": producer if producer["producerId"] else None,
        "declaredSloThreshold": threshold,
    }


def incident(body: dict[str, Any]) -> dict[str, Any]:
    said = renamed(body)
    said.pop("ttl")
    merged, related = said.pop("mergedIncidents"), said.pop("related")
    own = {
        "datasetUrn": said["primaryDatasetUrn"],
        "signalTypes": said["signalTypes"],
        "failureSignatures": said["failureSignatures"],
    }
    absorbed = [concern for one in merged for concern in one["concerns"]]
    return {
        **said,
        "mergedIncidents": [one["incidentId"] for one in merged],
        "concerns": [own, *related, *absorbed],
    }


def dataset(body: dict[str, Any]) -> dict[str, Any]:
    said = renamed(body)
    said.pop("archivedAt")
    if said["contractBinding"]:
        constraints = body["contract_binding"]["field_constraints"]
        said["contractBinding"]["fieldConstraints"] = [
            {"field": name, **one} for name, one in sorted(constraints.items())
        ]
    return dict(said)

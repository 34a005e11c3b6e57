"""Evidence as it is sent, and what became of it, told as data: whether it is kept, or an error."""

from statestore_client.errors import StateStoreError
from statestore_client.messages import evidence_pb2 as pb
from statestore_client.models.answers import Violation
from statestore_client.models.evidence import Evidence
from statestore_client.transport.failures import told_error
from statestore_client.transport.translation import tell, told

Put = bool | StateStoreError
"""Whether it is kept, which a PASS need not be; or why it was refused."""


def put_message(evidence: Evidence) -> pb.Evidence:
    message = pb.Evidence()
    tell(evidence, message)
    return message


def put_outcome(answer: pb.PutEvidenceResponse) -> Put:
    if not answer.error_code:
        return answer.kept
    violations = [told(Violation, one) for one in answer.violations]
    return told_error(answer.error_code, answer.error_message, {}, violations)

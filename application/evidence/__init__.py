"""
Evidence in and out (S0-136..S0-138, S0-194).

Accepted means: what is kept of it is durable in the archive. The cache follows; what is not there,
or not any more, is read from the archive (S0-110).
"""

from application.evidence.commands import PutEvidence
from application.evidence.outcomes import Fate, Outcome, Rejected
from application.evidence.queries import ListEvidence, ReadEvidence, Shown

__all__ = ["Fate", "ListEvidence", "Outcome", "PutEvidence", "ReadEvidence", "Rejected", "Shown"]

"""
What the process does that sifts for a server: batch after batch, until the server closes the pipe.

The server starts it with the share of what passed that is kept.
"""

import sys
from datetime import datetime
from typing import BinaryIO

from application.evidence.sifting import Sieve, Sifted
from entrypoints.grpc.evidence_requests import Found, report
from entrypoints.grpc.messages.evidence_pb2 import BatchPutEvidenceRequest
from entrypoints.grpc.sifting.frames import framed, read

READY = "ready"
"""Is said first: all that is needed is loaded."""


def work(asked: BinaryIO, answers: BinaryIO, sieve: Sieve) -> None:
    answer: object = READY
    while True:
        answers.write(framed(answer))
        answers.flush()
        try:
            sent, at = read(asked)
        except EOFError:
            return
        answer = sifted(sieve, sent, at)


def sifted(sieve: Sieve, sent: bytes, at: datetime) -> Sifted:
    found: Found = {}
    items = BatchPutEvidenceRequest.FromString(sent).evidence
    read = [report(one, index, found) for index, one in enumerate(items)]
    return sieve.sifted(read, found, at)


if __name__ == "__main__":
    work(sys.stdin.buffer, sys.stdout.buffer, Sieve(float(sys.argv[1])))

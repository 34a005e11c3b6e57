"""
The process that reads and sifts batches for a server, one by one, until the server closes the pipe.

The server starts it with the share of passed evidence that is kept.
"""

import sys
from collections.abc import Callable
from datetime import datetime
from typing import BinaryIO

from application.evidence.sampling import Sieve, Sifted
from entrypoints.grpc.evidence.requests import evidence_report
from entrypoints.grpc.evidence_worker.frames import framed, read
from entrypoints.grpc.messages.evidence_pb2 import BatchPutEvidenceRequest

READY = "ready"
"""The first frame: all modules are loaded."""


def work(requests: BinaryIO, answers: BinaryIO, sift: Callable[[bytes, datetime], Sifted]) -> None:
    answer: object = READY
    while True:
        answers.write(framed(answer))
        answers.flush()
        try:
            sent, at = read(requests)
        except EOFError:
            return
        answer = sift(sent, at)


def sifter(sieve: Sieve) -> Callable[[bytes, datetime], Sifted]:
    """Nothing else runs in this process: a batch is read without a pause."""

    def sift(sent: bytes, at: datetime) -> Sifted:
        items = BatchPutEvidenceRequest.FromString(sent).evidence
        return sieve.sifted([evidence_report(one) for one in items], at)

    return sift


if __name__ == "__main__":
    work(sys.stdin.buffer, sys.stdout.buffer, sifter(Sieve(float(sys.argv[1]))))

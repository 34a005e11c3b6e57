"""
What the process does that sifts for a server: batch after batch, until the server closes the pipe.

The server starts it with the share of what passed that is kept.
"""

import sys
from collections.abc import Callable
from datetime import datetime
from typing import BinaryIO

from application.evidence.sifting import Sieve, Sifted
from entrypoints.grpc.sifting.byte_sieve import ByteSieve
from entrypoints.grpc.sifting.frames import framed, read

READY = "ready"
"""Is said first: all that is needed is loaded."""


def work(asked: BinaryIO, answers: BinaryIO, sift: Callable[[bytes, datetime], Sifted]) -> None:
    answer: object = READY
    while True:
        answers.write(framed(answer))
        answers.flush()
        try:
            sent, at = read(asked)
        except EOFError:
            return
        answer = sift(sent, at)


if __name__ == "__main__":
    work(sys.stdin.buffer, sys.stdout.buffer, ByteSieve(Sieve(float(sys.argv[1]))).sifted)

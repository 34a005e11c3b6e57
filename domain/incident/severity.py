"""How bad an incident is."""

from enum import StrEnum


class Severity(StrEnum):
    SEV_1 = "SEV_1"
    SEV_2 = "SEV_2"
    SEV_3 = "SEV_3"

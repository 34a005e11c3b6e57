"""Numbers with what they count."""


def counted(number: int, what: str) -> str:
    """`1 row`, `2 rows`, `1,200 rows`."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"

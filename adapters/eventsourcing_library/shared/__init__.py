"""Parts that every persistence module of the `eventsourcing` library shares."""

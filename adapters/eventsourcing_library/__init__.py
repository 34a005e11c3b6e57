"""The log as a persistence module of the `eventsourcing` library."""

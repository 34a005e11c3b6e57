"""What every persistence module of the `eventsourcing` library shares, whatever it stores in."""

"""The operator's commands on the event log: `statestore log`."""

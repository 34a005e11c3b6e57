"""`statestore log`: maintenance of the event log."""

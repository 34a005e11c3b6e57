"""`statestore project`."""

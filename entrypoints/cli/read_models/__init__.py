"""`statestore replay`, `verify` and `restore-drill`."""

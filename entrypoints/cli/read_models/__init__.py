"""`statestore rebuild`, `verify` and `restore-drill`."""

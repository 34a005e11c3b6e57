"""Read models from the command line: `statestore replay`, `verify` and `restore-drill`."""

"""The command line: `statestore`."""

"""Settings: environment variables with the prefix `STATESTORE_`, one file per topic."""

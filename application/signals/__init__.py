"""Use cases and read model of signals."""

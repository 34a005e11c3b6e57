"""Use cases and read models of datasets and resolution rules."""

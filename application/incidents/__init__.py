"""Use cases and read model of incidents."""

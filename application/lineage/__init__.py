"""Use cases and read model of lineage."""

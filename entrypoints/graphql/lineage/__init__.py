"""Lineage over GraphQL."""

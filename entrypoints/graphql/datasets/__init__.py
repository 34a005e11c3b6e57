"""Datasets over GraphQL."""

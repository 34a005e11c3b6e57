"""Signals over GraphQL."""

"""Incidents over GraphQL."""

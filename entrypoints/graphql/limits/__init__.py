"""Limits on the cost of GraphQL documents."""

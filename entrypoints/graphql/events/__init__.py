"""Subscriptions to events over GraphQL."""

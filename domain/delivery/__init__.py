"""Delivery: events that a sink rejected."""

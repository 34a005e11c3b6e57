"""Delivery of events to other systems: outboxes, retries and dead letters."""

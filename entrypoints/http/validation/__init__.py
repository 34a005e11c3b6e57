"""Parsing and validation of requests."""

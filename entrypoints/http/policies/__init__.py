"""Enforcement policies over HTTP."""

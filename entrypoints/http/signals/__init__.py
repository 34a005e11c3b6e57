"""Signals over HTTP."""

"""Streaming responses."""

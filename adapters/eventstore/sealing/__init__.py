"""Sealing of personal data, and erasure."""

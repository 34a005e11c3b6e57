"""Erasure of personal data."""

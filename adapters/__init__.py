"""Adapters: one folder per technology."""

"""Rows that were read lately, kept so that they need not be read again."""

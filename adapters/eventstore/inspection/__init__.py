"""Inspection of a log: findings, readability and descriptions of facts."""

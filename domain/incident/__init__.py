"""Incidents: facts, decisions and the rules of their life cycle."""

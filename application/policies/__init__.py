"""Policies: reactions to facts and to time, recorded as new facts."""

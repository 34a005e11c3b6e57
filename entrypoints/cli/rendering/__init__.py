"""Rendering of answers for the terminal."""

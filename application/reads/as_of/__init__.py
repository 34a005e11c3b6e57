"""Reads as of an earlier time, folded from the streams that a question is about."""

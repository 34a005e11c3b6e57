"""Signals: the health of one aspect of a dataset, window by window."""

"""Ports that several subjects share."""

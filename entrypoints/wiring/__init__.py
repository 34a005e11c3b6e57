"""The composition root: a container in layers, each of which builds on the one before."""
